#pragma once
// The clock of benchmarks, for any compiler of C++17.
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

/// Of one thread, processor time: other work of the machine, which takes its turns, does not count. Of several, real
/// time.
inline double seconds_now() {
  timespec now{};
  clock_gettime(has_threads() ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Prints "MICROSECONDS NAME": the best of the calls that fit into a tenth of a second.
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
