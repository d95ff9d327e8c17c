#include "structured/cuda/graph.h"

#include <atomic>

#include "structured/cuda/check.h"
#include "structured/cuda/device_allocator.h"

namespace structured::cuda {
namespace {

std::atomic<int64_t> next_memory = int64_t{1} << 32;  // above all ids of streams

}  // namespace

bool is_capturing() noexcept { return detail::current_graph_memory() != 0; }

Graph::~Graph() {
  if (work_ != nullptr) cudaGraphExecDestroy(work_);
  if (memory_ != 0) detail::release_graph_memory(device_, memory_);
}

void Graph::begin() {
  STRUCTURED_CHECK(memory_ == 0, "Graph::capture: expected a graph without work; make a new one");
  device_ = current_device();
  memory_ = next_memory.fetch_add(1, std::memory_order_relaxed);
  // Relaxed: the allocator may take memory from CUDA.
  STRUCTURED_CUDA_CHECK(cudaStreamBeginCapture(current_handle(), cudaStreamCaptureModeRelaxed));
  detail::set_graph_memory(memory_);
}

void Graph::end() {
  detail::set_graph_memory(0);
  cudaGraph_t graph = nullptr;
  STRUCTURED_CUDA_CHECK(cudaStreamEndCapture(current_handle(), &graph));
  const cudaError_t error = cudaGraphInstantiate(&work_, graph, 0);
  cudaGraphDestroy(graph);
  if (error != cudaSuccess) detail::fail_call("cudaGraphInstantiate", error);
}

void Graph::abandon() noexcept {
  detail::set_graph_memory(0);
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(current_handle(), &graph) == cudaSuccess && graph != nullptr) cudaGraphDestroy(graph);
  static_cast<void>(cudaGetLastError());
  detail::release_graph_memory(device_, memory_);
  memory_ = 0;
}

void Graph::launch() const {
  STRUCTURED_CHECK(work_ != nullptr, "Graph::launch: expected a graph with work; call capture() first");
  STRUCTURED_CUDA_CHECK(cudaGraphLaunch(work_, current_handle(device_)));
}

}  // namespace structured::cuda
