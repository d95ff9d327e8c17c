// The text of C++ functions, as far as it can be told without parsing: where bodies end, and what their statements are.
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

/// The body behind a declarator that ends at `from`, braces included; nothing where there is none.
std::optional<TextRange> body_after(llvm::StringRef text, std::size_t from);

/// Just behind the function whose declarator ends at `from`: behind its body, or its semicolon.
std::size_t function_end(llvm::StringRef text, std::size_t from);

/// The statements of a body without its braces, in order, each without white space around it. Comments go with the
/// statement behind them, or before them on the same line.
std::vector<std::string> statements(llvm::StringRef body);

/// All identifiers, those in strings and comments left out.
std::set<std::string> identifiers(llvm::StringRef text);

/// The name that the statement declares as a variable; empty if it is another one.
std::vector<std::string> declared_names(llvm::StringRef statement);

/// The arguments of the call whose opening parenthesis is at `open`; nothing if it is not closed.
std::optional<std::vector<std::string>> call_arguments(llvm::StringRef text, std::size_t open);

/// The lines, each with the same indentation more.
std::string indented(llvm::StringRef text, llvm::StringRef indentation);

}  // namespace structured::lsp
