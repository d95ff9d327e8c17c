#include "expectation.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/iterator/copy.h>
#include <structured/program/safetensors.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "compare.h"

namespace structured::run {
namespace {

const Tensor* find(const NamedTensors& tensors, const std::string& name) {
  const auto at = std::find_if(tensors.begin(), tensors.end(), [&](const auto& entry) { return entry.first == name; });
  return at == tensors.end() ? nullptr : &at->second;
}

/// An input of zeros.
Value zero_input(const ProgramInput& input) {
  if (input.kind == Value::Kind::floating) return 0.0;
  if (input.kind == Value::Kind::boolean) return false;
  if (input.kind == Value::Kind::integer) return 2;
  std::vector<int64_t> sizes;
  for (const ProgramDim& dim : input.sizes) {
    sizes.push_back(dim.size >= 0 ? dim.size : std::clamp<int64_t>(2, dim.min, dim.max));
  }
  return zeros(sizes, input.dtype);
}

/// An output as a tensor; none for `None` and values without a dtype.
std::optional<Tensor> tensor_of(const Value& output) {
  switch (output.kind()) {
    case Value::Kind::tensor:
      return output.to_tensor();
    case Value::Kind::integer:
      return scalar_tensor(output.to_int(), kLong);
    case Value::Kind::floating:
      return scalar_tensor(output.to_double(), kFloat);
    case Value::Kind::boolean:
      return scalar_tensor(output.to_bool(), kBool);
    default:
      return std::nullopt;
  }
}

/// Compares the outputs of one run; `names` are those of the expected tensors, the preferred one first. Returns the
/// number of outputs that differ.
std::size_t compare_run(const char* run, const std::vector<Value>& outputs, const NamedTensors& expected,
                        const std::vector<std::string>& names, std::optional<double> tolerance) {
  std::size_t differing = 0, compared = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::optional<Tensor> found = tensor_of(outputs[i]);
    if (!found) continue;
    // `None` is not among the expected tensors, which are numbered without gaps.
    const Tensor* wanted = nullptr;
    for (const std::string& name : names) {
      if (wanted == nullptr) wanted = find(expected, name + std::to_string(compared));
    }
    const std::string problem = wanted == nullptr ? "expected no such output" : difference(*found, *wanted, tolerance);
    if (!problem.empty()) {
      std::printf("%s run: output %zu: %s\n", run, compared, problem.c_str());
      ++differing;
    }
    ++compared;
  }
  if (find(expected, names.back() + std::to_string(compared)) != nullptr) {
    std::printf("%s run: expected more than %zu outputs\n", run, compared);
    ++differing;
  }
  return differing;
}

}  // namespace

NamedTensors read_tensors(const std::string& path) {
  if (path.ends_with(".npz")) return load_npz(path);
  STRUCTURED_CHECK(path.ends_with(".safetensors"), path, ": expected a file with the extension .npz or .safetensors");
  return load_safetensors(path);
}

std::vector<Value> make_inputs(const SavedProgram& program, const NamedTensors& given) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < program.inputs().size(); ++i) {
    const ProgramInput& input = program.inputs()[i];
    const Tensor* tensor = find(given, "input." + std::to_string(i));
    if (tensor == nullptr) tensor = find(given, input.name);
    if (tensor == nullptr) {
      STRUCTURED_CHECK(given.empty(), "expected a tensor `input.", i, "` or `", input.name, "` as input ", i,
                       ", found none");
      values.push_back(zero_input(input));
    } else if (input.kind == Value::Kind::tensor) {
      Tensor copy = empty(tensor->sizes(), tensor->options());
      copy_into(copy, *tensor);
      values.emplace_back(std::move(copy));
    } else if (input.kind == Value::Kind::integer) {
      values.emplace_back(tensor->item<int64_t>());
    } else if (input.kind == Value::Kind::boolean) {
      values.emplace_back(tensor->item<bool>());
    } else {
      values.emplace_back(tensor->item<double>());
    }
  }
  return values;
}

bool is_as_expected(SavedProgram& program, const NamedTensors& given, const NamedTensors& expected,
                    std::optional<double> tolerance) {
  const NamedTensors& inputs = given.empty() ? expected : given;
  const std::vector<Value> first = program.run(make_inputs(program, inputs));
  std::size_t differing = compare_run("first", first, expected, {"output."}, tolerance);
  const std::vector<Value> second = program.run(make_inputs(program, inputs));
  differing += compare_run("second", second, expected, {"second.", "output."}, tolerance);
  if (differing == 0) std::printf("%zu outputs of two runs are as expected\n", first.size());
  return differing == 0;
}

}  // namespace structured::run
