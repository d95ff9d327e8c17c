// Outputs and backends of unstructured kernels.
#include "check/rules.h"
#include "check/text.h"
#include "llvm/ADT/STLExtras.h"
#include "model/kernel_form.h"
#include "model/parameter.h"

namespace structured::gen {
namespace {

/// A kernel that returns references returns its last parameters, which must be mutable tensors.
void check_outputs(Checker& checker, const OperatorRef& ref) {
  const Declaration& declaration = ref.declaration();
  const TypeTable& types = checker.types();
  if (!is_readable(declaration) || !types.result_is_reference(declaration.result.canonical)) return;
  if (ref.name.is_inplace()) return;  // checked by the rules for in-place variants
  KernelForm form = kernel_form(declaration, ref.name, types);
  llvm::ArrayRef<Parameter> parameters = declaration.parameters;
  std::string subject = "kernel for " + code(to_string(ref.name)) + " returns " + code(declaration.result.written);
  if (form.outputs > parameters.size()) {
    checker.report(DiagnosticKind::kernel_outputs, declaration.result_range,
                   subject + " and has " + count_of(parameters.size(), "parameter") + "; expected " +
                       count_of(form.outputs, "output") + " as its last parameters");
    return;
  }
  for (const Parameter& output : parameters.take_back(form.outputs)) {
    if (is_mutable_tensor(output, types)) continue;
    auto classified = types.argument(output.type.canonical);
    bool is_tensor = classified && classified->type.is(Type::Base::Tensor);
    std::string expected = is_tensor ? without_const(output.type.written) : (types.tensor() + "&").str();
    const Parameter& first = parameters.front();
    bool may_be_inplace = form.outputs == 1 && first.name == "self" && is_mutable_tensor(first, types);
    Diagnostic& diagnostic =
        checker.report(DiagnosticKind::kernel_outputs, output.type_range,
                       subject + ", so that " + code(output.name) + " is an output, and is " +
                           code(output.type.written) + "; expected " + code(expected) +
                           (may_be_inplace ? ", or the in-place name " + code(to_string(ref.name.inplace()))
                                           : ", or a result by value"));
    diagnostic.notes.push_back({"result declared here", declaration.result_range});
    if (is_tensor) diagnostic.fixits.push_back(retyped(output, expected));
  }
}

/// Composite kernels also serve the Meta backend, through the operators that they call.
bool serves_meta(llvm::StringRef backend) { return backend == "Meta" || is_composite_backend(backend); }

}  // namespace

void check_kernel_outputs(Checker& checker) {
  for (const PlainOperator& op : checker.index().plain()) {
    for (const OperatorRef& ref : op.kernels) check_outputs(checker, ref);
  }
}

void check_meta_kernels(Checker& checker) {
  if (!checker.sees_everything()) return;
  for (const PlainOperator& op : checker.index().plain()) {
    if (llvm::any_of(op.kernels, [](const OperatorRef& ref) { return llvm::any_of(ref.backends(), serves_meta); }))
      continue;
    const OperatorRef& first = op.kernels.front();
    if (first.backends().empty()) continue;  // reported by another rule
    checker.report(DiagnosticKind::no_meta_kernel, first.attribute->arguments.front().range,
                   code(to_string(op.name)) +
                       " has no kernel for `Meta`, so its shapes cannot be computed without data; "
                       "add `Meta` to a kernel's backends, or write a kernel for it");
  }
}

}  // namespace structured::gen
