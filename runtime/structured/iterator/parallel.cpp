#include "structured/iterator/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace structured {

int max_threads() { return omp_in_parallel() ? 1 : omp_get_max_threads(); }

namespace detail {

void parallel_for_threads(std::int64_t begin, std::int64_t end, std::int64_t grain,
                          FunctionRef<void(std::int64_t, std::int64_t)> body) {
  const std::int64_t count = end - begin;
  const std::int64_t wanted = std::min<std::int64_t>(max_threads(), count / std::max<std::int64_t>(grain, 1));
  if (wanted <= 1) {
    body(begin, end);
    return;
  }
  std::exception_ptr failure;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
#pragma omp parallel num_threads(static_cast<int>(wanted))
  {
    // There may be fewer threads than asked for.
    const std::int64_t threads = omp_get_num_threads();
    const std::int64_t piece = (count + threads - 1) / threads;
    const std::int64_t first = begin + omp_get_thread_num() * piece;
    const std::int64_t last = std::min(end, first + piece);
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
