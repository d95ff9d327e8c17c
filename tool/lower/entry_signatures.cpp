#include "lower/entry_signatures.h"

#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {

CppSignature entry_signature(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) {
  CppSignature signature = lowered.variant_of(wrapper).dispatched;
  const auto set_types = [&](const std::string& result, const std::vector<std::string>& parameters) {
    signature.result = result;
    for (auto [parameter, type] : llvm::zip_equal(signature.parameters, parameters)) parameter.type = type;
  };
  if (const LoweredFunction* call = wrapper.find(WrapperPart::call)) {
    set_types(call->body.type.result, call->body.type.parameters);
  } else if (wrapper.entry == LoweredWrapper::Entry::kernel) {
    const Function& function = wrapper.kernel->function;
    std::vector<std::string> types;
    for (const std::string& type : function.parameters) types.push_back(qualified_type(type));
    set_types(qualified_type(function.result), types);
  }
  return signature;
}

CppSignature called_signature(const LoweredLibrary& lowered, const LoweredVariant& variant) {
  std::optional<CppSignature> signature;
  for (const std::size_t index : variant.wrappers) {
    const LoweredWrapper& wrapper = lowered.wrappers[index];
    if (wrapper.kernel == nullptr) continue;
    if (!signature) {
      signature = wrapper.signature;
      continue;
    }
    for (auto [parameter, other] : llvm::zip_equal(signature->parameters, wrapper.signature.parameters)) {
      if (lowered.cpp_types->author_type(other.type).is_symbolic) parameter.type = other.type;
    }
  }
  if (!signature) signature = variant.dispatched;
  if (variant.symbolic.empty()) return *signature;
  for (auto [parameter, argument] : llvm::zip_equal(signature->parameters, arguments_of(variant.derived->schema))) {
    if (const auto type = lowered.cpp_types->symbolic(argument->type)) parameter.type = *type;
  }
  return *signature;
}

}  // namespace structured::gen
