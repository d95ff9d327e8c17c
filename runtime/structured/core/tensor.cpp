#include "structured/core/tensor.h"

#include <cstddef>

#include "structured/base/argument_part.h"
#include "structured/device/device_library.h"

namespace structured {

bool Tensor::is_contiguous(MemoryFormat format) const {
  const TensorImpl& impl = checked();
  switch (format) {
    case MemoryFormat::Contiguous:
      return impl.has_flag(TensorFlags::kContiguous);
    case MemoryFormat::ChannelsLast:
      return impl.has_flag(TensorFlags::kChannelsLastContiguous);
    case MemoryFormat::ChannelsLast3d:
      return impl.has_flag(TensorFlags::kChannelsLast3dContiguous);
    case MemoryFormat::Preserve:
      break;
  }
  fail("is_contiguous: expected a memory format with an order of its own, got ", format);
}

MemoryFormat Tensor::suggest_memory_format() const {
  if (!has_channels_last_strides(sizes(), strides())) return MemoryFormat::Contiguous;
  return dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d;
}

Scalar Tensor::item() const {
  STRUCTURED_CHECK(numel() == 1, "item: expected a tensor with one element, got sizes ", sizes());
  if (is_cpu()) return load_scalar(data(), dtype());
  const detail::ReadDevice read = detail::read_device(device().type());
  STRUCTURED_CHECK(read != nullptr, "item: expected a tensor on cpu, got ", device());
  alignas(16) std::byte element[16];
  read(element, data(), element_size(), device());
  return load_scalar(element, dtype());
}

Tensor Tensor::base() const {
  TensorImpl* const base = checked().base();
  STRUCTURED_CHECK(base != nullptr, "base: expected a view, got a tensor that is none");
  base->retain();
  return adopt(base);
}

void Tensor::fail_untracked() { fail("Inference tensors do not track version counter."); }

void Tensor::fail_undefined() {
  fail(detail::ArgumentPart::tensor(), "expected a defined tensor, got an undefined one");
}

void Tensor::fail_dim(int64_t dim) const {
  const int64_t rank = this->dim();
  STRUCTURED_CHECK(rank != 0, "expected a tensor with dimensions, got dimension ", dim, " of a tensor without any");
  fail("expected a dimension from ", -rank, " to ", rank - 1, ", got ", dim);
}

void Tensor::fail_data_ptr(ScalarType expected) const {
  STRUCTURED_CHECK(dtype() == expected, "data_ptr: expected a tensor of dtype ", expected, ", got ", dtype());
  fail("data_ptr: expected a tensor with data, got one on ", device());
}

}  // namespace structured
