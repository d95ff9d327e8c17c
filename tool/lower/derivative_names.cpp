#include "lower/derivative_names.h"

#include <string>
#include <vector>

#include "lower/calling_convention.h"

namespace structured::gen {

DerivativeNames derivative_names(const Operator& op) {
  const Schema& schema = op.variants.front().schema;
  DerivativeNames names;
  for (const Argument* input : inputs_of(schema)) names.inputs.push_back(input->name);
  for (std::size_t i = 0; i < schema.returns.size(); ++i) names.add_output(schema.returns[i].name, i);
  // Emitted kernels of pointwise operators have outputs of any name.
  if (op.structured && !op.pointwise) {
    const std::vector<std::string>& outputs = op.structured->output_names;
    for (std::size_t i = 0; i < outputs.size(); ++i) names.add_output(outputs[i], i);
  }
  names.name_others(schema.returns.size());
  return names;
}

std::optional<std::size_t> find_input(const DerivativeNames& names, llvm::StringRef parameter) {
  const std::vector<DerivativeParameter> meanings = names.meanings(parameter);
  if (meanings.empty() || meanings.front().kind != DerivativeParameter::Kind::input) return std::nullopt;
  return meanings.front().index;
}

}  // namespace structured::gen
