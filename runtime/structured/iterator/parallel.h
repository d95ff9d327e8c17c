#pragma once
// Splitting a loop among OpenMP's threads, whose pool OpenBLAS and oneDNN share. Users of this header need no OpenMP
// flags.
#include <cstdint>

#include "structured/core/export.h"
#include "structured/iterator/function_ref.h"

namespace structured {

/// Work on fewer elements than this is not worth a second thread.
inline constexpr std::int64_t kGrainSize = 32768;

/// How many threads parallel_for may use now: what `set_num_threads` said, or else what OpenMP has for this thread
/// (OMP_NUM_THREADS, or as many as there are processors); 1 inside a parallel region.
///
/// After a fork it is 1 in the child if the parent had made threads: they are not there, and GCC's OpenMP would wait
/// for them for ever. A child may call everything, then, if no other thread was inside of this library at the fork.
STRUCTURED_API int max_threads();

/// For all threads of the process, from their next loop on; what runs is not disturbed. Results of our kernels do not
/// depend on it. Throws Error unless `count` is 1 or more. Thread-safe.
STRUCTURED_API void set_num_threads(int count);

/// Lets libraries that use OpenMP by themselves, as OpenBLAS does, use no more than max_threads() when this thread
/// calls them.
STRUCTURED_API void limit_openmp_threads();

namespace detail {
STRUCTURED_API void parallel_for_threads(std::int64_t begin, std::int64_t end, std::int64_t grain,
                                         FunctionRef<void(std::int64_t, std::int64_t)> body);
}  // namespace detail

/// Calls `body(first, last)` for consecutive pieces that make up [begin, end), each but the last at least `grain` long
/// and possibly on a thread of its own; returns when all are done. Nothing is called for an empty range. The first
/// exception thrown by a piece is thrown again here; the other pieces run to their end.
template <class Body>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, Body&& body) {
  if (begin >= end) return;
  if (end - begin <= grain) {
    body(begin, end);
    return;
  }
  detail::parallel_for_threads(begin, end, grain, body);
}

}  // namespace structured
