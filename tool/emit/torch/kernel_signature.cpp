#include "emit/torch/kernel_signature.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

CppSignature kernel_signature(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (!wrapper.is_kernel_itself) continue;
    const Function& function = wrapper.kernel->function;
    CppSignature signature{qualified_type(function.result), {}};
    for (const auto& [type, parameter] : llvm::zip_equal(function.parameters, variant.dispatched.parameters)) {
      signature.parameters.push_back({qualified_type(type), parameter.name, ""});
    }
    return signature;
  }
  return variant.dispatched;
}

}  // namespace structured::gen
