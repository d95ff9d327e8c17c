// Textual structure of C++ functions, recognized without parsing: bodies and statements.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the body after a declarator that ends at `from`, including braces; nullopt if there is none.
std::optional<TextRange> body_after(llvm::StringRef text, std::size_t from);

/// Returns the end of the function whose declarator ends at `from`: past its body or its semicolon.
std::size_t function_end(llvm::StringRef text, std::size_t from);

/// Returns the trimmed statements of a body without its braces. A comment belongs to the statement after it, or to the
/// one before it on the same line.
std::vector<std::string> statements(llvm::StringRef body);

/// Returns all identifiers outside strings and comments.
std::set<std::string> identifiers(llvm::StringRef text);

/// Returns the variables that the statement declares; empty if it is not a declaration.
std::vector<std::string> declared_names(llvm::StringRef statement);

/// Returns the arguments of the call whose opening parenthesis is at `open`; nullopt if it is not closed.
std::optional<std::vector<std::string>> call_arguments(llvm::StringRef text, std::size_t open);

/// Indents each line.
std::string indented(llvm::StringRef text, llvm::StringRef indentation);

}  // namespace structured::lsp
