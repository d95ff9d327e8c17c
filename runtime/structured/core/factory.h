#pragma once
// Tensors made without a dispatcher: what kernels of factories and views, adaptors and tests are built from. The public
// functions of the same names are operators.
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/core/memory_format.h"
#include "structured/core/scalar.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"

namespace structured::detail {

/// An uninitialised tensor. The storage holds what the strides reach. Throws Error for negative sizes or strides, lists
/// of different length, layouts other than Strided, pinned memory, an allocator that is missing, or too many bytes.
STRUCTURED_API Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

/// What `empty` does where the options ask for more than a dtype and a device.
STRUCTURED_API STRUCTURED_COLD Tensor empty_unusual(IntArrayRef sizes, TensorOptions options);

/// An uninitialised dense tensor in `format`, or, without, in that of the options, or else contiguous. Throws Error as
/// empty_strided does, and for Preserve.
inline Tensor empty(IntArrayRef sizes, TensorOptions options = {}, std::optional<MemoryFormat> format = std::nullopt) {
  if (format) options = options.memory_format(format);
  const TensorSignature signature = options.signature();
  if (!options.is_plain() || signature.dtype() == ScalarType::Undefined) [[unlikely]]
    return empty_unusual(sizes, options);
  return Tensor::adopt(TensorImpl::create_contiguous(sizes, signature));
}

/// Throws Error unless there can be such tensors: strided ones, of a dtype, in memory that is not pinned.
STRUCTURED_API void check_options(TensorOptions options);

/// A view of `base`: another shape over the same storage. `offset` counts elements from the storage's start. Throws
/// Error if it would reach outside the storage.
STRUCTURED_API Tensor as_strided_view(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, std::int64_t offset);

/// A new tensor over the storage of `tensor`, with its shape, that is not a view: detached from any history.
STRUCTURED_API Tensor alias(const Tensor& tensor);

/// A contiguous tensor over memory of someone else, who keeps it alive until `release(context)` is called (if given).
/// Elements of dtype Bool must be bytes of 0 or 1.
STRUCTURED_API Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options,
                                void (*release)(void* context) = nullptr, void* context = nullptr);

/// A tensor of rank 0. Without a dtype in `options` it gets that of `value`.
STRUCTURED_API Tensor scalar_tensor(const Scalar& value, TensorOptions options = {});
/// The same on cpu, marked as a number: in type promotion it only has a category (see TensorIterator).
STRUCTURED_API Tensor wrapped_scalar_tensor(const Scalar& value);

/// Bytes that a storage needs for these sizes and strides from `offset` on. Throws Error if that is not representable.
STRUCTURED_API std::size_t storage_nbytes(IntArrayRef sizes, IntArrayRef strides, std::size_t item_size,
                                          std::int64_t offset = 0);

/// Copies row-major elements of one type into a new contiguous cpu tensor, and back from any cpu tensor.
STRUCTURED_API Tensor tensor_from_elements(const void* elements, std::size_t count, ScalarType type, IntArrayRef sizes);
STRUCTURED_API void elements_from_tensor(const Tensor& tensor, void* elements, ScalarType type);

/// tensor<float>({1, 2, 3, 4}, {2, 2}); without sizes one dimension. Throws Error if the sizes hold another number of
/// elements.
template <class T>
Tensor tensor(ArrayRef<T> elements, OptionalIntArrayRef sizes = {}) {
  const auto count = static_cast<std::int64_t>(elements.size());
  return tensor_from_elements(elements.data(), elements.size(), scalar_type_of<T>, sizes.value_or(count));
}
template <class T>
Tensor tensor(std::initializer_list<T> elements, OptionalIntArrayRef sizes = {}) {
  return tensor(ArrayRef<T>(elements), sizes);
}

/// The elements in row-major order. Throws Error if T is not the dtype's C++ type.
template <class T>
std::vector<T> to_vector(const Tensor& tensor)
  requires(!std::same_as<T, bool>)
{
  std::vector<T> elements(static_cast<std::size_t>(tensor.numel()));
  elements_from_tensor(tensor, elements.data(), scalar_type_of<T>);
  return elements;
}
/// std::vector<bool> has no array of bool behind it.
template <class T>
std::vector<bool> to_vector(const Tensor& tensor)
  requires std::same_as<T, bool>
{
  std::vector<unsigned char> elements(static_cast<std::size_t>(tensor.numel()));
  elements_from_tensor(tensor, elements.data(), ScalarType::Bool);
  return std::vector<bool>(elements.begin(), elements.end());
}

}  // namespace structured::detail
