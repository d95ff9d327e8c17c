// structured-replay: replays recorded calls of PyTorch operators and compares the results.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

int misuse(const std::string& problem) {
  std::cerr << "structured-replay: error: " << problem << "; see --help\n";
  return 2;
}

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

// Parses a number from 0 to 100; nullopt for other text.
std::optional<double> percent_from(const std::string& text) {
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0' && percent >= 0 && percent <= 100;
  return is_number ? std::optional<double>(percent) : std::nullopt;
}

// Whether each operator passes `percent` of its calls. Prints those that do not.
bool has_enough(const structured::replay::Report& report, const std::string& percent) {
  const std::vector<std::string> below = report.below(*percent_from(percent));
  for (const std::string& name : below) std::printf("below %s %%: %s\n", percent.c_str(), name.c_str());
  if (below.empty()) std::printf("each operator passes %s %% or more\n", percent.c_str());
  return below.empty();
}

}  // namespace

int main(int argc, char** argv) try {
  std::string path;
  std::string at_least;
  bool is_verbose = false;
  structured::replay::ReplayOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::cout << usage;
      return 0;
    }
    if (argument == "--verbose") {
      is_verbose = true;
    } else if (argument == "--check") {
      options.checks_calls = true;
    } else if (argument == "--op") {
      if (++i == argc) return misuse("expected a name after `--op`");
      options.only = argv[i];
    } else if (argument == "--at-least") {
      if (++i == argc || !percent_from(argv[i])) return misuse("expected a number from 0 to 100 after `--at-least`");
      at_least = argv[i];
    } else if (argument == "--device") {
      if (++i == argc) return misuse("expected a device such as `cuda` after `--device`");
      options.device = structured::Device(argv[i]);
    } else if (argument == "--known") {
      if (++i == argc) return misuse("expected a file after `--known`");
      std::ifstream lines(argv[i]);
      if (!lines) {
        std::cerr << "structured-replay: error: cannot read `" << argv[i] << "`\n";
        return 2;
      }
      const auto known = structured::replay::read_known_differences(lines);
      options.known.insert(options.known.end(), known.begin(), known.end());
    } else if (argument.starts_with("--op=")) {
      options.only = argument.substr(5);
    } else if (argument.starts_with("-") || !path.empty()) {
      return misuse("unknown argument `" + std::string(argument) + "`");
    } else {
      path = argument;
    }
  }
  if (path.empty()) return misuse("expected a file of cases");
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
  const bool is_enough = at_least.empty() || has_enough(report, at_least);
  return complaints == 0 && is_enough ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "structured-replay: error: " << error.what() << "\n";
  return 2;
}
