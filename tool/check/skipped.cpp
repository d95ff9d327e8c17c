// Annotations in preprocessor branches that scans skip.
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

/// Whether `declared` gives a function the role, operator and backends of `skipped`.
bool covers(const Attribute& declared, const Attribute& skipped) {
  if (declared.name != skipped.name || string_argument(declared, 0) != string_argument(skipped, 0)) return false;
  std::vector<std::string> backends = string_arguments(declared, 1);
  return llvm::all_of(string_arguments(skipped, 1),
                      [&](const std::string& backend) { return llvm::is_contained(backends, backend); });
}

bool is_declared(const Checker& checker, const Attribute& skipped) {
  return llvm::any_of(checker.index().declarations(), [&](const FoundDeclaration& found) {
    return llvm::any_of(found.declaration->attributes,
                        [&](const Attribute& attribute) { return covers(attribute, skipped); });
  });
}

}  // namespace

void check_skipped_annotations(Checker& checker) {
  if (!checker.sees_everything()) return;
  for (const Fragment& fragment : checker.fragments()) {
    for (const Attribute& skipped : fragment.skipped) {
      auto name = string_argument(skipped, 0);
      if (!name || is_declared(checker, skipped)) continue;
      checker.report(DiagnosticKind::skipped_annotation, skipped.range,
                     "{} for {} is in a preprocessor branch that the scan skips, so the library does not have it; move "
                     "the declaration out of the branch, which depends on the compiler or its flags",
                     Code(skipped.name), Code(*name));
    }
  }
}

}  // namespace structured::gen
