#include "lower/requirements.h"

#include "lower/calling_convention.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

std::vector<std::string> argument_names(const Schema& schema, llvm::function_ref<bool(const Argument&)> is_wanted) {
  std::vector<std::string> names;
  for (const Argument* argument : arguments_of(schema)) {
    if (is_wanted(*argument)) {
      names.push_back(argument->name);
    }
  }
  return names;
}

std::vector<std::string> WrapperDuties::tensors() const {
  return argument_names(schema(), [](const Argument& a) { return a.type.is_tensor_like(); });
}

bool WrapperDuties::check_devices() const {
  const bool has_lists =
      !argument_names(schema(), [](const Argument& a) { return a.type.is_tensor_like() && a.type.is_list(); }).empty();
  return wrapper_.backend && planned().op->checks_device && (tensors().size() > 1 || has_lists);
}

std::vector<std::string> WrapperDuties::device_arguments() const {
  if (!wrapper_.backend || !wrapper_.backend->has_devices) {
    return {};
  }
  const std::vector<std::string> found = tensors();
  return found.empty() ? argument_names(schema(), [](const Argument& a) { return a.type.base == Type::Base::Device; })
                       : found;
}

bool WrapperDuties::only_call_kernel() const {
  return wrapper_.kernel != nullptr && !check_devices() && !choose_device() && !wrapper_.bumps_versions;
}

bool can_be_entry(const Plan& plan, const PlannedWrapper& wrapper) {
  if (!WrapperDuties(plan, wrapper).only_call_kernel()) {
    return false;
  }
  const Function& function = wrapper.kernel->function;
  const CppSignature& signature = plan.variant_of(wrapper).dispatched;
  const auto is_same = [&](const std::string& written, const std::string& spelled) {
    return qualified_type(written) == plan.cpp_types->canonical(spelled);
  };
  return is_same(function.result, signature.result) && llvm::equal(function.parameters, signature.types(), is_same);
}

}  // namespace structured::gen
