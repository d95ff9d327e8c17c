#include "structured/cuda/pointwise.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/cuda/check.h"
#include "structured/cuda/device.h"
#include "structured/cuda/stream.h"
#include "structured/cuda/strided_walk.h"
#include "structured/kernel/guards.h"

namespace structured::cuda::detail {

extern const PointwiseTable copy_table;  // copy.cu

namespace {

// Largest offset of a strided kernel. The rest of the range is for the last step of an index.
constexpr int64_t kMaxOffset = std::numeric_limits<int32_t>::max() / 2;

unsigned blocks_for(int64_t size, int64_t tile) { return static_cast<unsigned>((size + tile - 1) / tile); }

/// One iteration: kernels, the function's captured values, and where to launch.
class PointwiseLaunch {
 public:
  PointwiseLaunch(const TensorIteratorBase& iterator, const PointwiseTable& table, const void* function,
                  ScalarType type)
      : iterator_(iterator),
        table_(table),
        function_(function),
        type_(static_cast<std::size_t>(type)),
        operands_(static_cast<std::size_t>(table.inputs) + 1),
        device_(iterator.tensor(0).device()) {}

  void run() {
    STRUCTURED_CHECK(iterator_.tensor(0).is_cuda(), "expected an output on a CUDA device, got one on ", device_);
    STRUCTURED_INTERNAL_ASSERT(iterator_.ntensors() == operands_ && table_.dense[type_] != nullptr);
    if (iterator_.numel() == 0) return;
    if (device_.index() == current_device()) [[likely]]  // emitted wrappers have made it current
      return run_here();
    const DeviceGuard guard(device_);
    run_here();
  }

 private:
  void run_here() {
    if (!run_dense()) run_strided();
  }

  bool is_here(std::size_t operand) const { return iterator_.tensor(operand).device() == device_; }

  bool run_dense() {
    if (!iterator_.is_dense()) {
      if (!iterator_.is_contiguous()) return false;
      for (std::size_t i = 0; i < operands_; ++i) {
        if (iterator_.tensor(i).scalar_type() != dtype_in_dense(i)) return false;
      }
    }
    DenseOperands operands{};
    for (std::size_t i = 0; i < operands_; ++i) {
      if (!is_here(i)) return false;
      operands.data[i] = iterator_.tensor(i).data();
    }
    int64_t size = iterator_.numel();
    const int64_t tile = table_.dense_tile[type_];
    // A launch has fewer than 2^31 blocks.
    STRUCTURED_CHECK(size / tile < std::numeric_limits<int32_t>::max(), "expected fewer elements than ", size);
    void* arguments[] = {const_cast<void*>(function_), &operands, &size};
    launch(table_.dense[type_], blocks_for(size, tile), arguments);
    return true;
  }

  // The dtype that an operand of the dense kernel has in memory.
  ScalarType dtype_in_dense(std::size_t operand) const {
    const bool is_boolean = (table_.booleans >> operand & 1) != 0;
    return is_boolean ? ScalarType::Bool : static_cast<ScalarType>(type_);
  }

  void run_strided() {
    const std::size_t dims = iterator_.ndim();
    STRUCTURED_CHECK(dims <= static_cast<std::size_t>(kMaxLoopDims), "expected at most ", kMaxLoopDims,
                     " dimensions after coalescing, got ", dims);
    std::memset(&loop_, 0, sizeof loop_);
    for (std::size_t i = 0; i < operands_; ++i) {
      const Tensor& tensor = iterator_.tensor(i);
      loop_.types[i] = tensor.scalar_type();
      if (is_here(i)) {
        loop_.data[i] = iterator_.data()[i];
      } else {  // a CPU tensor of one element
        STRUCTURED_CHECK(tensor.is_cpu() && tensor.numel() == 1 && i != 0, "expected operand ", i, " on ", device_,
                         ", got one on ", tensor.device());
        std::memcpy(loop_.constants[i], tensor.data(), item_size(tensor.scalar_type()));
      }
    }
    loop_.dims = static_cast<int32_t>(dims);
    DimVector sizes(iterator_.shape());
    launch_part(sizes, loop_.data);
  }

  // The step of an operand in bytes. Constants have none.
  int64_t stride(std::size_t operand, std::size_t dim) const {
    return is_here(operand) ? iterator_.stride(operand, dim) : 0;
  }

  // Splits an iteration in halves until all its offsets fit into 32 bits.
  void launch_part(DimVector& sizes, char* const (&data)[kMaxPointwiseOperands]) {
    int64_t size = 1;
    int64_t largest = 0;
    std::size_t widest = 0;
    int64_t reaches[kMaxPointwiseOperands] = {};
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      size *= sizes[dim];
      for (std::size_t i = 0; i < operands_; ++i) {
        const int64_t reach = (sizes[dim] - 1) * std::abs(stride(i, dim));
        reaches[i] += reach;
        if (reach > largest) {
          largest = reach;
          widest = dim;
        }
      }
    }
    const bool fits = size <= kMaxOffset && *std::max_element(reaches, reaches + operands_) <= kMaxOffset;
    if (!fits) {
      if (largest == 0) widest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
      const int64_t whole = sizes[widest];
      sizes[widest] = whole / 2;
      launch_part(sizes, data);
      char* rest[kMaxPointwiseOperands] = {};
      for (std::size_t i = 0; i < operands_; ++i) {
        if (is_here(i)) rest[i] = data[i] + whole / 2 * stride(i, widest);
      }
      sizes[widest] = whole - whole / 2;
      launch_part(sizes, rest);
      sizes[widest] = whole;
      return;
    }
    StridedOperands loop = loop_;
    loop.size = static_cast<int32_t>(size);
    for (std::size_t i = 0; i < operands_; ++i) loop.data[i] = data[i];
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      loop.sizes[dim] = make_divisor(static_cast<uint32_t>(sizes[dim]));
      for (std::size_t i = 0; i < operands_; ++i) {
        loop.strides[dim][i] = static_cast<int32_t>(stride(i, dim));
      }
    }
    void* arguments[] = {const_cast<void*>(function_), &loop};
    launch(table_.strided[type_], blocks_for(size, int64_t{kLoopThreads} * kStridedElements), arguments);
  }

  void launch(const void* kernel, unsigned blocks, void** arguments) {
    const int error = table_.launch(kernel, blocks, kLoopThreads, arguments, current_handle(device_.index()));
    if (error != cudaSuccess) [[unlikely]]
      fail_call("cudaLaunchKernel", static_cast<cudaError_t>(error));
  }

  const TensorIteratorBase& iterator_;
  const PointwiseTable& table_;
  const void* function_;
  std::size_t type_;
  std::size_t operands_;
  Device device_;
  StridedOperands loop_;
};

}  // namespace

void run_pointwise(const TensorIteratorBase& iterator, const PointwiseTable& table, const void* function) {
  PointwiseLaunch(iterator, table, function, iterator.common_dtype()).run();
}

void run_copy(const TensorIteratorBase& iterator) {
  const char nothing = 0;
  PointwiseLaunch(iterator, copy_table, &nothing, iterator.tensor(0).scalar_type()).run();
}

}  // namespace structured::cuda::detail
