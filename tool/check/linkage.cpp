// Functions that emitted code cannot redeclare, call or link to.
#include "check/rules.h"

namespace structured::gen {
namespace {

struct LinkageErrorText {
  LinkageError error;
  DiagnosticKind kind;
  MessageFormat<Code> message;  ///< takes the function's name
  const SourceRange Declaration::* place;
};

constexpr LinkageErrorText linkage_error_texts[] = {
    {LinkageError::is_template, DiagnosticKind::template_function,
     "annotated function {} is a template; expected a plain function, as only `pointwise` and `backward` take "
     "templates",
     &Declaration::name_range},
    {LinkageError::is_member, DiagnosticKind::member_function,
     "annotated function {} is a member of a class; expected a function at namespace scope", &Declaration::name_range},
    {LinkageError::is_static, DiagnosticKind::static_function,
     "annotated function {} is `static`, so emitted code cannot link to it; remove `static`", &Declaration::name_range},
    {LinkageError::is_in_unnamed_namespace, DiagnosticKind::unnamed_namespace,
     "annotated function {} is in an unnamed namespace, so emitted code cannot link to it; give the namespace a name",
     &Declaration::name_range},
    {LinkageError::is_inline, DiagnosticKind::inline_function,
     "annotated function {} is `inline`, so emitted code may find no definition to link to; remove `inline`",
     &Declaration::name_range},
    {LinkageError::is_constexpr, DiagnosticKind::constexpr_function,
     "annotated function {} is `constexpr` and therefore inline, so emitted code may find no definition to link to; "
     "remove `constexpr`",
     &Declaration::name_range},
    {LinkageError::returns_auto, DiagnosticKind::auto_result,
     "annotated function {} has a deduced result type, which emitted code cannot declare; write the type",
     &Declaration::result_range},
    {LinkageError::is_c_variadic, DiagnosticKind::c_variadic,
     "annotated function {} takes `...`, which a schema cannot express; declare every parameter",
     &Declaration::parameters_range},
    {LinkageError::is_deleted, DiagnosticKind::deleted_function,
     "annotated function {} is deleted; expected a function that can be called", &Declaration::name_range},
    {LinkageError::has_asm_label, DiagnosticKind::asm_label,
     "annotated function {} has an `asm` label, so emitted code would link to another symbol; remove the label",
     &Declaration::name_range},
};

/// Emitted code instantiates scalar functions, so they must be templates and may be inline.
bool is_fine_for_scalar_function(LinkageError error) {
  return error == LinkageError::is_template || error == LinkageError::is_inline || error == LinkageError::is_constexpr;
}

}  // namespace

void check_readability(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    const Declaration& declaration = *found.declaration;
    bool has_parameter = false;
    for (const Parameter& parameter : declaration.parameters) {
      if (!parameter.is_invalid) continue;
      has_parameter = true;
      checker.report(DiagnosticKind::unreadable_declaration, parameter.type_range,
                     "the compiler does not know the type {} of parameter {} of {}", parameter.type,
                     Code(parameter.name), Code(declaration.name));
    }
    if (declaration.is_invalid && !has_parameter) {
      checker.report(DiagnosticKind::unreadable_declaration, declaration.name_range,
                     "the compiler rejected the declaration of {}", Code(declaration.name));
    }
  }
}

void check_linkage(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    const Declaration& declaration = *found.declaration;
    for (LinkageError error : declaration.linkage_errors) {
      if (is_scalar_function(declaration) && is_fine_for_scalar_function(error)) continue;
      for (const LinkageErrorText& text : linkage_error_texts) {
        if (text.error != error) continue;
        checker.report(text.kind, declaration.*text.place, text.message, Code(declaration.name));
      }
    }
  }
}

void check_parameter_names(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    const Declaration& declaration = *found.declaration;
    for (std::size_t i = 0; i < declaration.parameters.size(); ++i) {
      if (!declaration.parameters[i].name.empty()) continue;
      checker.report(DiagnosticKind::unnamed_parameter, declaration.parameters[i].range,
                     "parameter {} of {} has no name; expected one, which becomes the argument's name", i + 1,
                     Code(declaration.name));
    }
  }
}

}  // namespace structured::gen
