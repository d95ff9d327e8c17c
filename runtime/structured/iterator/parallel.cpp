#include "structured/iterator/parallel.h"

#include <omp.h>
#if defined(__unix__)
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "structured/base/error.h"

namespace structured {

namespace {

constinit std::atomic<int> thread_limit = 0;  // 0: not set

// Runs before the first threads start.
void prepare_for_forks() {
#if defined(__unix__)
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, [] {
      thread_limit.store(1, std::memory_order_relaxed);
      omp_set_num_threads(1);
    });
  });
#endif
}

}  // namespace

int max_threads() {
  if (omp_in_parallel()) return 1;
  const int limit = thread_limit.load(std::memory_order_relaxed);
  return limit != 0 ? limit : omp_get_max_threads();
}

void set_num_threads(int count) {
  STRUCTURED_CHECK(count >= 1, "set_num_threads: expected 1 or more, got ", count);
  thread_limit.store(count, std::memory_order_relaxed);
}

void limit_openmp_threads() {
  prepare_for_forks();
  const int limit = max_threads();
  if (limit != omp_get_max_threads()) omp_set_num_threads(limit);
}

namespace detail {

void parallel_for_threads(int64_t begin, int64_t end, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) {
  const int64_t count = end - begin;
  const int64_t wanted = std::min<int64_t>(max_threads(), count / std::max<int64_t>(grain, 1));
  if (wanted <= 1) {
    body(begin, end);
    return;
  }
  prepare_for_forks();
  std::exception_ptr failure;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
// firstprivate, since other threads would have to fetch the caller's cache lines to read shared variables.
#pragma omp parallel num_threads(static_cast<int>(wanted)) firstprivate(begin, end, count, body)
  {
    // OpenMP may provide fewer threads than requested.
    const int64_t threads = omp_get_num_threads();
    const int64_t piece = (count + threads - 1) / threads;
    const int64_t first = begin + omp_get_thread_num() * piece;
    const int64_t last = std::min(end, first + piece);
    if (first < last) {
      try {
        body(first, last);
      } catch (...) {
        if (!failed.test_and_set()) failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail
}  // namespace structured
