// Attributes of parameters: consistency with the types of the parameters.
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/refinement.h"
#include "model/schema_default.h"

namespace structured::gen {
namespace {

/// Calls `function(ref, parameter, attribute, classified)` for the attribute on each parameter of a supported type.
template <typename Function>
void for_each_parameter_attribute(Checker& checker, llvm::StringRef name, Function function) {
  for_each_signature(checker, [&](const OperatorRef& ref) {
    for (const Parameter& parameter : ref.declaration().parameters) {
      const Attribute* attribute = find_attribute(parameter.attributes, name);
      auto classified = checker.types().argument(parameter.type.canonical);
      if (attribute && classified) function(ref, parameter, *attribute, *classified);
    }
  });
}

/// Reports an attribute that does not fit the type of its parameter.
void report_type(Checker& checker, DiagnosticKind kind, const Attribute& attribute, const Parameter& parameter,
                 llvm::StringRef fault) {
  checker.report(kind, attribute.range, "{} on {}, which is {}{}", Code(attribute.name), Code(parameter.name),
                 parameter.type, Phrase(fault));
}

/// Reports arguments of `requires` that are not properties, or contradict the type or an earlier argument.
void check_properties(Checker& checker, const Parameter& parameter, const Attribute& attribute) {
  Refinement known = refinement_of(parameter.type.canonical).value_or(Refinement());
  for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
    const auto argument = string_argument(attribute, i);
    if (!argument || argument->empty()) continue;
    const SourceRange& range = attribute.arguments[i].range;
    const std::optional<Refinement> property = property_named(*argument);
    if (!property) {
      checker
          .build(DiagnosticKind::bad_attribute_argument, range,
                 "`requires` has unknown property {}; expected a dtype, `rank` and a number, `contiguous` or a device "
                 "type",
                 Code(*argument))
          .fix(string_replacement(range, DidYouMean(*argument, property_names())))
          .emit();
    } else if (!known.add(*property)) {
      checker.report(DiagnosticKind::bad_attribute_argument, range, "`requires` states {}, but {} has {}",
                     Code(*argument), Code(parameter.name), Phrase(llvm::join(properties(known), " and ")));
    }
  }
}

}  // namespace

void check_kwonly(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    const Attribute* first = nullptr;
    for (const Parameter& parameter : found.declaration->parameters) {
      for (const Attribute& attribute : parameter.attributes) {
        if (attribute.name != "kwonly") continue;
        if (!first) {
          first = &attribute;
          continue;
        }
        checker
            .build(DiagnosticKind::duplicate_kwonly, attribute.range,
                   "`kwonly` on {}, which is keyword-only already; remove it", Code(parameter.name))
            .note(first->range, "all parameters from here on are keyword-only")
            .emit();
      }
    }
  }
}

void check_size(Checker& checker) {
  for_each_parameter_attribute(checker, "size",
                               [&](const OperatorRef&, const Parameter& parameter, const Attribute& attribute,
                                   const TypeTable::Classified& classified) {
                                 Type type = classified.type;
                                 if (set_list_size(type, 1)) return;
                                 bool has_length = llvm::any_of(
                                     type.wrappers, [](const Type::Wrapper& wrapper) { return wrapper.size; });
                                 report_type(checker, DiagnosticKind::size_on_non_list, attribute, parameter,
                                             has_length ? " and has a length already; remove it" : "; expected a list");
                               });
}

void check_symint(Checker& checker) {
  for_each_parameter_attribute(checker, "symint",
                               [&](const OperatorRef&, const Parameter& parameter, const Attribute& attribute,
                                   const TypeTable::Classified& classified) {
                                 Type::Base base = classified.type.base;
                                 if (base == Type::Base::Int || base == Type::Base::SymInt) return;
                                 report_type(checker, DiagnosticKind::symint_on_non_int, attribute, parameter,
                                             "; expected an `int64_t` or a list of them");
                               });
}

void check_alias(Checker& checker) {
  for_each_parameter_attribute(
      checker, "alias",
      [&](const OperatorRef& ref, const Parameter& parameter, const Attribute& attribute,
          const TypeTable::Classified& classified) {
        auto alias = read_alias(attribute);
        if (!alias) return;
        if (!classified.type.is_tensor_like()) {
          report_type(checker, DiagnosticKind::alias_on_non_tensor, attribute, parameter, "; expected a tensor");
          return;
        }
        auto results = checker.types().results(ref.declaration().result.canonical);
        if (alias->is_write || !results) return;
        std::size_t tensors = llvm::count_if(*results, [](const Type& type) { return type.is_tensor_like(); });
        const Code function(ref.declaration().name);
        if (alias->result && *alias->result >= results->size()) {
          checker.report(DiagnosticKind::alias_on_non_tensor, attribute.arguments[1].range,
                         "`alias` names result {} of {}, which has {}, counted from 0", *alias->result, function,
                         Count{results->size(), "result"});
        } else if (tensors == 0 || (alias->result && !(*results)[*alias->result].is_tensor_like())) {
          checker
              .build(DiagnosticKind::alias_on_non_tensor, attribute.range,
                     "`alias` on {} of {}, which returns {}; expected a result that is a view of {}",
                     Code(parameter.name), function, ref.declaration().result, Code(parameter.name))
              .note(ref.declaration().result_range, "result declared here")
              .emit();
        }
      });
}

void check_requires(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    if (!is_readable(*found.declaration)) continue;
    for (const Parameter& parameter : found.declaration->parameters) {
      const Attribute* attribute = find_attribute(parameter.attributes, "requires");
      if (attribute == nullptr) continue;
      const auto classified = checker.types().argument(parameter.type.canonical);
      if (!classified || classified->type != Type{Type::Base::Tensor, {}}) {
        report_type(checker, DiagnosticKind::requires_on_non_input, *attribute, parameter, "; expected a tensor");
      } else if (!checker.types().has_refined_tensors()) {
        checker.report(DiagnosticKind::requires_on_non_input, attribute->range,
                       "`requires` on {}; only wrappers of the dialect `native` check it", Code(parameter.name));
      } else {
        check_properties(checker, parameter, *attribute);
      }
    }
  }
}

void check_schema_defaults(Checker& checker) {
  auto check_one = [&](const Parameter& parameter, const std::optional<Type>& type) {
    const Attribute* attribute = find_attribute(parameter.attributes, "schema_default");
    auto text = attribute ? string_argument(*attribute, 0) : std::nullopt;
    if (!text || text->empty() || !type) return;
    const SourceRange& range = attribute->arguments[0].range;
    if (!is_schema_default(*type, *text)) {
      checker.report(DiagnosticKind::schema_default, range,
                     "`schema_default` of {} is {}, which is not a value of the schema type {}", Code(parameter.name),
                     Code(*text), *type);
      return;
    }
    if (!parameter.default_argument) return;
    auto cpp = schema_default(*type, *parameter.default_argument);
    if (!cpp || *cpp == *text) return;
    DiagnosticBuilder diagnostic = checker
                                       .build(DiagnosticKind::schema_default, range,
                                              "`schema_default` of {} is {}; expected {}, as the default argument says",
                                              Code(parameter.name), Code(*text), Code(*cpp))
                                       .note(parameter.default_argument->range, "default argument written here");
    if (!llvm::StringRef(*cpp).contains('"')) diagnostic.fix(string_replacement(range, *cpp));
    diagnostic.emit();
  };
  for_each_signature(checker, [&](const OperatorRef& ref) {
    for (const Parameter& parameter : ref.declaration().parameters) {
      check_one(parameter, argument_type(parameter, checker.types()));
    }
  });
  for (const DefinedOperator& op : checker.index().defined()) {
    if (op.is_structured() || !is_readable(op.definition.declaration())) continue;
    for (const Parameter& parameter : op.definition.declaration().parameters) {
      check_one(parameter, pointwise_argument_type(op.definition.declaration(), parameter, checker.types()));
    }
  }
}

void check_out_attribute(Checker& checker) {
  for_each_signature(checker, [&](const OperatorRef& ref) {
    const Declaration& declaration = ref.declaration();
    const Attribute* attribute = find_attribute(declaration.attributes, "out");
    auto results = checker.types().results(declaration.result.canonical);
    if (!attribute || ref.role() == Role::meta || !results) return;
    if (!results->empty()) {
      checker
          .build(DiagnosticKind::out_attribute, attribute->range,
                 "`out` on {}, which returns {}; expected `void`, because `out` declares mutable lists, which are not "
                 "returned",
                 Code(declaration.name), declaration.result)
          .note(declaration.result_range, "result declared here")
          .emit();
    } else if (kernel_form(declaration, ref.name, checker.types()).outputs == 0) {
      checker.report(DiagnosticKind::out_attribute, attribute->range,
                     "`out` on {}, whose last parameter is not a mutable list; expected a list marked `alias(\"a!\")`",
                     Code(declaration.name));
    }
  });
}

}  // namespace structured::gen
