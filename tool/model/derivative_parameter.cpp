#include "model/derivative_parameter.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

void DerivativeNames::add_output(llvm::StringRef name, std::size_t index) {
  if (!name.empty()) outputs.push_back({name.str(), index});
}

void DerivativeNames::name_others(std::size_t results) {
  for (std::size_t i = 0; i < results; ++i) {
    const bool is_named = llvm::any_of(outputs, [i](const Output& output) { return output.index == i; });
    if (!is_named) outputs.push_back({results == 1 ? "out" : "out" + std::to_string(i), i});
  }
}

std::vector<DerivativeParameter> DerivativeNames::meanings(llvm::StringRef name) const {
  using Kind = DerivativeParameter::Kind;
  std::vector<DerivativeParameter> found;
  const auto add = [&](const DerivativeParameter& parameter) {
    if (!llvm::is_contained(found, parameter)) found.push_back(parameter);
  };
  const auto add_inputs = [&](llvm::StringRef input, Kind kind, TensorProperty property) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == input) add({kind, i, property});
    }
  };
  const auto add_outputs = [&](llvm::StringRef output, Kind kind) {
    if (kind == Kind::gradient && llvm::is_contained(without_gradient, output)) return;
    for (const Output& each : outputs) {
      if (each.name == output) add({kind, each.index});
    }
  };
  if (name == "grad") add({Kind::gradient, 0});
  if (name == "needs_gradient") add({Kind::needs_gradient, 0});
  if (llvm::StringRef output = name; output.consume_front("grad_")) add_outputs(output, Kind::gradient);
  add_inputs(name, Kind::input, TensorProperty::sizes);
  add_outputs(name, Kind::output);
  if (const auto split = split_property_name(name)) add_inputs(split->tensor, Kind::property, split->property);
  if (!found.empty()) return found;
  llvm::StringRef rest = name;
  if (rest.consume_front("input_")) {
    add_inputs(rest, Kind::input, TensorProperty::sizes);
  } else if (rest.consume_front("result_")) {
    add_outputs(rest, Kind::output);
  } else if (rest.consume_front("grad_result_")) {
    add_outputs(rest, Kind::gradient);
  }
  return found;
}

std::string DerivativeNames::unambiguous_name(const DerivativeParameter& parameter) const {
  using Kind = DerivativeParameter::Kind;
  std::vector<std::string> candidates;
  switch (parameter.kind) {
    case Kind::needs_gradient:
      candidates = {"needs_gradient"};
      break;
    case Kind::input:
      candidates = {inputs[parameter.index], "input_" + inputs[parameter.index]};
      break;
    case Kind::property:
      break;  // the function can take the tensor
    case Kind::gradient:
    case Kind::output: {
      const std::string prefix = parameter.kind == Kind::gradient ? "grad_" : "";
      if (parameter == DerivativeParameter{Kind::gradient, 0}) candidates.emplace_back("grad");
      for (const std::string& form : {prefix, prefix + "result_"}) {
        for (const Output& output : outputs) {
          if (output.index == parameter.index) candidates.push_back(form + output.name);
        }
      }
      break;
    }
  }
  for (const std::string& candidate : candidates) {
    if (meanings(candidate) == std::vector{parameter}) return candidate;
  }
  return "";
}

std::vector<std::string> DerivativeNames::known() const {
  std::vector<std::string> names{"grad"};
  for (const Output& output : outputs) {
    if (!llvm::is_contained(without_gradient, output.name)) names.push_back("grad_" + output.name);
  }
  llvm::append_range(names, inputs);
  for (const Output& output : outputs) names.push_back(output.name);
  return names;
}

}  // namespace structured::gen
