#pragma once
// CUDA Graphs: work that is recorded once and enqueued again and again, at the cost of one call.
#include <cstdint>
#include <utility>

#include "structured/cuda/export.h"
#include "structured/cuda/stream.h"

struct CUgraphExec_st;  // CUDA's cudaGraphExec_t is a pointer to it

namespace structured::cuda {

/// Whether the calling thread is in Graph::capture.
STRUCTURED_CUDA_API bool is_capturing() noexcept;

/// Recorded work of one stream. Kernels read and write the same memory in each launch: write new inputs into the
/// tensors that were used while it was recorded. Memory of tensors that were created meanwhile belongs to the graph
/// until it is destroyed, and later launches overwrite it.
class Graph {
 public:
  STRUCTURED_CUDA_API Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  STRUCTURED_CUDA_API ~Graph();

  /// Calls `enqueue` and records the work that it enqueues on the current device in place of doing it. It may neither
  /// wait for the device nor read results; an operator that does throws Error, and nothing is recorded. Call the
  /// operators once before, so that their set-up is not a part of the graph. Throws Error if the graph has work
  /// already.
  template <class Enqueue>
  void capture(Enqueue&& enqueue) {
    const StreamGuard guard(new_stream());  // the default stream cannot be recorded
    begin();
    try {
      std::forward<Enqueue>(enqueue)();
    } catch (...) {
      abandon();
      throw;
    }
    end();
  }

  /// Enqueues the recorded work in the current stream. Throws Error if there is none.
  STRUCTURED_CUDA_API void launch() const;

 private:
  STRUCTURED_CUDA_API void begin();
  STRUCTURED_CUDA_API void end();
  STRUCTURED_CUDA_API void abandon() noexcept;

  CUgraphExec_st* work_ = nullptr;
  int64_t memory_ = 0;  ///< number of the graph's part of the allocator; 0 before it has one
  int device_ = 0;
};

}  // namespace structured::cuda
