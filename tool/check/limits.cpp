// Limits of runtimes: roles that a runtime lacks, and operators whose derivatives it cannot record.
#include "check/rules.h"
#include "dialect/dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "model/kernel_form.h"
#include "model/parameter.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

template <typename... Values>
void report_form(Checker& checker, const OperatorRef& backward, const OperatorRef& definition,
                 FormatFor<OperatorName, Values...> format, const Values&... values) {
  checker
      .build<OperatorName, Values...>(DiagnosticKind::derivative_form, backward.attribute->range, format, backward.name,
                                      values...)
      .note(definition.declaration().name_range, "the operator is declared here")
      .emit();
}

/// Reports derivatives of lists that the runtime does not record.
void check_lists(Checker& checker, const OperatorRef& definition, llvm::ArrayRef<OperatorRef> backwards) {
  const OperatorRef* first = nullptr;
  std::string first_list;
  for (const OperatorRef& backward : backwards) {
    const std::vector<std::string> inputs = gradients_of(backward, definition, checker.types());
    for (const Parameter& parameter : input_parameters(definition, checker.types())) {
      auto type = argument_type(parameter, checker.types());
      const bool is_input = llvm::is_contained(inputs, parameter.name);
      if (!is_input || !type || llvm::none_of(type->wrappers, [](const Type::Wrapper& wrapper) {
            return wrapper.kind == Type::Wrapper::Kind::list;
          })) {
        continue;
      }
      if (type->is_optional()) {
        report_form(
            checker, backward, definition,
            "`backward` for {} has the gradient of {}, an optional list; expected a list, or the names of other "
            "inputs in `backward`",
            Code(parameter.name));
      } else if (first) {
        report_form(checker, backward, definition,
                    "`backward` for {} has the gradient of a second list, {} beside {}; expected the gradient of one "
                    "list, or one list with all tensors",
                    Code(parameter.name), Code(first_list));
      } else {
        first = &backward;
        first_list = parameter.name;
      }
    }
  }
}

void check_results(Checker& checker, const PlainOperator& op) {
  const OperatorRef& kernel = op.kernels.front();
  auto results = checker.types().results(kernel.declaration().result.canonical);
  if (!results) return;
  const bool has_list = llvm::any_of(*results, [](const Type& type) { return type.is_list(); });
  for (const OperatorRef& backward : op.backwards) {
    if (has_list && results->size() > 1) {
      report_form(checker, backward, kernel,
                  "`backward` for {} is for an operator that returns a list of tensors beside other results; expected "
                  "a list alone, or "
                  "tensors alone");
    } else if (results->empty() && op.name.is_inplace()) {
      report_form(checker, backward, kernel,
                  "`backward` for {} is for an in-place operator that returns nothing; expected an operator that "
                  "returns `self`, or a "
                  "functional one");
    }
  }
}

}  // namespace

void check_reserved_namespaces(Checker& checker) {
  constexpr llvm::StringLiteral reserved[] = {"aten", "prim", "prims"};
  if (!checker.types().has_torch_schemas() || !checker.options().cpp_types) return;
  auto check = [&](const OperatorRef& ref) {
    if (ref.found.is_imported || !llvm::is_contained(reserved, ref.name.ns)) return;
    checker.report(DiagnosticKind::operator_name, ref.attribute->arguments.front().range,
                   "{} is in the namespace {} of PyTorch, which defines its operators already; expected a namespace of "
                   "your own, or `IMPORTS aten` to add kernels to PyTorch's operators",
                   ref.name, Code(ref.name.ns));
  };
  for (const DefinedOperator& op : checker.index().defined()) check(op.definition);
  for (const PlainOperator& op : checker.index().plain()) {
    if (!op.is_imported()) llvm::for_each(op.kernels, check);
  }
}

void check_derivative_forms(Checker& checker) {
  if (!checker.types().has_gradients()) return;
  auto check = [&](const OperatorRef& definition, llvm::ArrayRef<OperatorRef> backwards) {
    if (checker.types().has_list_gradients() || definition.found.is_imported) return;
    if (is_readable(definition.declaration())) check_lists(checker, definition, backwards);
  };
  for (const DefinedOperator& op : checker.index().defined()) check(op.definition, op.backwards);
  for (const PlainOperator& op : checker.index().plain()) {
    check(op.kernels.front(), op.backwards);
    if (!op.is_imported() && is_readable(op.kernels.front().declaration())) check_results(checker, op);
  }
}

}  // namespace structured::gen
