#include "model/kernel_form.h"

#include "model/annotation.h"
#include "model/parameter.h"

namespace structured::gen {
namespace {

/// Returns the number of mutable lists at the end of the parameters.
std::size_t trailing_written_lists(const Declaration& declaration, const TypeTable& types) {
  std::size_t count = 0;
  for (auto parameter = declaration.parameters.rbegin(); parameter != declaration.parameters.rend(); ++parameter) {
    auto classified = types.argument(parameter->type.canonical);
    if (!classified || !classified->type.is_list() || !is_mutable(*parameter, types)) break;
    ++count;
  }
  return count;
}

}  // namespace

KernelForm kernel_form(const Declaration& declaration, const OperatorName& name, const TypeTable& types) {
  auto results = types.results(declaration.result.canonical);
  if (results && types.result_is_reference(declaration.result.canonical)) {
    bool starts_written = !declaration.parameters.empty() && is_mutable_tensor(declaration.parameters.front(), types);
    if (results->size() == 1 && starts_written && name.is_inplace()) return {KernelForm::Result::self, 0};
    return {KernelForm::Result::outputs, results->size()};
  }
  if (has_attribute(declaration.attributes, "out")) {
    return {KernelForm::Result::outputs, trailing_written_lists(declaration, types)};
  }
  return {};
}

}  // namespace structured::gen
