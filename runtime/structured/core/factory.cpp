#include "structured/core/factory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "structured/core/dim_vector.h"
#include "structured/core/geometry.h"
#include "structured/core/grad_state.h"
#include "structured/memory/allocator.h"

namespace structured {
namespace {

/// Calls `function(address)` for each element in row-major order.
template <class Function>
void for_each_element(const Tensor& tensor, Function&& function) {
  const std::size_t rank = tensor.sizes().size();
  const auto item = static_cast<int64_t>(tensor.element_size());
  DimVector index(rank, 0);
  char* address = static_cast<char*>(tensor.data());
  for (int64_t left = tensor.numel(); left > 0; --left) {
    function(address);
    for (std::size_t dim = rank; dim-- > 0;) {
      address += tensor.strides()[dim] * item;
      if (++index[dim] < tensor.sizes()[dim]) break;
      address -= tensor.strides()[dim] * item * index[dim];
      index[dim] = 0;
    }
  }
}

/// The dtype of `full` if the options have none.
ScalarType default_dtype_of(const Scalar& value) {
  if (value.is_complex()) return default_dtype() == kDouble ? kComplexDouble : kComplexFloat;
  return value.is_floating() ? default_dtype() : value.type();
}

/// Whether the elements must be written. Throws Error if the host cannot write them.
bool has_host_elements(const char* name, const Tensor& tensor) {
  if (tensor.is_meta()) return false;
  STRUCTURED_CHECK(tensor.is_cpu() || allocator(tensor.device().type()).is_host_accessible(), name,
                   ": expected device meta or one whose memory the host can write, got ", tensor.device());
  return tensor.numel() != 0;
}

}  // namespace

void detail::check_options(TensorOptions options) {
  STRUCTURED_CHECK(options.dtype() != ScalarType::Undefined,
                   "empty: expected a dtype that tensors have, got Undefined");
  STRUCTURED_CHECK(options.layout() == Layout::Strided, "empty: expected layout Strided, got ", options.layout());
  STRUCTURED_CHECK(!options.pinned_memory(),
                   "empty: expected `pin_memory` to be false: this build has no device that "
                   "pinned memory would serve");
}

std::size_t detail::storage_nbytes(IntArrayRef sizes, IntArrayRef strides, std::size_t item_size, int64_t offset) {
  int64_t nbytes;
  static_cast<void>(measure_reach(sizes, strides, std::countr_zero(item_size), offset, nbytes));
  return static_cast<std::size_t>(nbytes);
}

Tensor detail::empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
  check_options(options);
  return Tensor::adopt(TensorImpl::create_strided(sizes, strides, options.signature()));
}

Tensor detail::empty_unusual(IntArrayRef sizes, TensorOptions options) {
  check_options(options);
  const MemoryFormat order = options.memory_format_opt().value_or(MemoryFormat::Contiguous);
  if (order != MemoryFormat::Contiguous) return empty_strided(sizes, strides_for(sizes, order), options);
  return Tensor::adopt(TensorImpl::create_contiguous(sizes, options.signature()));
}

Tensor detail::as_strided(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  STRUCTURED_CHECK(base.defined(), "as_strided: expected a defined tensor, got an undefined one");
  STRUCTURED_CHECK(offset >= 0, "as_strided: expected a storage offset of 0 or more, got ", offset);
  check_unrecorded(base, "structured::as_strided of core/factory.h", "as_strided (<structured/ops/as_strided.h>)");
  return Tensor::adopt(TensorImpl::create_view(*base.impl(), sizes, strides, offset));
}

Tensor detail::zeros(IntArrayRef sizes, TensorOptions options) {
  Tensor result = empty(sizes, options);
  if (has_host_elements("zeros", result)) std::memset(result.data(), 0, result.nbytes());
  return result;
}

Tensor detail::full(IntArrayRef sizes, const Scalar& value, TensorOptions options) {
  Tensor result = empty(sizes, options.dtype(options.dtype_opt().value_or(default_dtype_of(value))));
  if (!has_host_elements("full", result)) return result;
  char* const data = static_cast<char*>(result.data());
  store_scalar(data, result.dtype(), value);
  const std::size_t nbytes = result.nbytes();
  for (std::size_t done = result.element_size(); done < nbytes; done *= 2) {
    std::memcpy(data + done, data, std::min(done, nbytes - done));
  }
  return result;
}

Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options, void (*release)(void* context), void* context) {
  detail::check_options(options);
  STRUCTURED_CHECK(!options.device().is_meta(), "from_blob: expected a device whose tensors have elements, got meta");
  Tensor result = Tensor::adopt(TensorImpl::create(Storage(), options.device(), options.dtype()));
  result.impl()->set_sizes_contiguous(sizes);
  const std::size_t nbytes = detail::storage_nbytes(result.sizes(), result.strides(), result.element_size());
  STRUCTURED_CHECK(data != nullptr || nbytes == 0, "from_blob: expected memory of ", nbytes, " bytes for sizes ", sizes,
                   ", got a null pointer");
  result.impl()->set_storage(Storage(data, nbytes, options.device(), release, context));
  return result;
}

Tensor detail::scalar_tensor(const Scalar& value, TensorOptions options) {
  Tensor result = empty({}, options);
  if (has_host_elements("scalar_tensor", result)) store_scalar(result.data(), result.dtype(), value);
  return result;
}

Tensor wrapped_scalar_tensor(const Scalar& value) {
  Tensor result = detail::scalar_tensor(value, value.type());
  result.impl()->set_wrapped_number(true);
  return result;
}

Tensor detail::tensor_from_elements(const void* elements, std::size_t count, ScalarType type, IntArrayRef sizes) {
  Tensor result = empty(sizes, type);
  STRUCTURED_CHECK(static_cast<uint64_t>(result.numel()) == count, "tensor: expected as many elements as sizes ", sizes,
                   " hold, got ", count);
  if (count != 0) std::memcpy(result.data(), elements, result.nbytes());
  return result;
}

void detail::elements_from_tensor(const Tensor& tensor, void* elements, ScalarType type) {
  STRUCTURED_CHECK(tensor.dtype() == type, "to_vector: expected a tensor of dtype ", type, ", got ", tensor.dtype());
  STRUCTURED_CHECK(tensor.is_cpu(), "to_vector: expected a tensor on cpu, got ", tensor.device());
  char* to = static_cast<char*>(elements);
  for_each_element(tensor, [&](const char* from) {
    std::memcpy(to, from, tensor.element_size());
    to += tensor.element_size();
  });
}

}  // namespace structured
