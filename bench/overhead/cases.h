#pragma once
// Shared by this benchmark's programs, ours and the peer's: a list of named cases, and a main function that times them
// or counts their instructions.
//
//     PROGRAM [REGEX]                      prints "NAME NANOSECONDS" for each case whose name matches
//     PROGRAM --instructions=N [REGEX]     under callgrind: one dump of N calls for each case, named after it
//
// Uses C++17 and the standard library only, apart from command_line.h, so that it compiles with the peer's flags.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "../../options/command_line.h"
#include "shared/clock.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // without valgrind, instructions are not counted
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)
#endif

namespace overhead {

/// Prevents the compiler from optimising `value` away.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

struct Case {
  std::string name;
  std::function<void(long calls)> run;  ///< does its own setup and warm-up; empty for cases that are only timed
  std::function<double()> nanoseconds;
};

inline std::vector<Case>& cases() {
  static std::vector<Case> list;
  return list;
}

/// Median of batches that take a millisecond each; with several threads the minimum.
template <class Call>
double time_call(Call& call) {
  constexpr double batch_seconds = 1e-3;
  constexpr int batches = 15;
  long calls = 1;
  for (;; calls *= 2) {
    const double start = bench::seconds_now();
    for (long i = 0; i < calls; ++i) call();
    if (bench::seconds_now() - start >= batch_seconds) break;
  }
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = bench::seconds_now();
    for (long i = 0; i < calls; ++i) call();
    times.push_back((bench::seconds_now() - start) / static_cast<double>(calls) * 1e9);
  }
  const int chosen = bench::has_threads() ? 0 : batches / 2;
  std::nth_element(times.begin(), times.begin() + chosen, times.end());
  return times[static_cast<std::size_t>(chosen)];
}

/// Adds a case that is only timed. `set_up()` makes the operands and returns a function that makes one call.
template <class SetUp>
void add_timed_case(std::string name, SetUp set_up) {
  Case result;
  result.nanoseconds = [set_up] {
    auto call = set_up();
    return time_call(call);
  };
  result.name = std::move(name);
  cases().push_back(std::move(result));
}

template <class SetUp>
void add_case(std::string name, SetUp set_up) {
  add_timed_case(name, set_up);
  cases().back().run = [set_up, name](long calls) {
    auto call = set_up();
    for (long i = 0; i < calls; ++i) call();
    CALLGRIND_ZERO_STATS;
    for (long i = 0; i < calls; ++i) call();
    CALLGRIND_DUMP_STATS_AT(name.c_str());
  };
}

inline int run_cases(int argc, char** argv) {
  std::string pattern = ".*";
  std::optional<double> instruction_calls;
  const std::string program = argv[0];
  structured::CommandLine line(program, "usage: " + program + " [REGEX] [--instructions=CALLS]\n");
  line.input("a regular expression", pattern, /*is_required=*/false);
  line.number("--instructions", "a number of calls", 1, 1e9, instruction_calls);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  const std::regex regex(pattern);
  CALLGRIND_START_INSTRUMENTATION;
  for (const Case& one : cases()) {
    if (!std::regex_search(one.name, regex)) continue;
    if (instruction_calls) {
      if (one.run) one.run(static_cast<long>(*instruction_calls));
    } else {
      std::printf("%s %.2f\n", one.name.c_str(), one.nanoseconds());
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace overhead

/// A function that evaluates the expression and destroys its value; the measured time includes both.
#define CALL(...)                \
  [=]() mutable {                \
    auto&& result = __VA_ARGS__; \
    ::overhead::keep(result);    \
  }
