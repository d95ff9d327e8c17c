// Common parts of emitted sources: banner, includes, and declarations of the author's functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"
#include "model/operator.h"

namespace structured::gen {

/// `// Emitted by structured-gen from SOURCE. Do not edit.`; without `from` if `source` is empty.
void write_banner(Writer& writer, llvm::StringRef source);
/// The text of a source without content. Builds expect the file to exist.
std::string nothing_from(llvm::StringRef source, llvm::StringRef what);

/// `<...>` for headers of the runtime, `"..."` for the author's, which may be relative.
std::string include_spelling(llvm::StringRef header);
/// Adds the headers of the operator's base and its precomputed values.
void add_author_headers(const StructuredParts& parts, std::set<std::string>& headers);

/// Prints include directives, sorted in three groups: C++, `<*.h>`, `"..."`.
void write_includes(Writer& writer, const std::set<std::string>& spellings);

/// Declares the author's functions by their canonical types, grouped by namespace and without duplicates.
void declare_functions(Writer& writer, std::vector<const Function*> functions);

/// Print `using signature_add_Tensor = ...;` and a declaration of the operator's table or dispatching function.
void write_signature(Writer& writer, const LoweredVariant& variant);
void declare_table(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

/// A function that calls `kernel`, the name of a wrapper or the qualified name of an author's function, and checks the
/// call. The variant's table must be declared.
std::string checked_kernel(const LoweredLibrary& lowered, const LoweredVariant& variant, llvm::StringRef kernel);

/// A C++ string literal, split into pieces of at most `columns` columns.
std::vector<std::string> string_literal(llvm::StringRef text, std::size_t columns);

/// Defines the overload of an in-place or out= function for a temporary, if the variant has one.
void define_temporary_overload(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Print the public functions of a variant. Definitions call `callee` with the dispatcher's arguments.
/// A second declaration in the same scope must have no default arguments.
void declare_public_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                              bool with_defaults = true);
void define_public_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                             llvm::StringRef callee);

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
