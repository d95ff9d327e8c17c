#pragma once
// Clock of the benchmarks. Needs C++17 only.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace bench {

/// Whether $THREADS asks for more than one thread.
inline bool has_threads() {
  static const char* const threads = std::getenv("THREADS");
  return threads != nullptr && std::atoi(threads) > 1;
}

/// Processor time with one thread, which excludes other load of the machine; real time with several threads.
inline double seconds_now() {
  timespec now{};
  clock_gettime(has_threads() ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Prints "MICROSECONDS NAME": the minimum over the calls that fit into 0.1 s.
template <class Call>
void print_best(const char* name, const Call& call) {
  call();
  double best = 1e9;
  const double start = seconds_now();
  for (int i = 0; i < 3 || seconds_now() - start < 0.1; ++i) {
    const double before = seconds_now();
    call();
    best = std::min(best, seconds_now() - before);
  }
  std::printf("%.2f %s\n", best * 1e6, name);
}

}  // namespace bench
