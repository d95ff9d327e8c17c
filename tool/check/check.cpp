#include "check/check.h"

#include "check/allow.h"
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

using Rule = void (*)(Checker&);

constexpr Rule rules[] = {
#define STRUCTURED_RULE(function) function,
#include "check/diagnostic_kinds.def"
};

/// Whether the edit changes part of a macro use or inserts text at its ends. An edit that replaces the whole use and
/// more is valid.
bool spoils(const FixIt& fixit, const SourceRange& macro) {
  const SourceRange& edit = fixit.range;
  if (edit.file != macro.file) return false;
  if (edit.begin == edit.end) return macro.begin <= edit.begin && edit.end <= macro.end;
  bool is_larger = edit.begin <= macro.begin && macro.end <= edit.end && edit != macro;
  return edit.begin < macro.end && macro.begin < edit.end && !is_larger;
}

/// Drops edits of code that a macro expands to: its location is the macro's use, where an edit cannot fix it.
void drop_edits_in_macros(std::vector<Diagnostic>& diagnostics, llvm::ArrayRef<Fragment> fragments) {
  std::vector<SourceRange> macros;
  for (const Fragment& fragment : fragments) {
    for (const Declaration& declaration : fragment.declarations) {
      macros.insert(macros.end(), declaration.macro_ranges.begin(), declaration.macro_ranges.end());
    }
  }
  for (Diagnostic& diagnostic : diagnostics) {
    bool is_spoilt = llvm::any_of(diagnostic.fixits, [&](const FixIt& fixit) {
      return llvm::any_of(macros, [&](const SourceRange& macro) { return spoils(fixit, macro); });
    });
    if (is_spoilt) diagnostic.fixits.clear();
  }
}

}  // namespace

std::string default_cpp_namespace(llvm::StringRef schema_namespace) {
  return schema_namespace == "aten" ? "structured" : schema_namespace.str();
}

std::vector<Diagnostic> check(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, const CheckOptions& options) {
  Checker checker(fragments, types, options);
  for (Rule rule : rules) rule(checker);
  std::vector<Diagnostic> diagnostics = checker.take_diagnostics();
  llvm::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    return llvm::any_of(options.imports, [&](const ImportedLibrary& library) {
      return library.definitions.source == diagnostic.range.file;
    });
  });
  remove_allowed(diagnostics, fragments);
  // Some rules visit a declaration once for each of its attributes.
  sort_unique(diagnostics);
  drop_edits_in_macros(diagnostics, fragments);
  return diagnostics;
}

bool has_errors(llvm::ArrayRef<Diagnostic> diagnostics) {
  return llvm::any_of(diagnostics, [](const Diagnostic& d) { return severity_of(d.kind) == Severity::error; });
}

}  // namespace structured::gen
