// structured-run: runs programs that PyTorch has saved.
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/npy.h>
#include <structured/core/print.h>
#include <structured/dispatch/profiler.h>
#include <structured/find_operator.h>
#include <structured/iterator/copy.h>
#include <structured/program/safetensors.h>
#include <structured/program/saved_program.h>
#include <structured/program/script_module.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare.h"
#include "record.h"
#include "script.h"

namespace {

using namespace structured;

constexpr std::string_view usage =
    R"(usage: structured-run MODEL [--inputs FILE] [--expect FILE] [--list] [--time] [--profile]
                      [--record FILE]

Loads a program that torch.export.save has written (.pt2), runs it, and prints its outputs. A module for PyTorch's lite
interpreter (.ptl) takes only --list, --record, --tolerance, and --expect with a file in which torch.save has stored the tuple of the
list of arguments of `forward` and its result.

  --inputs FILE      input tensors from an .npz or .safetensors file: in the order of the names `input.0`, `input.1`,
                     ..., or with the names of the inputs. Without this option inputs are the `input.N` of the
                     file of --expect, or else zeros; dimensions of any size have 2 elements.
  --expect FILE      compares two runs with tensors of an .npz or .safetensors file: `output.N` for the first one, and
                     for the second one `second.N` if there is one, else `output.N`. Prints differences instead of
                     outputs, and exits with 1 if there are any.
  --tolerance T      accepts differences up to T times the largest expected element (default 1e-4); integers must be
                     equal
  --model NAME       the program of this name, for files with several ones
  --list             prints inputs, size and operators, and does not run the program
  --time             prints the time of loading, and the fastest and the median time of 50 further runs
  --profile          prints how long operators take in one run
  --record FILE      writes the operators that loading and running call, with dtypes, for `structured-gen select --trace`
)";

struct Options {
  std::string model;
  std::string inputs;
  std::string expect;
  std::string name;
  std::string record;
  double tolerance = 1e-4;
  bool list = false;
  bool time = false;
  bool profile = false;
};

int misuse(const std::string& problem) {
  std::cerr << "structured-run: error: " << problem << "; see --help\n";
  return 2;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

NamedTensors read_tensors(const std::string& path) {
  if (path.ends_with(".npz")) return load_npz(path);
  STRUCTURED_CHECK(path.ends_with(".safetensors"), path, ": expected a file with the extension .npz or .safetensors");
  return load_safetensors(path);
}

const Tensor* find(const NamedTensors& tensors, const std::string& name) {
  const auto at = std::find_if(tensors.begin(), tensors.end(), [&](const auto& entry) { return entry.first == name; });
  return at == tensors.end() ? nullptr : &at->second;
}

/// An input of zeros.
Value zero_input(const ProgramInput& input) {
  if (input.kind == Value::Kind::floating) return 0.0;
  if (input.kind == Value::Kind::boolean) return false;
  if (input.kind == Value::Kind::integer) return 2;
  std::vector<std::int64_t> sizes;
  for (const ProgramDim& dim : input.sizes) {
    sizes.push_back(dim.size >= 0 ? dim.size : std::clamp<std::int64_t>(2, dim.min, dim.max));
  }
  return zeros(sizes, input.dtype);
}

/// New copies of the inputs, since a program may write to them.
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
      values.emplace_back(tensor->item<std::int64_t>());
    } else if (input.kind == Value::Kind::boolean) {
      values.emplace_back(tensor->item<bool>());
    } else {
      values.emplace_back(tensor->item<double>());
    }
  }
  return values;
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
                        const std::vector<std::string>& names, double tolerance) {
  std::size_t differing = 0, compared = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::optional<Tensor> found = tensor_of(outputs[i]);
    if (!found) continue;
    // `None` is not among the expected tensors, which are numbered without gaps.
    const Tensor* wanted = nullptr;
    for (const std::string& name : names) {
      if (wanted == nullptr) wanted = find(expected, name + std::to_string(compared));
    }
    const std::string problem =
        wanted == nullptr ? "expected no such output" : run::difference(*found, *wanted, tolerance);
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

bool is_as_expected(SavedProgram& program, const NamedTensors& given, const Options& options) {
  const NamedTensors expected = read_tensors(options.expect);
  const NamedTensors& inputs = given.empty() ? expected : given;
  const std::vector<Value> first = program.run(make_inputs(program, inputs));
  std::size_t differing = compare_run("first", first, expected, {"output."}, options.tolerance);
  const std::vector<Value> second = program.run(make_inputs(program, inputs));
  differing += compare_run("second", second, expected, {"second.", "output."}, options.tolerance);
  if (differing == 0) std::printf("%zu outputs of two runs are as expected\n", first.size());
  return differing == 0;
}

void print_times(SavedProgram& program, const std::vector<Value>& inputs) {
  constexpr std::size_t kRuns = 50;
  std::vector<double> times;
  for (std::size_t i = 0; i < kRuns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    program.run(inputs);
    times.push_back(milliseconds_since(start));
  }
  std::sort(times.begin(), times.end());
  std::printf("run: fastest %.4f ms, median %.4f ms of %zu runs\n", times[0], times[kRuns / 2], kRuns);
}

void print_profile(SavedProgram& program, const std::vector<Value>& inputs) {
  struct Total {
    double milliseconds = 0;
    std::size_t calls = 0;
  };
  Profile profile;
  {
    const Profiler profiler(profile);
    program.run(inputs);
  }
  std::map<std::string, Total> totals;
  for (const Profile::Event& event : profile.events()) {
    if (event.depth != 0) continue;  // nested calls are part of another one
    Total& total = totals[event.name];
    total.milliseconds += static_cast<double>(event.duration) / 1e6;
    ++total.calls;
  }
  std::vector<std::pair<std::string, Total>> sorted(totals.begin(), totals.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.milliseconds > b.second.milliseconds; });
  for (const auto& [name, total] : sorted) {
    std::printf("%10.4f ms %6zu calls  %s\n", total.milliseconds, total.calls, name.c_str());
  }
}

/// Returns whether outputs are as expected.
bool run_model(const Options& options) {
  if (program::is_script_module(options.model)) {
    return run::run_script(options.model, options.expect, options.list, options.tolerance);
  }
  const auto start = std::chrono::steady_clock::now();
  SavedProgram program = SavedProgram::load(options.model, {&find_operator}, options.name);
  const double load = milliseconds_since(start);
  if (options.list) std::cout << program;
  if (options.time) std::printf("load: %.3f ms\n", load);
  if (options.list && options.inputs.empty() && options.expect.empty() && !options.time && !options.profile &&
      options.record.empty()) {
    return true;
  }

  const NamedTensors given = options.inputs.empty() ? NamedTensors() : read_tensors(options.inputs);
  bool is_good = true;
  if (!options.expect.empty()) {
    is_good = is_as_expected(program, given, options);
  } else if (!options.time && !options.profile) {
    for (const Value& output : program.run(make_inputs(program, given))) {
      if (output.is(Value::Kind::tensor)) {
        std::cout << output.to_tensor() << '\n';
      } else {
        std::cout << output << '\n';
      }
    }
  }
  if (!options.time && !options.profile) return is_good;
  const bool has_expected_inputs = given.empty() && !options.expect.empty();
  const std::vector<Value> inputs = make_inputs(program, has_expected_inputs ? read_tensors(options.expect) : given);
  if (options.time) print_times(program, inputs);
  if (options.profile) print_profile(program, inputs);
  return is_good;
}

bool run_and_record(const Options& options) {
  const run::Recorder recorder;
  const bool is_good = run_model(options);
  recorder.write(options.record, options.model.substr(options.model.rfind('/') + 1));
  return is_good;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&]() -> const char* { return i + 1 < argc ? argv[++i] : nullptr; };
    const char* text = "";
    if (argument == "--help" || argument == "-h") {
      std::cout << usage;
      return 0;
    }
    if (argument == "--list") {
      options.list = true;
    } else if (argument == "--time") {
      options.time = true;
    } else if (argument == "--profile") {
      options.profile = true;
    } else if (argument == "--inputs") {
      if ((text = value()) != nullptr) options.inputs = text;
    } else if (argument == "--expect") {
      if ((text = value()) != nullptr) options.expect = text;
    } else if (argument == "--record") {
      if ((text = value()) != nullptr) options.record = text;
    } else if (argument == "--model") {
      if ((text = value()) != nullptr) options.name = text;
    } else if (argument == "--tolerance") {
      if ((text = value()) != nullptr) {
        char* end = nullptr;
        options.tolerance = std::strtod(text, &end);
        if (end == text || *end != '\0' || !(options.tolerance >= 0)) {
          return misuse("expected a number of 0 or more after `--tolerance`, got `" + std::string(text) + "`");
        }
      }
    } else if (argument.starts_with("-") || !options.model.empty()) {
      return misuse("unknown argument `" + std::string(argument) + "`");
    } else {
      options.model = argument;
    }
    if (text == nullptr) return misuse("expected a value after `" + std::string(argument) + "`");
  }
  if (options.model.empty()) return misuse("expected a program");
  return (options.record.empty() ? run_model(options) : run_and_record(options)) ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "structured-run: error: " << error.what() << "\n";
  return 1;
}
