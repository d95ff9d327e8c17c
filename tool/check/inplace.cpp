// In-place variants: they modify and return their first argument, `self`.
#include "check/impl_alignment.h"
#include "check/rules.h"
#include "check/text.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

/// Whether the definition's first input can be modified in place. Another rule reports a type without a schema type.
bool starts_with_self(const Checker& checker, const OperatorRef& definition, const Parameter& first) {
  if (first.name != "self") return false;
  if (definition.role() == Role::pointwise) {
    auto role = pointwise_role(definition.declaration(), first, checker.types());
    return !role || *role == Pointwise::Role::element;
  }
  auto type = argument_type(first, checker.types());
  return !type || type->is(Type::Base::Tensor);
}

/// "`relu_` is in-place, because its name ends in `_`,"
Phrase inplace_subject(const OperatorName& name) {
  return name.is_dunder() ? phrase("{} is in-place, because its name has the form `__i...__`,", name)
                          : phrase("{} is in-place, because its name ends in `_`,", name);
}

Phrase other_name(const OperatorName& name) {
  return Phrase(name.is_dunder() ? "another name" : "a name that does not end in `_`");
}

void check_definition(Checker& checker, const DefinedOperator& op) {
  const NamedVariant* inplace = op.find(Variant::Kind::inplace);
  if (!inplace || !is_readable(op.definition.declaration())) return;
  llvm::ArrayRef<Parameter> inputs = input_parameters(op.definition, checker.types());
  if (!inputs.empty() && starts_with_self(checker, op.definition, inputs.front())) return;
  const Phrase found = inputs.empty() ? Phrase("there is no argument")
                                      : phrase("the first argument is {}",
                                               Code(inputs.front().type.written + " " + inputs.front().name));
  DiagnosticBuilder diagnostic = checker.build(
      DiagnosticKind::inplace_self, inplace->written->range,
      "variant {} and there is no tensor `self`: {}; expected a tensor `self` first, or no in-place variant",
      inplace_subject(inplace->name), found);
  if (!inputs.empty()) diagnostic.note(inputs.front().range, "first argument declared here");
  diagnostic.emit();
}

void check_kernel(Checker& checker, const OperatorRef& ref) {
  const Declaration& declaration = ref.declaration();
  if (!ref.name.is_inplace() || !is_readable(declaration)) return;
  const Phrase subject = inplace_subject(ref.name);
  if (declaration.parameters.empty()) {
    checker.report(DiagnosticKind::inplace_self, declaration.parameters_range,
                   "{} and has no arguments; expected a mutable tensor `self` first, or {}", subject,
                   other_name(ref.name));
    return;
  }
  const Parameter& first = declaration.parameters.front();
  auto type = argument_type(first, checker.types());
  if (!type) return;
  if (!type->is_tensor_like() || type->is_optional()) {
    checker.report(DiagnosticKind::inplace_self, first.type_range,
                   "{} and takes {} first; expected a mutable tensor `self`, or {}", subject,
                   Code(first.type.written + " " + first.name), other_name(ref.name));
  } else if (!is_mutable(first, checker.types())) {
    std::string expected =
        type->is_list() ? "[[structured::alias(\"a!\")]] " + first.type.written : without_const(first.type.written);
    checker
        .build(DiagnosticKind::inplace_self, first.type_range,
               "{} and takes its first argument as immutable {}; expected {}, or {}", subject, first.type,
               Code(expected), other_name(ref.name))
        .fix(retyped(first, expected))
        .emit();
  } else if (!first.name.empty() && first.name != "self") {
    checker
        .build(DiagnosticKind::inplace_self, first.name_range,
               "{} and names its first argument {}; expected `self`, or {}", subject, Code(first.name),
               other_name(ref.name))
        .fix(renamed(declaration, first, "self"))
        .emit();
  }
}

/// Whether the kernel has the form of an in-place variant, `Tensor& f(Tensor& self)`, and a name that is not in-place.
bool returns_self(const Checker& checker, const OperatorRef& ref) {
  const Declaration& declaration = ref.declaration();
  if (ref.name.is_inplace() || !is_readable(declaration) || declaration.parameters.size() != 1) return false;
  llvm::StringRef overload = ref.name.overload;
  bool is_named_out = overload == "out" || overload.ends_with("_out");
  const Parameter& self = declaration.parameters.front();
  return !is_named_out && self.name == "self" && is_mutable_tensor(self, checker.types()) &&
         kernel_form(declaration, ref.name, checker.types()).outputs == 1;
}

std::size_t count_outputs(const Checker& checker, const DefinedOperator& op) {
  const Declaration& meta = op.definition.declaration();
  for (const OperatorRef& impl : op.impls) {
    if (!is_readable(impl.declaration()) || !is_comparable(meta, checker.types())) continue;
    std::size_t first = align_impl(impl.declaration(), meta, checker.types()).first_output;
    return impl.declaration().parameters.size() - first;
  }
  const OperatorName& functional = op.definition.name;
  return result_names(read_result_names(op.definition, checker.index()), functional).size();
}

}  // namespace

void check_inplace_self(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) check_definition(checker, op);
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) check_kernel(checker, ref);
  }
}

void check_underscores(Checker& checker) {
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) {
      if (ref.found.is_imported || !returns_self(checker, ref)) continue;
      const SourceRange& written = ref.attribute->arguments.front().range;
      std::string expected = to_string(ref.name.inplace());
      checker
          .build(DiagnosticKind::missing_underscore, written,
                 "kernel for {} modifies and returns `self`, so its only argument is an out argument; expected the "
                 "in-place name {}",
                 ref.name, Code(expected))
          .note(ref.declaration().parameters.front().range, "`self` declared here")
          .fix(string_replacement(written, expected))
          .emit();
    }
  }
}

void check_inplace_outputs(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const NamedVariant* inplace = op.find(Variant::Kind::inplace);
    if (!inplace || !op.is_structured() || !is_readable(op.definition.declaration())) continue;
    std::size_t outputs = count_outputs(checker, op);
    if (outputs < 2) continue;
    DiagnosticBuilder diagnostic =
        checker.build(DiagnosticKind::inplace_outputs, inplace->written->range,
                      "variant {} and the operator has {}; expected one output, because only `self` is mutable",
                      inplace_subject(inplace->name), Count{outputs, "output"});
    if (!op.impls.empty()) {
      diagnostic.note(op.impls.front().declaration().parameters_range, "outputs declared here");
    }
    diagnostic.emit();
  }
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) {
      const Declaration& declaration = ref.declaration();
      auto results = checker.types().results(declaration.result.canonical);
      if (!ref.name.is_inplace() || !results || results->size() < 2) continue;
      if (!checker.types().result_is_reference(declaration.result.canonical)) continue;
      checker.report(DiagnosticKind::inplace_outputs, declaration.result_range,
                     "{} and returns {}; expected one mutable tensor, `self`, or {}", inplace_subject(ref.name),
                     declaration.result, other_name(ref.name));
    }
  }
}

}  // namespace structured::gen
