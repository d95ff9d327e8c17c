#include "lower/pointwise.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace structured::gen {

llvm::StringRef dtype_constant(llvm::StringRef dtype) {
  return llvm::StringSwitch<llvm::StringRef>(dtype)
      .Case("all", "kAllTypes")
      .Case("floating", "kAllFloatingTypes")
      .Case("integral", "kIntegralTypes")
      .Case("complex", "kAllComplexTypes")
      .Case("bool", "kBool")
      .Cases("uint8", "byte", "kByte")
      .Cases("int8", "char", "kChar")
      .Cases("int16", "short", "kShort")
      .Cases("int32", "int", "kInt")
      .Cases("int64", "long", "kLong")
      .Cases("float16", "half", "kHalf")
      .Case("bfloat16", "kBFloat16")
      .Cases("float32", "float", "kFloat")
      .Cases("float64", "double", "kDouble")
      .Cases("complex32", "complex_half", "kComplexHalf")
      .Cases("complex64", "complex_float", "kComplexFloat")
      .Cases("complex128", "complex_double", "kComplexDouble")
      .Default("");
}

std::string fault_in_pointwise(const Operator& op) {
  const Pointwise& pointwise = *op.pointwise;
  for (const std::string& dtype : pointwise.dtypes) {
    if (dtype_constant(dtype).empty()) {
      return "is for dtype `" + dtype + "`, for which there are no elementwise loops";
    }
  }
  return "";
}

Operator lowered_pointwise(const Operator& op, const std::string& meta_name, const std::string& cpu_name) {
  Operator result = op;
  result.checks_device = false;  // the iterator does it, and knows of numbers on the host
  Function function;
  function.result = "void";
  function.source = op.pointwise->function.source;
  function.range = op.pointwise->function.range;
  function.parameters.push_back("structured::TensorIteratorBase &");
  llvm::append_range(function.parameters, op.variants.front().input_types);
  StructuredParts parts;
  parts.base = {"structured::TensorIteratorBase", "structured/iterator/tensor_iterator.h"};
  parts.meta = function;
  parts.meta.name = meta_name;
  parts.output_names = {"out"};
  for (const Variant& variant : op.variants) {
    if (variant.kind == Variant::Kind::out && !variant.schema.out.empty()) {
      parts.output_names = {variant.schema.out.front().name};
    }
  }
  Kernel kernel;
  kernel.backend = "CPU";
  kernel.takes_base = true;
  kernel.function = std::move(function);
  kernel.function.name = cpu_name;
  kernel.function.parameters.push_back("const structured::Tensor &");
  parts.impls.push_back(std::move(kernel));
  result.structured = std::move(parts);
  return result;
}

}  // namespace structured::gen
