// Allocation, views, copies, random numbers: operators of PyTorch that are not structured. A kernel has the parameters
// of its operator in PyTorch, and may take `int64_t` in place of `c10::SymInt`.
#include <ATen/EmptyTensor.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <structured/torch.h>
// DistributionsHelper.h needs macros of the headers above.
#include <ATen/core/DistributionsHelper.h>

#include <mutex>

#include "../device.h"

namespace host_device {
namespace {

namespace allocation = at::detail;  // functions of PyTorch for the allocation functions of backends

/// Fills the tensor with draws from the distribution.
template <class Distribution>
at::Tensor& fill(at::Tensor& self, const std::optional<at::Generator>& generator, Distribution distribution) {
  at::CPUGeneratorImpl& source = generator_of(generator);
  const at::Tensor values = at::empty(self.sizes(), at::kDouble);
  {
    const std::lock_guard lock(source.mutex_);
    double* const data = values.data_ptr<double>();
    for (int64_t i = 0; i < values.numel(); ++i) data[i] = distribution(&source);
  }
  on_host(self).copy_(values);
  return self;
}

}  // namespace

[[structured::kernel("empty.memory_format", "PrivateUse1")]]
at::Tensor empty_host(at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
                      std::optional<at::Device> device, std::optional<bool> pin_memory,
                      std::optional<at::MemoryFormat> memory_format) {
  TORCH_CHECK(!pin_memory.value_or(false), "only tensors of the CPU can be pinned");
  return allocation::empty_generic(size, c10::GetAllocator(device_type),
                                   c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), c10::dtype_or_default(dtype),
                                   memory_format);
}

[[structured::kernel("empty_strided", "PrivateUse1")]]
at::Tensor empty_strided_host(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                              std::optional<at::Layout> layout, std::optional<at::Device> device,
                              std::optional<bool> pin_memory) {
  TORCH_CHECK(!pin_memory.value_or(false), "only tensors of the CPU can be pinned");
  return allocation::empty_strided_generic(size, stride, c10::GetAllocator(device_type),
                                           c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                           c10::dtype_or_default(dtype));
}

[[structured::kernel("as_strided", "PrivateUse1")]]
at::Tensor as_strided_host(const at::Tensor& self, at::IntArrayRef size, at::IntArrayRef stride,
                           std::optional<int64_t> storage_offset) {
  return at::native::as_strided_tensorimpl(self, size, stride, storage_offset);
}

[[structured::kernel("view", "PrivateUse1")]]
at::Tensor view_host(const at::Tensor& self, at::IntArrayRef size) {
  return at::native::view(self, size);
}

[[structured::kernel("set_.source_Storage_storage_offset", "PrivateUse1")]]
at::Tensor& set_storage_host(at::Tensor& self, at::Storage source, int64_t storage_offset, at::IntArrayRef size,
                             at::IntArrayRef stride) {
  return at::native::set_storage_cpu_(self, std::move(source), storage_offset, size, stride);
}

[[structured::kernel("set_.source_Tensor", "PrivateUse1")]]
at::Tensor& set_tensor_host(at::Tensor& self, const at::Tensor& source) {
  return at::native::set_tensor_(self, source);
}

[[structured::kernel("_copy_from", "PrivateUse1")]]
at::Tensor copy_from_host(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  on_host(dst).copy_(on_host(self));
  return dst;
}

[[structured::kernel("_copy_from_and_resize", "PrivateUse1")]]
at::Tensor copy_from_and_resize_host(const at::Tensor& self, const at::Tensor& dst) {
  dst.resize_(self.sizes());
  on_host(dst).copy_(on_host(self));
  return dst;
}

[[structured::kernel("_local_scalar_dense", "PrivateUse1")]]
at::Scalar local_scalar_dense_host(const at::Tensor& self) {
  return on_host(self).item();
}

[[structured::kernel("fill_.Scalar", "PrivateUse1")]]
at::Tensor& fill_host(at::Tensor& self, const at::Scalar& value) {
  on_host(self).fill_(value);
  return self;
}

[[structured::kernel("uniform_", "PrivateUse1")]]
at::Tensor& uniform_host(at::Tensor& self, double from, double to, std::optional<at::Generator> generator) {
  return fill(self, generator, at::uniform_real_distribution<double>(from, to));
}

[[structured::kernel("normal_", "PrivateUse1")]]
at::Tensor& normal_host(at::Tensor& self, double mean, double std, std::optional<at::Generator> generator) {
  return fill(self, generator, at::normal_distribution<double>(mean, std));
}

}  // namespace host_device
