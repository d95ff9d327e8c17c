// Attributes as such: how many arguments of which form, where they stand, and which go together.
#include <cstdint>

#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

enum class Form { string, integer, boolean };

constexpr std::size_t any_number = SIZE_MAX;

/// The roles of the functions that an attribute may stand on, or whose parameters it may stand on.
enum RoleSet : unsigned {
  on_meta = 1 << static_cast<unsigned>(Role::meta),
  on_impl = 1 << static_cast<unsigned>(Role::impl),
  on_kernel = 1 << static_cast<unsigned>(Role::kernel) | 1 << static_cast<unsigned>(Role::composite),
  on_pointwise = 1 << static_cast<unsigned>(Role::pointwise),
  on_any = ~0u,
};

struct AttributeRule {
  llvm::StringLiteral name;
  bool is_for_parameter;
  unsigned roles;
  std::size_t minimum;
  std::size_t maximum;
  Form form;  ///< of all arguments
  llvm::StringLiteral expected;
};

constexpr AttributeRule attribute_rules[] = {
    {"meta", false, on_any, 1, any_number, Form::string, "the names of the variants, functional first"},
    {"impl", false, on_any, 2, any_number, Form::string, "an operator name and at least one backend"},
    {"kernel", false, on_any, 2, any_number, Form::string, "an operator name and at least one backend"},
    {"composite", false, on_any, 1, 1, Form::string, "one operator name"},
    {"pointwise", false, on_any, 1, any_number, Form::string, "the names of the variants, functional first"},
    {"backward", false, on_any, 1, 1, Form::string, "one operator name"},
    {"returns", false, on_meta | on_kernel | on_pointwise, 1, any_number, Form::string, "the names of the results"},
    {"out", false, on_kernel, 0, 0, Form::string, "no arguments"},
    {"method", false, on_meta | on_kernel | on_pointwise, 0, 0, Form::string, "no arguments"},
    {"no_cpp_default", false, on_meta | on_kernel | on_pointwise, 0, any_number, Form::string,
     "nothing, or the names of parameters"},
    {"dtypes", false, on_impl | on_kernel | on_pointwise, 1, any_number, Form::string,
     "names of dtypes, after a backend if they hold for one only"},
    {"tags", false, on_meta | on_kernel | on_pointwise, 1, any_number, Form::string, "at least one tag"},
    {"device_check", false, on_meta | on_kernel | on_pointwise, 1, 1, Form::boolean, "`true` or `false`"},
    {"promote", false, on_pointwise, 1, 1, Form::string, "the name of one rule"},
    {"kwonly", true, on_meta | on_kernel | on_pointwise, 0, 0, Form::string, "no arguments"},
    {"size", true, on_meta | on_kernel, 1, 1, Form::integer, "one length"},
    {"symint", true, on_meta | on_kernel, 0, 0, Form::string, "no arguments"},
    {"alias", true, on_kernel, 1, 2, Form::string, "an alias set, and the index of a result if it is not the first"},
    {"schema_default", true, on_meta | on_kernel | on_pointwise, 1, 1, Form::string,
     "one default, as schemas write it"},
    {"scalar", true, on_pointwise, 0, 1, Form::string, "nothing, `promotes` or `converts`"},
    {"tensor", true, on_pointwise, 0, 0, Form::string, "no arguments"},
};

const AttributeRule* rule_for(const Attribute& attribute) {
  for (const AttributeRule& rule : attribute_rules) {
    if (attribute.name == rule.name) return &rule;
  }
  return nullptr;
}

Form form_of(const AttributeArgument& argument) {
  if (std::holds_alternative<std::int64_t>(argument.value)) return Form::integer;
  return std::holds_alternative<bool>(argument.value) ? Form::boolean : Form::string;
}

const char* describe(Form form) {
  switch (form) {
    case Form::string:
      return "a string";
    case Form::integer:
      return "a number";
    case Form::boolean:
      return "a boolean";
  }
  llvm_unreachable("every form is described");
}

/// The form that the argument at `index` should have.
Form expected_form(const AttributeRule& rule, std::size_t index) {
  return rule.name == "alias" && index == 1 ? Form::integer : rule.form;
}

/// What is wrong with the value of an argument of the right form; empty if nothing.
std::string fault_in(const Attribute& attribute, std::size_t index) {
  if (auto text = string_argument(attribute, index)) {
    if (text->empty()) return "is an empty string";
    if (text->contains('\0')) return "contains a NUL character";
  }
  if (attribute.name == "scalar" && string_argument(attribute, index) != "promotes" &&
      string_argument(attribute, index) != "converts") {
    return "is neither `promotes` nor `converts`";
  }
  if (attribute.name == "size" && integer_argument(attribute, index).value_or(1) <= 0) return "is less than 1";
  if (attribute.name == "alias" && index == 1 && integer_argument(attribute, index).value_or(0) < 0) {
    return "is less than 0";
  }
  bool has_bad_index = integer_argument(attribute, 1).value_or(0) < 0;
  if (attribute.name == "alias" && index == 0 && !has_bad_index && !read_alias(attribute)) {
    return attribute.arguments.size() == 2 ? "is not the set of a view; expected one like `a` before an index"
                                           : "is no alias set; expected one like `a`, `a!` or `a -> *`";
  }
  return "";
}

void check_arguments(Checker& checker, const Attribute& attribute) {
  const AttributeRule* rule = rule_for(attribute);
  if (!rule) return;
  std::size_t count = attribute.arguments.size();
  if (count < rule->minimum || count > rule->maximum) {
    checker.report(DiagnosticKind::bad_attribute_argument, attribute.range,
                   code(attribute.name) + " has " + count_of(count, "argument") + "; expected " + rule->expected);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const AttributeArgument& argument = attribute.arguments[i];
    std::string subject = "argument " + std::to_string(i + 1) + " of " + code(attribute.name);
    Form expected = expected_form(*rule, i);
    if (form_of(argument) != expected) {
      checker.report(DiagnosticKind::bad_attribute_argument, argument.range,
                     subject + " is " + describe(form_of(argument)) + "; expected " + describe(expected));
      return;
    }
    if (std::string fault = fault_in(attribute, i); !fault.empty()) {
      checker.report(DiagnosticKind::bad_attribute_argument, argument.range, subject + " " + fault);
    }
  }
}

void check_placement(Checker& checker, const Declaration& declaration, const Attribute& attribute, bool is_parameter) {
  const AttributeRule* rule = rule_for(attribute);
  if (!rule) return;
  if (rule->is_for_parameter != is_parameter) {
    checker.report(DiagnosticKind::misplaced_attribute, attribute.range,
                   code(attribute.name) + " stands on a " + (is_parameter ? "parameter" : "function") +
                       "; expected it on a " + (is_parameter ? "function" : "parameter"));
    return;
  }
  if (!is_parameter && role_named(attribute.name)) return;
  auto role = role_of(declaration);
  if (!role) {
    checker.report(
        DiagnosticKind::misplaced_attribute, attribute.range,
        code(attribute.name) + " has no meaning on " + code(declaration.name) +
            ", which is no part of an operator; add `meta`, `impl`, `kernel` or another that says what it is");
    return;
  }
  if (rule->roles & 1u << static_cast<unsigned>(*role)) return;
  bool belongs_to_meta = *role == Role::impl && rule->roles & on_meta;
  checker.report(DiagnosticKind::misplaced_attribute, attribute.range,
                 code(attribute.name) + " has no meaning on " + (is_parameter ? "a parameter of " : "") +
                     (llvm::StringRef("aeiou").contains(name_of(*role)[0]) ? "an " : "a ") + code(name_of(*role)) +
                     (belongs_to_meta ? "; it belongs on the operator's `meta`" : ""));
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
      // One function may serve several operators as their kernel, but it defines one operator only.
      bool is_repeatable = *role == Role::impl || *role == Role::kernel || *role == Role::composite;
      if (first->name == attribute.name && is_repeatable) continue;
      Diagnostic& diagnostic = checker.report(DiagnosticKind::conflicting_roles, attribute.range,
                                              code(found.declaration->name) + " is " + code(attribute.name) + " and " +
                                                  code(first->name) + "; expected one of them");
      diagnostic.notes.push_back({"the other one is here", first->range});
    }
  }
}

}  // namespace structured::gen
