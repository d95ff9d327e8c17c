// Attributes: number and form of their arguments, their placement, and conflicting roles.
#include <cstdint>

#include "check/rules.h"
#include "language/attributes.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

LiteralForm form_of(const AttributeArgument& argument) {
  if (std::holds_alternative<int64_t>(argument.value)) return LiteralForm::integer;
  return std::holds_alternative<bool>(argument.value) ? LiteralForm::boolean : LiteralForm::string;
}

const char* describe(LiteralForm form) {
  switch (form) {
    case LiteralForm::string:
      return "a string";
    case LiteralForm::integer:
      return "an integer";
    case LiteralForm::boolean:
      return "a boolean";
  }
  llvm_unreachable("every form is described");
}

/// Describes what is wrong with the value of an argument whose form is correct; empty if nothing is.
std::string fault_in(const Attribute& attribute, ArgumentKind kind, std::size_t index) {
  auto text = string_argument(attribute, index);
  int64_t number = integer_argument(attribute, index).value_or(0);
  const bool may_be_empty = kind == ArgumentKind::result_names;  // a result without a name
  if (text && text->empty() && !may_be_empty) return "is an empty string";
  if (text && text->contains('\0')) return "contains a NUL character";
  switch (kind) {
    case ArgumentKind::scalar_conversion:
      return text == "promotes" || text == "converts" ? "" : "is neither `promotes` nor `converts`";
    case ArgumentKind::length:
      return number > 0 ? "" : "is less than 1";
    case ArgumentKind::alias_set: {
      if (index == 1) return number >= 0 ? "" : "is less than 0";
      bool has_bad_index = integer_argument(attribute, 1).value_or(0) < 0;
      if (has_bad_index || read_alias(attribute)) return "";
      return attribute.arguments.size() == 2 ? "is not the alias set of a view; expected one like `a` before an index"
                                             : "is not an alias set; expected one like `a`, `a!` or `a -> *`";
    }
    default:
      return "";
  }
}

void check_arguments(Checker& checker, const Attribute& attribute) {
  const AttributeSpec* spec = find_attribute(attribute.name);
  if (!spec) return;
  std::size_t count = attribute.arguments.size();
  if (count < spec->minimum_arguments || count > spec->maximum_arguments) {
    checker.report(DiagnosticKind::bad_attribute_argument, attribute.range, "{} has {}; expected {}",
                   Code(attribute.name), Count{count, "argument"}, Phrase(spec->expected));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const AttributeArgument& argument = attribute.arguments[i];
    LiteralForm expected = literal_form(spec->arguments, i);
    if (form_of(argument) != expected) {
      checker.report(DiagnosticKind::bad_attribute_argument, argument.range, "argument {} of {} is {}; expected {}",
                     i + 1, Code(attribute.name), Phrase(describe(form_of(argument))), Phrase(describe(expected)));
      return;
    }
    if (std::string fault = fault_in(attribute, spec->arguments, i); !fault.empty()) {
      checker.report(DiagnosticKind::bad_attribute_argument, argument.range, "argument {} of {} {}", i + 1,
                     Code(attribute.name), Phrase(fault));
    }
  }
}

void check_placement(Checker& checker, const Declaration& declaration, const Attribute& attribute, bool is_parameter) {
  const AttributeSpec* spec = find_attribute(attribute.name);
  if (!spec) return;
  if ((spec->target == AttributeTarget::parameter) != is_parameter) {
    checker.report(DiagnosticKind::misplaced_attribute, attribute.range, "{} stands on a {}; expected it on a {}",
                   Code(attribute.name), Phrase(is_parameter ? "parameter" : "function"),
                   Phrase(is_parameter ? "function" : "parameter"));
    return;
  }
  if (!is_parameter && role_named(attribute.name)) return;
  auto role = role_of(declaration);
  if (!role) {
    checker.report(DiagnosticKind::misplaced_attribute, attribute.range,
                   "{} does not apply to {}, which has no role; add `meta`, `impl`, `kernel` or another attribute that "
                   "gives it one",
                   Code(attribute.name), Code(declaration.name));
    return;
  }
  if (spec->allows(*role)) return;
  bool belongs_to_meta = *role == Role::impl && spec->allows(Role::meta);
  checker.report(DiagnosticKind::misplaced_attribute, attribute.range, "{} does not apply to {}{} {}{}",
                 Code(attribute.name), Phrase(is_parameter ? "a parameter of " : ""),
                 Phrase(llvm::StringRef("aeiou").contains(name_of(*role)[0]) ? "an" : "a"), *role,
                 Phrase(belongs_to_meta ? "; it belongs on the operator's `meta`" : ""));
}

}  // namespace

void check_attribute_arguments(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) check_arguments(checker, attribute);
    for (const Parameter& parameter : found.declaration->parameters) {
      for (const Attribute& attribute : parameter.attributes) check_arguments(checker, attribute);
    }
  }
}

void check_attribute_placement(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    const Declaration& declaration = *found.declaration;
    for (const Attribute& attribute : declaration.attributes) check_placement(checker, declaration, attribute, false);
    for (const Parameter& parameter : declaration.parameters) {
      for (const Attribute& attribute : parameter.attributes) check_placement(checker, declaration, attribute, true);
    }
  }
}

void check_roles(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    const Attribute* first = nullptr;
    for (const Attribute& attribute : found.declaration->attributes) {
      auto role = role_named(attribute.name);
      if (!role) continue;
      if (!first) {
        first = &attribute;
        continue;
      }
      // A function may be the kernel of several operators, but it can define only one.
      bool is_repeatable =
          *role == Role::impl || *role == Role::kernel || *role == Role::composite || *role == Role::backward;
      if (first->name == attribute.name && is_repeatable) continue;
      checker
          .build(DiagnosticKind::conflicting_roles, attribute.range, "{} is {} and {}; expected one of them",
                 Code(found.declaration->name), Code(attribute.name), Code(first->name))
          .note(first->range, "the other one is here")
          .emit();
    }
  }
}

void check_misspelt_attributes(Checker& checker) {
  std::vector<std::string> known;
  for (llvm::StringRef name : standard_attributes()) known.push_back(name.str());
  for (const Fragment& fragment : checker.fragments()) {
    for (const Attribute& attribute : fragment.misspelt) {
      if (const DidYouMean meant(attribute.name, known); meant) {
        checker.report(DiagnosticKind::misspelt_attribute, attribute.range, "unknown attribute {}{}",
                       Code(attribute.name), meant);
      } else {
        checker.report(DiagnosticKind::misspelt_attribute, attribute.range,
                       "unknown attribute {}; expected an attribute of the C++ standard, or a namespace as in {}",
                       Code(attribute.name), Code("gnu::" + attribute.name));
      }
    }
  }
}

}  // namespace structured::gen
