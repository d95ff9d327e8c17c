#include "emit/torch/function_text.h"

#include <vector>

#include "emit/cpp/source_text.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {

StepSet torch_steps() {
  return StepSet::of<CheckDevices, GuardDevice, MakeAdaptor, CheckOverlap, CallMeta, CallImpl, CallKernel, Finish,
                     ReturnOutputs, ReturnParameters, ReturnKept>();
}

std::string torch_dtype_set(llvm::ArrayRef<const DtypeName*> dtypes, llvm::StringRef scope) {
  std::vector<std::string> constants;
  for (const DtypeName* dtype : dtypes) constants.push_back((scope + dtype->constant).str());
  return llvm::join(constants, " | ");
}

std::vector<std::string> symbolic_arguments(const LoweredVariant& variant, llvm::StringRef scope) {
  static constexpr llvm::StringLiteral kinds[] = {"functional", "inplace", "out"};
  return {string_literal(variant.symbolic),
          (scope + "Variant::" + kinds[static_cast<std::size_t>(variant.derived->kind)]).str()};
}

void declare_torch_function(Writer& writer, const LoweredFunction& function) {
  const CppSignature signature = signature_of(function);
  writer.list(signature.result + " " + function.name + "(", signature.declared(), ");");
}

void write_torch_function(Writer& writer, const TorchSupport& support, const LoweredFunction& function) {
  const StepWriter steps(writer, support.steps, function.body, signature_of(function),
                         with_name_literal(function.callees));
  writer.blank();
  writer.comment("//", function.comment);
  const Writer::Scope scope =
      writer.block(steps.signature().result + " " + function.name + "(", steps.signature().declared(), ") {");
  steps.write(function.body.steps);
}

}  // namespace structured::gen
