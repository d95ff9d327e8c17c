#include "lower/pointwise.h"

#include <utility>

#include "language/dtypes.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

llvm::StringRef dtype_constant(llvm::StringRef dtype) {
  const DtypeName* found = find_dtype(dtype);
  if (!found || found->elements != DtypeName::Elements::plain) return "";
  return found->constant;
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
