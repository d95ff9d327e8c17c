#include "structured/cuda/copy.h"

#include <cstddef>

#include "structured/core/factory.h"
#include "structured/cuda/check.h"
#include "structured/cuda/memory.h"
#include "structured/cuda/pointwise.h"
#include "structured/cuda/stream.h"
#include "structured/iterator/config.h"
#include "structured/iterator/copy.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/guards.h"
#include "structured/number/scalar_type.h"

namespace structured::cuda::detail {
namespace {

bool have_one_layout(const Tensor& a, const Tensor& b) {
  return (a.is_contiguous() && b.is_contiguous()) || (a.is_non_overlapping_and_dense() && a.strides() == b.strides());
}

// Copies bytes of equal layout in the current stream of the device that takes part.
void copy_bytes(const Tensor& destination, const Tensor& source) {
  const Device device = destination.is_cuda() ? destination.device() : source.device();
  const DeviceGuard guard(device);
  STRUCTURED_CUDA_CHECK(cudaMemcpyAsync(destination.data(), source.data(), destination.nbytes(), cudaMemcpyDefault,
                                        current_handle(device.index())));
  if (destination.is_cpu() || source.is_cpu()) synchronize(current_stream(device.index()));
}

// Copies between devices. Each waits for the other's work.
void copy_across(const Tensor& destination, const Tensor& source) {
  const Stream from = current_stream(source.device().index());
  const Stream to = current_stream(destination.device().index());
  Event written;
  written.record(from);
  written.block(to);
  copy_bytes(destination, source);
  Event read;
  read.record(to);
  read.block(from);
}

void copy_on_device(const Tensor& destination, const Tensor& source) {
  const DeviceGuard guard(destination.device());
  const TensorIterator elements = TensorIteratorConfig()
                                      .check_memory_overlap(false)
                                      .check_all_same_dtype(false)
                                      .resize_outputs(false)
                                      .add_output(destination)
                                      .add_input(source)
                                      .build();
  run_copy(elements);
}

}  // namespace

void copy_between(const Tensor& destination, const Tensor& source) {
  const bool is_on_one_device = destination.device() == source.device();
  if (destination.scalar_type() == source.scalar_type() && have_one_layout(destination, source)) {
    if (is_on_one_device || destination.is_cpu() || source.is_cpu()) {
      copy_bytes(destination, source);
    } else {
      copy_across(destination, source);
    }
    return;
  }
  STRUCTURED_CHECK(destination.scalar_type() == source.scalar_type() ||
                       !(is_quantized(destination.scalar_type()) || is_quantized(source.scalar_type())),
                   "cannot copy elements from ", source.scalar_type(), " to ", destination.scalar_type(),
                   ": quantized elements need equal dtypes; dequantize first");
  if (is_on_one_device) {
    copy_on_device(destination, source);
    return;
  }
  // The bytes move between the devices in a dense layout; strides and dtypes are converted on the source's device.
  const Tensor packed = empty_in_order_of(destination, source.options().dtype(destination.scalar_type()));
  copy_into(packed, source);
  const Tensor moved = empty_in_order_of(packed, packed.options().device(destination.device()));
  copy_between(moved, packed);
  copy_into(destination, moved);
}

}  // namespace structured::cuda::detail
