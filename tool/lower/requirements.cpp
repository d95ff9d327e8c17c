#include "lower/requirements.h"

#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {

Positions Requirements::positions(llvm::function_ref<bool(const Argument&)> is_wanted) const {
  Positions result;
  for (const auto& [position, argument] :
       llvm::enumerate(arguments_of(lowered_.variant_of(wrapper_).derived->schema))) {
    if (is_wanted(*argument)) {
      result.push_back(position);
    }
  }
  return result;
}

Positions Requirements::tensors() const {
  return positions([](const Argument& argument) { return argument.type.is_tensor_like(); });
}

Positions Requirements::mutable_arguments() const {
  return positions([](const Argument& argument) { return argument.is_mutable(); });
}

bool Requirements::must_check_devices() const {
  const bool has_lists = !positions([](const Argument& argument) {
                            return argument.type.is_tensor_like() && argument.type.is_list();
                          }).empty();
  const bool is_checked_backend =
      wrapper_.backend && (wrapper_.backend->has_devices || lowered_.cpp_types->wrapper_traits().checks_on_hosts);
  return is_checked_backend && lowered_.variant_of(wrapper_).op->checks_device && (tensors().size() > 1 || has_lists);
}

Positions Requirements::device_arguments() const {
  if (!wrapper_.backend || !wrapper_.backend->has_devices) {
    return {};
  }
  Positions found = tensors();
  return found.empty() ? positions([](const Argument& argument) { return argument.type.base == Type::Base::Device; })
                       : found;
}

bool Requirements::only_call_kernel() const {
  return wrapper_.kernel != nullptr && !must_check_devices() && !must_guard_device() && !wrapper_.bumps_versions;
}

bool is_directly_callable(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  if (!Requirements(lowered, wrapper).only_call_kernel()) {
    return false;
  }
  const Function& function = wrapper.kernel->function;
  const CppSignature& signature = lowered.variant_of(wrapper).dispatched;
  const auto is_same = [&](const std::string& written, const std::string& spelled) {
    return lowered.cpp_types->canonical(qualified_type(written)) == lowered.cpp_types->canonical(spelled);
  };
  return is_same(function.result, signature.result) && llvm::equal(function.parameters, signature.types(), is_same);
}

}  // namespace structured::gen
