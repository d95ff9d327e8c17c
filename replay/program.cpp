#include "program.h"

#include <structured/autograd/forward_mode.h>
#include <structured/autograd/gradient.h>
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/find_operator.h>
#include <structured/ops/clone.h>

#include <exception>
#include <functional>
#include <optional>

#include "case.h"
#include "compare.h"

namespace structured::replay {
namespace {

using nlohmann::json;

// A list of the program; empty if it has none of that name.
const json& list_of(const json& object, const char* name) {
  static const json empty = json::array();
  if (!object.contains(name)) return empty;
  if (!object[name].is_array()) throw MalformedCase(std::string("expected a list as `") + name + "`");
  return object[name];
}

// Undefined for null.
std::vector<Tensor> tensors_of(const json& list) {
  std::vector<Tensor> tensors;
  for (const json& element : list) tensors.push_back(element.is_null() ? Tensor() : tensor_from(element));
  return tensors;
}

struct Step {
  const OperatorHandle* op;
  Case call;
};

// The steps; nullopt if an operator is unknown.
std::optional<std::vector<Step>> steps_of(const json& program) {
  std::vector<Step> steps;
  for (const json& step : list_of(program, "steps")) {
    Case call;
    try {
      call.op = step.at("op").get<std::string>();
      call.overload = step.at("overload").get<std::string>();
      call.args = step.at("args");
      call.kwargs = step.at("kwargs");
    } catch (const json::exception&) {
      throw MalformedCase("expected `op`, `overload`, `args` and `kwargs` in each step");
    }
    const OperatorHandle* const op = find_operator(call.full_name());
    if (op == nullptr) return std::nullopt;
    steps.push_back({op, std::move(call)});
  }
  return steps;
}

// Outputs of the program for these inputs.
std::vector<Tensor> run(const std::vector<Step>& steps, const std::vector<Tensor>& inputs, const json& outputs) {
  Stack computed(inputs.begin(), inputs.end());
  for (const Step& step : steps) {
    Stack stack = arguments_of(step.call, read_schema(step.op->schema()).arguments, computed);
    step.op->call(stack);
    computed.insert(computed.end(), stack.begin(), stack.end());
  }
  std::vector<Tensor> tensors;
  for (const json& output : outputs) {
    const Value value = computed_value(output, computed);
    if (!value.is(Value::Kind::tensor)) throw MalformedCase("expected tensors as outputs");
    tensors.push_back(value.to_tensor());
  }
  return tensors;
}

Tensor dense(const Tensor& tensor) { return clone(tensor.detach(), MemoryFormat::Contiguous); }

bool is_zero(const Tensor& tensor) {
  const Tensor zeros = structured::detail::zeros(tensor.sizes(), tensor.options());
  return difference_of_tensors(dense(tensor), zeros, false).empty();
}

// How the tensors differ from the recorded ones, regardless of strides. `exact` are the recorded results in float64,
// null where rounding them gives the recorded ones.
std::string difference_of_lists(const char* what, const std::vector<Tensor>& found, const json& expected,
                                const json& exact) {
  if (found.size() != expected.size()) {
    return std::to_string(found.size()) + " " + what + "s, expected " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto fault = [&](const std::string& text) {
      return std::string(what) + " " + std::to_string(i) + ": " + text;
    };
    if (expected[i].is_null()) {
      if (found[i].defined() && !is_zero(found[i])) return fault("not zero, expected none");
      continue;
    }
    const Tensor wanted = dense(tensor_from(expected[i]));
    if (!found[i].defined()) {
      if (!is_zero(wanted)) return fault("none, expected one that is not zero");
      continue;
    }
    const bool has_exact = i < exact.size() && !exact[i].is_null();
    const Tensor truth = has_exact ? dense(tensor_from(exact[i])) : Tensor();
    const std::string difference = difference_of_tensors(dense(found[i]), wanted, false, truth);
    if (!difference.empty()) return fault(difference);
  }
  return "";
}

// Describes an exception as a fault.
std::string guarded(const std::function<std::string()>& compare) {
  try {
    return compare();
  } catch (const MalformedCase&) {
    throw;
  } catch (const std::exception& error) {
    return std::string("an error: ") + error.what();
  }
}

class Program {
 public:
  Program(const json& program, std::vector<Step> steps) : program_(program), steps_(std::move(steps)) {}

  // Compares outputs and gradients, and second derivatives if these are recorded.
  std::string first_fault() const {
    return guarded([&] {
      const Gradients found = gradients(false);
      const std::string fault =
          difference_of_lists("output", found.outputs, list_of(program_, "expect_outputs"), exact("outputs"));
      return fault.empty()
                 ? difference_of_lists("gradient", found.of_inputs, list_of(program_, "expect_grads"), exact("grads"))
                 : fault;
    });
  }

  std::string second_fault() const {
    return guarded([&] {
      const Gradients found = gradients(true);
      const std::vector<Tensor> given = tensors_of(list_of(program_["double"], "grads"));
      if (given.size() != found.of_inputs.size()) throw MalformedCase("expected a weight for each gradient");
      std::vector<Tensor> outputs;
      std::vector<Tensor> weights;
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (!given[i].defined() || !found.of_inputs[i].defined() || !found.of_inputs[i].requires_grad()) continue;
        outputs.push_back(found.of_inputs[i]);
        weights.push_back(given[i]);
      }
      std::vector<Tensor> sought = found.inputs;
      sought.insert(sought.end(), found.weights.begin(), found.weights.end());
      const std::vector<Tensor> second =
          outputs.empty() ? std::vector<Tensor>(sought.size()) : grad(outputs, sought, weights, {.allow_unused = true});
      return difference_of_lists("second derivative", second, list_of(program_["double"], "expect"), exact("double"));
    });
  }

  std::string forward_fault() const {
    return guarded([&] {
      const ForwardModeGuard scope;
      std::vector<Tensor> inputs = inputs_of();
      const std::vector<Tensor> tangents = tensors_of(list_of(program_["forward"], "tangents"));
      if (tangents.size() != inputs.size()) throw MalformedCase("expected a tangent for each input");
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (tangents[i].defined()) inputs[i] = make_dual(inputs[i], tangents[i]);
      }
      std::vector<Tensor> found;
      for (const Tensor& output : run(steps_, inputs, list_of(program_, "outputs")))
        found.push_back(tangent_of(output));
      return difference_of_lists("tangent", found, list_of(program_["forward"], "expect"), exact("forward"));
    });
  }

 private:
  struct Gradients {
    std::vector<Tensor> inputs;  // that require gradients
    std::vector<Tensor> outputs;
    std::vector<Tensor> weights;  // one for each output with a gradient
    std::vector<Tensor> of_inputs;
  };

  const json& exact(const char* name) const {
    static const json empty = json::object();
    return list_of(program_.contains("exact") ? program_["exact"] : empty, name);
  }

  std::vector<Tensor> inputs_of() const {
    std::vector<Tensor> inputs;
    for (const json& input : list_of(program_, "inputs")) {
      if (!input.is_object() || !input.contains("value")) throw MalformedCase("expected a value of each input");
      inputs.push_back(tensor_from(input["value"]));
    }
    return inputs;
  }

  Gradients gradients(bool creates_graph) const {
    Gradients result;
    const std::vector<Tensor> inputs = inputs_of();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const json& input = program_["inputs"][i];
      if (input.value("requires_grad", false)) result.inputs.push_back(inputs[i].requires_grad_());
    }
    result.outputs = run(steps_, inputs, list_of(program_, "outputs"));
    std::vector<Tensor> outputs;
    const std::vector<Tensor> weights = tensors_of(list_of(program_, "grad_outputs"));
    if (weights.size() != result.outputs.size()) throw MalformedCase("expected a gradient for each output");
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!weights[i].defined() || !result.outputs[i].requires_grad()) continue;
      outputs.push_back(result.outputs[i]);
      result.weights.push_back(creates_graph ? weights[i].requires_grad_() : weights[i]);
    }
    if (outputs.empty()) {
      result.of_inputs.resize(result.inputs.size());
      return result;
    }
    result.of_inputs =
        grad(outputs, result.inputs, result.weights, {.create_graph = creates_graph, .allow_unused = true});
    return result;
  }

  const json& program_;
  std::vector<Step> steps_;
};

}  // namespace

bool is_program(const json& line) { return line.is_object() && line.contains("steps"); }

std::vector<ProgramResult> run_program(const json& program) {
  std::optional<std::vector<Step>> steps = steps_of(program);
  if (!steps) return {};
  const std::string name = program.value("name", "");
  const Program runnable(program, *std::move(steps));
  std::vector<ProgramResult> results{{program.value("variant", "") + ": " + name, runnable.first_fault()}};
  if (program.contains("double")) results.push_back({"double: " + name, runnable.second_fault()});
  if (program.contains("forward")) results.push_back({"forward: " + name, runnable.forward_fault()});
  const std::string dtype = program.value("dtype", "");
  for (ProgramResult& result : results) {
    if (!result.fault.empty() && !dtype.empty()) result.fault += " (" + dtype + ")";
  }
  return results;
}

}  // namespace structured::replay
