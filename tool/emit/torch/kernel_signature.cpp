#include "emit/torch/kernel_signature.h"

#include <string>

#include "emit/torch/function_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {

CppSignature wrapper_signature(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  if (!wrapper.is_kernel_itself) return signature_of(*wrapper.find(WrapperPart::call));
  const CppSignature& dispatched = lowered.variant_of(wrapper).dispatched;
  const Function& function = wrapper.kernel->function;
  CppSignature signature{qualified_type(function.result), {}};
  for (const auto& [type, parameter] : llvm::zip_equal(function.parameters, dispatched.parameters)) {
    signature.parameters.push_back({qualified_type(type), parameter.name, ""});
  }
  return signature;
}

CppSignature kernel_signature(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  std::optional<CppSignature> signature;
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (wrapper.kernel == nullptr) continue;
    CppSignature own = wrapper_signature(lowered, wrapper);
    if (!signature) {
      signature = std::move(own);
      continue;
    }
    for (auto&& [parameter, other] : llvm::zip_equal(signature->parameters, own.parameters)) {
      if (llvm::StringRef(other.type).contains("c10::SymInt")) parameter.type = other.type;
    }
  }
  return signature ? *signature : variant.dispatched;
}

std::string function_type(const CppSignature& signature) {
  return signature.result + "(" + llvm::join(signature.types(), ", ") + ")";
}

}  // namespace structured::gen
