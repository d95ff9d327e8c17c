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
std::string inplace_subject(const OperatorName& name) {
  const char* reason = name.is_dunder() ? "has the form `__i...__`" : "ends in `_`";
  return code(to_string(name)) + " is in-place, because its name " + reason + ",";
}

std::string other_name(const OperatorName& name) {
  return name.is_dunder() ? ", or another name" : ", or a name that does not end in `_`";
}

void check_definition(Checker& checker, const DefinedOperator& op) {
  const NamedVariant* inplace = op.find(Variant::Kind::inplace);
  if (!inplace || !is_readable(op.definition.declaration())) return;
  llvm::ArrayRef<Parameter> inputs = input_parameters(op.definition, checker.types());
  if (!inputs.empty() && starts_with_self(checker, op.definition, inputs.front())) return;
  std::string found = inputs.empty()
                          ? "there is no argument"
                          : "the first argument is " + code(inputs.front().type.written + " " + inputs.front().name);
  Diagnostic& diagnostic =
      checker.report(DiagnosticKind::inplace_self, inplace->written->range,
                     "variant " + inplace_subject(inplace->name) + " and there is no tensor `self`: " + found +
                         "; expected a tensor `self` first, or no in-place variant");
  if (!inputs.empty()) diagnostic.notes.push_back({"first argument declared here", inputs.front().range});
}

void check_kernel(Checker& checker, const OperatorRef& ref) {
  const Declaration& declaration = ref.declaration();
  if (!ref.name.is_inplace() || !is_readable(declaration)) return;
  std::string subject = inplace_subject(ref.name);
  if (declaration.parameters.empty()) {
    checker.report(DiagnosticKind::inplace_self, declaration.parameters_range,
                   subject + " and has no arguments; expected a mutable tensor `self` first" + other_name(ref.name));
    return;
  }
  const Parameter& first = declaration.parameters.front();
  auto type = argument_type(first, checker.types());
  if (!type) return;
  if (!type->is_tensor_like() || type->is_optional()) {
    checker.report(DiagnosticKind::inplace_self, first.type_range,
                   subject + " and takes " + code(first.type.written + " " + first.name) +
                       " first; expected a mutable tensor `self`" + other_name(ref.name));
  } else if (!is_mutable(first, checker.types())) {
    std::string expected =
        type->is_list() ? "[[structured::alias(\"a!\")]] " + first.type.written : without_const(first.type.written);
    Diagnostic& diagnostic =
        checker.report(DiagnosticKind::inplace_self, first.type_range,
                       subject + " and takes its first argument as immutable " + code(first.type.written) +
                           "; expected " + code(expected) + other_name(ref.name));
    diagnostic.fixits.push_back(retyped(first, expected));
  } else if (!first.name.empty() && first.name != "self") {
    Diagnostic& diagnostic = checker.report(
        DiagnosticKind::inplace_self, first.name_range,
        subject + " and names its first argument " + code(first.name) + "; expected `self`" + other_name(ref.name));
    if (!declaration.is_definition) diagnostic.fixits.push_back({first.name_range, "self"});
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
      Diagnostic& diagnostic = checker.report(
          DiagnosticKind::missing_underscore, written,
          "kernel for " + code(to_string(ref.name)) +
              " modifies and returns `self`, so its only argument is an out argument; expected the in-place name " +
              code(expected));
      diagnostic.notes.push_back({"`self` declared here", ref.declaration().parameters.front().range});
      diagnostic.fixits.push_back({written, "\"" + expected + "\""});
    }
  }
}

void check_inplace_outputs(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const NamedVariant* inplace = op.find(Variant::Kind::inplace);
    if (!inplace || !op.is_structured() || !is_readable(op.definition.declaration())) continue;
    std::size_t outputs = count_outputs(checker, op);
    if (outputs < 2) continue;
    Diagnostic& diagnostic =
        checker.report(DiagnosticKind::inplace_outputs, inplace->written->range,
                       "variant " + inplace_subject(inplace->name) + " and the operator has " +
                           count_of(outputs, "output") + "; expected one output, because only `self` is mutable");
    if (!op.impls.empty()) {
      diagnostic.notes.push_back({"outputs declared here", op.impls.front().declaration().parameters_range});
    }
  }
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) {
      const Declaration& declaration = ref.declaration();
      auto results = checker.types().results(declaration.result.canonical);
      if (!ref.name.is_inplace() || !results || results->size() < 2) continue;
      if (!checker.types().result_is_reference(declaration.result.canonical)) continue;
      checker.report(DiagnosticKind::inplace_outputs, declaration.result_range,
                     inplace_subject(ref.name) + " and returns " + code(declaration.result.written) +
                         "; expected one mutable tensor, `self`" + other_name(ref.name));
    }
  }
}

}  // namespace structured::gen
