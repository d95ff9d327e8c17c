#pragma once
// Parallel loops on the thread pool of OpenMP, which OpenBLAS and oneDNN share. Users of this header need no OpenMP
// flags.
#include <cstdint>

#include "structured/base/export.h"
#include "structured/iterator/function_ref.h"

namespace structured {

/// Smallest number of elements that is worth a second thread.
inline constexpr int64_t kGrainSize = 32768;

/// Number of threads that parallel_for may use: the argument of `set_num_threads`, or else OpenMP's limit for this
/// thread (OMP_NUM_THREADS, or the number of processors); 1 inside a parallel region.
///
/// Also 1 in a forked child whose parent had started threads: they do not exist in the child, and GCC's OpenMP would
/// wait for them forever. The child may call every function if no other thread was inside this library at the fork.
STRUCTURED_API int max_threads();

/// Sets the limit for all threads of the process, from their next loop on. Results of our kernels do not depend on it.
/// Throws Error unless `count` is at least 1. Thread-safe.
STRUCTURED_API void set_num_threads(int count);

/// Limits libraries that use OpenMP themselves, such as OpenBLAS, to max_threads() when this thread calls them.
STRUCTURED_API void limit_openmp_threads();

namespace detail {
STRUCTURED_API void parallel_for_threads(int64_t begin, int64_t end, int64_t grain,
                                         FunctionRef<void(int64_t, int64_t)> body);
}  // namespace detail

/// Calls `body(first, last)` for consecutive ranges that make up [begin, end), possibly on several threads, and waits
/// for all. Each range but the last has at least `grain` elements; an empty range makes no call. Rethrows the first
/// exception of a body after all have finished.
template <class Body>
void parallel_for(int64_t begin, int64_t end, int64_t grain, Body&& body) {
  if (begin >= end) return;
  if (end - begin <= grain) {
    body(begin, end);
    return;
  }
  detail::parallel_for_threads(begin, end, grain, body);
}

}  // namespace structured
