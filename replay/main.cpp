// structured-replay: replays recorded calls of PyTorch operators and compares the results.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "replay.h"

namespace {

constexpr std::string_view usage =
    R"(usage: structured-replay CASES.jsonl [--op NAME] [--known FILE] [--at-least PERCENT]
                         [--device TYPE] [--check] [--verbose]

Calls the operators of the library with recorded arguments, through their boxed calls, and compares results, written
arguments and refusals with what was recorded (test/conformance/README.md describes the file). Prints what passed and
what failed for each operator, then `N passed, N failed, N skipped`. Calls of operators that the library has not are
skipped. A line may also hold a program of several calls with the gradients of its outputs. Exits with 1 if anything failed or a case is malformed, with 2 if it is misused. Where PyTorch's documentation
leaves the result open, such as the index of one of several equal elements, every allowed result passes.

  --op NAME   only calls of this operator: `add`, or with the overload `add.Tensor`
  --known FILE
              differences that are no failures, a line each: `aten::cat.out | part of the message | reason`; may be
              given several times
  --at-least PERCENT
              fail also if an operator passes fewer of its calls with results, or of its refused calls; differences
              that are known have not passed here
  --device TYPE
              run the calls on this type of device: tensors are moved there, and results are compared on the CPU
  --check     check each call: its kernel neither writes inputs nor leaves outputs unwritten, agrees with the Meta
              backend, ...
  --verbose   tell how each failed case differs, and name the operators that are skipped
)";

// Sums of the programs by kind of derivative.
void print_kinds(const structured::replay::Report& report) {
  for (const char* const kind : {"functional", "inplace", "view", "double", "forward"}) {
    std::size_t passed = 0;
    std::size_t all = 0;
    for (const auto& [name, counts] : report.operators) {
      if (!name.starts_with(std::string(kind) + ": ")) continue;
      passed += counts.value_passed;
      all += counts.value_passed + counts.value_failed + counts.value_known;
    }
    if (all != 0) std::printf("gradients, %s: %zu of %zu passed\n", kind, passed, all);
  }
}

void print(const structured::replay::Report& report, bool is_verbose) {
  std::size_t width = 0;
  for (const auto& [name, counts] : report.operators) width = std::max(width, name.size());
  for (const auto& [name, counts] : report.operators) {
    if (counts.skipped != 0) {
      if (is_verbose) std::printf("%-*s  skipped %zu\n", static_cast<int>(width), name.c_str(), counts.skipped);
      continue;
    }
    std::printf("%-*s  value %zu/%zu  error %zu/%zu%s\n", static_cast<int>(width), name.c_str(), counts.value_passed,
                counts.value_passed + counts.value_failed + counts.value_known, counts.error_passed,
                counts.error_passed + counts.error_failed + counts.error_known,
                counts.value_failed + counts.error_failed != 0 ? "  FAILED" : "");
  }
  print_kinds(report);
  std::printf("%zu passed, %zu failed, %zu skipped", report.passed(), report.failed(), report.skipped());
  if (report.known() != 0) std::printf(", %zu known to differ", report.known());
  if (report.malformed != 0) std::printf(", %zu malformed", report.malformed);
  std::printf("\n");
}

// Whether each operator passes `percent` of its calls. Prints those that do not.
bool has_enough(const structured::replay::Report& report, double percent) {
  const std::vector<std::string> below = report.below(percent);
  for (const std::string& name : below) std::printf("below %g %%: %s\n", percent, name.c_str());
  if (below.empty()) std::printf("each operator passes %g %% or more\n", percent);
  return below.empty();
}

}  // namespace

int main(int argc, char** argv) try {
  std::string path;
  std::optional<double> at_least;
  std::vector<std::string> known;
  std::string device;
  bool is_verbose = false;
  structured::replay::ReplayOptions options;
  structured::CommandLine line("structured-replay", std::string(usage));
  line.input("a file of cases", path);
  line.value("--op", "a name", options.only);
  line.value("--known", "a file", [&](const std::string& file) {
    known.push_back(file);
    return true;
  });
  line.number("--at-least", "a number from 0 to 100", 0, 100, at_least);
  line.value("--device", "a device such as `cuda`", device);
  line.flag("--check", options.checks_calls);
  line.flag("--verbose", is_verbose);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  if (!device.empty()) options.device = structured::Device(device.c_str());
  for (const std::string& file : known) {
    std::ifstream lines(file);
    if (!lines) {
      std::cerr << "structured-replay: error: cannot read `" << file << "`\n";
      return 2;
    }
    const auto differences = structured::replay::read_known_differences(lines);
    options.known.insert(options.known.end(), differences.begin(), differences.end());
  }
  std::ifstream cases(path);
  if (!cases) {
    std::cerr << "structured-replay: error: cannot read `" << path << "`\n";
    return 2;
  }
  std::size_t complaints = 0;
  options.complain = [&](const std::string& text) {
    const bool is_malformed = text.find(": malformed case: ") != std::string::npos;
    if (is_verbose || is_malformed) std::cerr << path << ": " << text << "\n";
    ++complaints;
  };
  const structured::replay::Report report = structured::replay::replay(cases, options);
  print(report, is_verbose);
  const bool is_enough = !at_least || has_enough(report, *at_least);
  return complaints == 0 && is_enough ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "structured-replay: error: " << error.what() << "\n";
  return 2;
}
