#include "attribute_help.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::lsp {

llvm::ArrayRef<AttributeHelp> attribute_help() {
  static constexpr AttributeHelp table[] = {
      {"meta", "meta(\"add\", \"add_\", \"add.out\")",
       "The shape function of a structured operator. Its arguments name the variants, the functional one first."},
      {"impl", "impl(\"add.out\", \"CPU\", ...)",
       "The computation of a structured operator's variants on these backends: meta's inputs, then the outputs."},
      {"kernel", "kernel(\"view\", \"CPU\", ...)",
       "A function that does a whole call by itself on these backends. Its signature is the schema."},
      {"composite", "composite(\"linear\")", "A kernel for every backend, written in terms of other operators."},
      {"pointwise", "pointwise(\"exp\", \"exp_\", \"exp.out\")",
       "A scalar function template that is a whole operator: it is applied to each element."},
      {"backward", "backward(\"mul.Tensor\")",
       "The derivative. Its parameters are found by name: `grad`, inputs and outputs."},
      {"returns", "returns(\"values\", \"indices\")", "Names of the results."},
      {"out", "out", "The trailing written lists of this kernel are its outputs.", false},
      {"method", "method", "The operator is a method of Tensor in Python.", false},
      {"no_cpp_default", "no_cpp_default(\"argument\")",
       "The C++ functions get no default arguments, or none for this argument; the schema keeps them."},
      {"dtypes", "dtypes(\"CPU\", \"floating\", ...)", "Which dtypes a kernel covers on a backend."},
      {"tags", "tags(\"core\", ...)", "Free tags, which operators.json and documentation carry."},
      {"device_check", "device_check(false)", "The operator's tensors may be on several devices."},
      {"promote", "promote(\"default\")", "How a pointwise operator's dtype follows from those of its inputs."},
      {"kwonly", "kwonly", "This argument and those behind it are given by keyword.", false},
      {"size", "size(2)", "A list of that length, which a single number may stand for."},
      {"symint", "symint", "The schema type is SymInt: the value may be symbolic.", false},
      {"alias", "alias(\"a\")", "A result is a view of this argument."},
      {"schema_default", "schema_default(\"1\")", "The schema's default, where C++ cannot have one."},
      {"scalar", "scalar", "This parameter of a pointwise function is a Scalar, the same for all elements.", false},
      {"tensor", "tensor", "This `bool` of a pointwise function is an element of a boolean tensor.", false},
  };
  return table;
}

const AttributeHelp* find_help(llvm::StringRef name) {
  const auto* found = llvm::find_if(attribute_help(), [&](const AttributeHelp& help) { return help.name == name; });
  return found == attribute_help().end() ? nullptr : found;
}

}  // namespace structured::lsp
