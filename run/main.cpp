// structured-run: runs programs that PyTorch has saved.
#include <structured/base/error.h>
#include <structured/dispatch/profiler.h>
#include <structured/format/npy.h>
#include <structured/format/print.h>
#include <structured/program/saved_program.h>
#include <structured/program/script_module.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "expectation.h"
#include "libraries.h"
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
  --tolerance T      accepts differences up to T times the largest expected element; integers must be equal. By default,
                     T is torch.testing's for the dtype (Half 1e-3, BFloat16 1.6e-2, Float 1.3e-6, Double 1e-7),
                     plus 1e-5 (Double 1e-7)
  --model NAME       the program of this name, for files with several ones
  --list             prints inputs, size and operators, and does not run the program
  --time             prints the time of loading, the fastest and the median time of 50 further runs, and their memory
  --profile          prints how long operators take in one run
  --record FILE      writes the operators that loading and running call, with dtypes, for `structured-gen select --trace`
)";

struct Options {
  std::string model;
  std::string inputs;
  std::string expect;
  std::string name;
  std::string record;
  std::optional<double> tolerance;
  bool list = false;
  bool time = false;
  bool profile = false;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void print_times(SavedProgram& program, const std::vector<Value>& inputs) {
  constexpr std::size_t kRuns = 50;
  std::vector<double> times;
  std::vector<Value> outputs;
  for (std::size_t i = 0; i < kRuns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    program.run(inputs, outputs);
    times.push_back(milliseconds_since(start));
  }
  std::sort(times.begin(), times.end());
  std::printf("run: fastest %.4f ms, median %.4f ms of %zu runs\n", times[0], times[kRuns / 2], kRuns);
  const Arena::Statistics& memory = program.memory();
  std::printf("memory: an arena of %zu bytes with %zu blocks of the last run; %zu blocks elsewhere\n", memory.nbytes,
              memory.served_blocks, memory.other_blocks);
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
bool run_model(const Options& options, OperatorLookup library) {
  if (program::is_script_module(options.model)) {
    return run::run_script(options.model, library, options.expect, options.list, options.tolerance);
  }
  const auto start = std::chrono::steady_clock::now();
  SavedProgram program = SavedProgram::load(options.model, {library}, options.name);
  const double load = milliseconds_since(start);
  if (options.list) std::cout << program;
  if (options.time) std::printf("load: %.3f ms\n", load);
  if (options.list && options.inputs.empty() && options.expect.empty() && !options.time && !options.profile &&
      options.record.empty()) {
    return true;
  }

  const NamedTensors given = options.inputs.empty() ? NamedTensors() : run::read_tensors(options.inputs);
  bool is_good = true;
  if (!options.expect.empty()) {
    is_good = run::is_as_expected(program, given, run::read_tensors(options.expect), options.tolerance);
  } else if (!options.time && !options.profile) {
    for (const Value& output : program.run(run::make_inputs(program, given))) {
      if (output.is(Value::Kind::tensor)) {
        std::cout << output.to_tensor() << '\n';
      } else {
        std::cout << output << '\n';
      }
    }
  }
  if (!options.time && !options.profile) return is_good;
  const bool has_expected_inputs = given.empty() && !options.expect.empty();
  const std::vector<Value> inputs =
      run::make_inputs(program, has_expected_inputs ? run::read_tensors(options.expect) : given);
  if (options.time) print_times(program, inputs);
  if (options.profile) print_profile(program, inputs);
  return is_good;
}

bool run_and_record(const Options& options) {
  run::Recorder recorder;
  const bool is_good = run_model(options, &run::Recorder::find);
  recorder.write(options.record, options.model.substr(options.model.rfind('/') + 1));
  return is_good;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CommandLine line("structured-run", std::string(usage));
  line.input("a program", options.model);
  line.value("--inputs", "a file", options.inputs);
  line.value("--expect", "a file", options.expect);
  line.number("--tolerance", "a number of 0 or more", 0, std::numeric_limits<double>::infinity(), options.tolerance);
  line.value("--model", "a name", options.name);
  line.flag("--list", options.list);
  line.flag("--time", options.time);
  line.flag("--profile", options.profile);
  line.value("--record", "a file", options.record);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  return (options.record.empty() ? run_model(options, &run::find_in_libraries) : run_and_record(options)) ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "structured-run: error: " << error.what() << "\n";
  return 1;
}
