#include "check/allow.h"

#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "model/annotation.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral prefix = "structured-";

/// Returns the kind of that name, which need not have the prefix.
std::optional<DiagnosticKind> allowed_kind(llvm::StringRef name) {
  return kind_named(name.starts_with(prefix) ? name.str() : (prefix + name).str());
}

bool is_within(const SourceRange& inner, const SourceRange& outer) {
  return inner.file == outer.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

/// Whether the diagnostic is about the function.
bool concerns(const Diagnostic& diagnostic, const Declaration& declaration) {
  return is_within(diagnostic.range, declaration.range) || diagnostic.data.function == declaration.name;
}

bool allows(const Declaration& declaration, DiagnosticKind kind) {
  return llvm::any_of(declaration.attributes, [&](const Attribute& attribute) {
    return attribute.name == "allow" && llvm::any_of(string_arguments(attribute), [&](const std::string& name) {
             return allowed_kind(name) == kind;
           });
  });
}

}  // namespace

bool can_be_allowed(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::output_unset:
    case DiagnosticKind::output_set_twice:
    case DiagnosticKind::impl_resizes_output:
    case DiagnosticKind::impl_assigns_output:
      return true;
    default:
      return severity_of(kind) == Severity::warning;
  }
}

std::vector<std::string> allowable_kinds() {
  std::vector<std::string> names;
  auto add = [&](DiagnosticKind kind, llvm::StringRef name) {
    if (can_be_allowed(kind)) names.push_back(name.drop_front(prefix.size()).str());
  };
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) add(DiagnosticKind::identifier, name);
#include "check/diagnostic_kinds.def"
  return names;
}

void remove_allowed(std::vector<Diagnostic>& diagnostics, llvm::ArrayRef<Fragment> fragments) {
  std::vector<const Declaration*> allowing;
  for (const Fragment& fragment : fragments) {
    for (const Declaration& declaration : fragment.declarations) {
      if (has_attribute(declaration.attributes, "allow")) allowing.push_back(&declaration);
    }
  }
  llvm::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    return can_be_allowed(diagnostic.kind) && llvm::any_of(allowing, [&](const Declaration* declaration) {
             return allows(*declaration, diagnostic.kind) && concerns(diagnostic, *declaration);
           });
  });
}

void check_allowed_kinds(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) {
      if (attribute.name != "allow") continue;
      for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
        auto name = string_argument(attribute, i);
        if (!name || name->empty()) continue;
        const SourceRange& range = attribute.arguments[i].range;
        std::optional<DiagnosticKind> kind = allowed_kind(*name);
        if (kind && can_be_allowed(*kind)) continue;
        if (kind) {
          checker.report(DiagnosticKind::bad_attribute_argument, range,
                         "`allow` names {}, which is an error; expected a warning or an error about a body: {}",
                         Code(*name), List(allowable_kinds(), "or"));
        } else {
          const DidYouMean meant(*name, allowable_kinds());
          checker
              .build(DiagnosticKind::bad_attribute_argument, range, "`allow` names unknown kind {}{}", Code(*name),
                     meant)
              .fix(string_replacement(range, meant))
              .emit();
        }
      }
    }
  }
}

}  // namespace structured::gen
