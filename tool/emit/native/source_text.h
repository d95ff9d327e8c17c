// What emitted sources have in common: banner, includes, and declarations of the author's functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lower/plan.h"
#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "model/operator.h"

namespace structured::gen {

/// `// Emitted by structured-gen from SOURCE. Do not edit.`; no `from` where there is no single source.
void write_banner(Writer& writer, llvm::StringRef source);
/// The text of a file that has nothing in it, so that a build finds the file that it expects.
std::string nothing_from(llvm::StringRef source, llvm::StringRef what);

/// `<...>` for our own headers and those of the language, `"..."` for the author's, so that they may be relative.
std::string include_spelling(llvm::StringRef header);
/// Of the types that the author's functions take beside the operator's arguments.
void add_author_headers(const StructuredParts& parts, std::set<std::string>& headers);

/// Include directives: the language's headers, then others; both sorted.
void write_includes(Writer& writer, const std::set<std::string>& spellings);

/// Declares functions of the author as the linker knows them, grouped by namespace; each one once.
void declare_functions(Writer& writer, std::vector<const Function*> functions);

/// `using signature_add_Tensor = ...;` and, for sources that do not define it, the operator's table.
void write_signature(Writer& writer, const PlannedVariant& planned);
void declare_table(Writer& writer, const PlannedVariant& planned);

/// As a literal of C++, in several pieces, one a line, where it would be too long for `columns`.
std::vector<std::string> string_literal(llvm::StringRef text, std::size_t columns);

/// The public functions of a variant in one namespace, as declared and as defined by a call of `callee` with the
/// dispatcher's arguments.
void declare_public_functions(Writer& writer, const Plan& plan, const PlannedVariant& planned);
void define_public_functions(Writer& writer, const Plan& plan, const PlannedVariant& planned, llvm::StringRef callee);

/// Gives everything written while it lives hidden visibility.
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
