#include "structured/iterator/copy.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/core/grad_state.h"
#include "structured/core/names.h"
#include "structured/iterator/convert_row.h"
#include "structured/iterator/move_elements.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/kernel/adaptors.h"
#include "structured/memory/allocator.h"
#include "structured/number/scalar_type.h"

namespace structured {
namespace {

constinit std::atomic<DeviceCopy> device_copies[kDeviceTypeCount] = {};

/// Whether both have one dtype and the same dense layout, so that a copy is one block of bytes.
bool are_alike(const Tensor& a, const Tensor& b) {
  return a.scalar_type() == b.scalar_type() &&
         ((a.is_contiguous() && b.is_contiguous()) || (a.is_non_overlapping_and_dense() && a.strides() == b.strides()));
}

void copy_on_host(const Tensor& destination, const Tensor& source) {
  const ScalarType to = destination.scalar_type();
  const ScalarType from = source.scalar_type();
  STRUCTURED_CHECK(to == from || !(is_quantized(to) || is_quantized(from)), "cannot copy elements from ", from, " to ",
                   to, ": quantized elements need equal dtypes; dequantize first");
  if (destination.data() == source.data() && are_alike(destination, source)) {
    return;
  }
  if (destination.numel() <= kGrainSize && are_alike(destination, source)) {  // too small for a second thread
    std::memmove(destination.data(), source.data(), destination.nbytes());
    return;
  }
  if (to == from) {
    const int shift = item_size_log2(to);
    DimVector to_strides(destination.strides());
    DimVector from_strides(source.strides());
    for (int64_t& stride : to_strides) stride <<= shift;
    for (int64_t& stride : from_strides) stride <<= shift;
    move_elements(static_cast<char*>(destination.data()), to_strides, static_cast<const char*>(source.data()),
                  from_strides, destination.sizes(), shift);
    return;
  }
  const detail::ConvertRow convert = detail::convert_row(to, from);
  const TensorIterator elements = TensorIteratorConfig()
                                      .check_memory_overlap(false)
                                      .check_all_same_dtype(false)
                                      .check_all_same_device(false)
                                      .resize_outputs(false)
                                      .add_output(destination)
                                      .add_input(source)
                                      .build();
  const auto copy = [convert](char* const* data, const int64_t* strides, int64_t size) {
    convert(data[0], strides[0], data[1], strides[1], size);
  };
  elements.for_each(Loop1d(copy));
}

bool is_on_host(Device device) {
  return device.is_cpu() || (!device.is_meta() && allocator(device.type()).is_host_accessible());
}

}  // namespace

void set_device_copy(DeviceType type, DeviceCopy copy) {
  STRUCTURED_CHECK(type != DeviceType::CPU && type != DeviceType::Meta,
                   "set_device_copy: expected a device type other than cpu and meta, got ", type);
  device_copies[static_cast<std::size_t>(type)].store(copy, std::memory_order_release);
}

Tensor empty_in_order_of(const Tensor& like, TensorOptions options) {
  detail::check_options(options);
  const TensorIterator iteration = TensorIteratorConfig()
                                       .check_all_same_dtype(false)
                                       .check_all_same_device(false)
                                       .declare_static_dtype(options.dtype())
                                       .declare_static_device(options.device())
                                       .add_output(Tensor())
                                       .add_input(like)
                                       .build();
  return iteration.output(0);
}

void copy_into(const Tensor& destination, const Tensor& source) {
  STRUCTURED_CHECK(destination.sizes() == source.sizes(), "expected a source of sizes ", destination.sizes(),
                   " to copy from, got ", source.sizes());
  detail::check_unrecorded(destination, "copy_into", "copy_");
  detail::check_unrecorded(source, "copy_into", "copy_");
  if (destination.numel() == 0) {
    return;
  }
  const Device to = destination.device();
  const Device from = source.device();
  if (to.is_cpu() && from.is_cpu()) [[likely]] {
    copy_on_host(destination, source);
    return;
  }
  if (to.is_meta() && from.is_meta()) {
    return;
  }
  for (const Device device : {to, from}) {
    const DeviceCopy copy = device_copies[static_cast<std::size_t>(device.type())].load(std::memory_order_acquire);
    if (copy != nullptr) {
      copy(destination, source);
      return;
    }
  }
  if (!to.is_meta() && !from.is_meta()) {
    if (is_on_host(to) && is_on_host(from)) {
      copy_on_host(destination, source);
      return;
    }
    if (to == from && are_alike(destination, source)) {
      allocator(to.type()).copy(destination.data(), source.data(), destination.nbytes());
      return;
    }
  }
  fail("no copy is registered from `", from, "` to `", to, "`; see set_device_copy()");
}

void detail::copy_proxy(const Tensor& out, const Tensor& proxy) {
  copy_into(out, proxy);
  if (proxy.has_names()) name_output(out, proxy.names());
}

}  // namespace structured
