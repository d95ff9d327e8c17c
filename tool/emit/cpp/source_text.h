// Common parts of emitted sources: banner, includes, and declarations of the author's functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/writer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/operator.h"

namespace structured::gen {

/// `// Emitted by structured-gen from SOURCE. Do not edit.`; without `from` if `source` is empty.
void write_banner(Writer& writer, llvm::StringRef source);
/// The text of a source without content. Builds expect the file to exist.
std::string nothing_from(llvm::StringRef source, llvm::StringRef what);

/// Folders of headers that are included as `<...>`.
inline constexpr llvm::StringLiteral runtime_folders[] = {"structured/"};
/// `<...>` for headers in these folders, `"..."` for the author's, which may be relative.
std::string include_spelling(llvm::StringRef header, llvm::ArrayRef<llvm::StringLiteral> folders = runtime_folders);
/// Adds the headers of the operator's base and its precomputed values.
void add_author_headers(const StructuredParts& parts, std::set<std::string>& headers,
                        llvm::ArrayRef<llvm::StringLiteral> folders = runtime_folders);

/// Prints include directives, sorted in three groups: C++, `<*.h>`, `"..."`.
void write_includes(Writer& writer, const std::set<std::string>& spellings);

/// Declares the author's functions by their canonical types, grouped by namespace and without duplicates.
void declare_functions(Writer& writer, std::vector<const Function*> functions);

/// A C++ string literal, split into pieces of at most `columns` columns.
std::vector<std::string> string_literal(llvm::StringRef text, std::size_t columns);
/// A C++ string literal in one piece.
std::string string_literal(llvm::StringRef text);

/// Gives hidden visibility to everything that is printed during its lifetime.
class HiddenVisibility {
 public:
  explicit HiddenVisibility(Writer& writer);
  ~HiddenVisibility();
  HiddenVisibility(const HiddenVisibility&) = delete;
  HiddenVisibility& operator=(const HiddenVisibility&) = delete;

 private:
  Writer& writer_;
};

}  // namespace structured::gen
