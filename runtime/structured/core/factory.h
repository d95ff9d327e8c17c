#pragma once
// Construction of tensors and views without a dispatcher. All functions of this header work in a program that links
// only the runtime.
//
// `empty`, `empty_strided`, `zeros`, `full`, `as_strided` and `scalar_tensor` are also operators of the operator
// library, with the same parameters and results. They are function templates here because C++ prefers a function to a
// template that matches equally well: code that includes the operator's header calls the operator, which layers see,
// and code that does not include it calls the function of this header. No call is ambiguous.
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/core/memory_format.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"
#include "structured/number/scalar.h"

namespace structured {

namespace detail {

STRUCTURED_API STRUCTURED_COLD Tensor empty_unusual(IntArrayRef sizes, TensorOptions options);
inline Tensor empty(IntArrayRef sizes, TensorOptions options = {}, std::optional<MemoryFormat> format = std::nullopt) {
  if (format) options = options.memory_format(format);
  const TensorSignature signature = options.signature();
  if (!options.is_plain() || signature.dtype() == ScalarType::Undefined) [[unlikely]]
    return empty_unusual(sizes, options);
  return Tensor::adopt(TensorImpl::create_contiguous(sizes, signature));
}
STRUCTURED_API Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {});
STRUCTURED_API Tensor zeros(IntArrayRef sizes, TensorOptions options);
STRUCTURED_API Tensor full(IntArrayRef sizes, const Scalar& value, TensorOptions options);
STRUCTURED_API Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, int64_t offset);
STRUCTURED_API Tensor scalar_tensor(const Scalar& value, TensorOptions options);

/// Throws Error unless `options` describe strided tensors of some dtype in memory that is not pinned.
STRUCTURED_API void check_options(TensorOptions options);

/// Bytes that a storage needs for these sizes and strides from `offset` on. Throws Error if that is not representable.
STRUCTURED_API std::size_t storage_nbytes(IntArrayRef sizes, IntArrayRef strides, std::size_t item_size,
                                          int64_t offset = 0);

STRUCTURED_API Tensor tensor_from_elements(const void* elements, std::size_t count, ScalarType type, IntArrayRef sizes);
STRUCTURED_API void elements_from_tensor(const Tensor& tensor, void* elements, ScalarType type);

}  // namespace detail

/// Returns an uninitialised dense tensor in `format`, or else in the memory format of `options`, or else contiguous.
/// The dtype defaults to default_dtype(), the device to the CPU. Throws Error for negative sizes, more than 64
/// dimensions, too many bytes, layouts other than Strided, pinned memory, memory format Preserve, and a device without
/// an allocator. Thread-safe.
template <class = void>
STRUCTURED_ALWAYS_INLINE Tensor empty(IntArrayRef sizes, TensorOptions options = {},
                                      std::optional<MemoryFormat> format = std::nullopt) {
  return detail::empty(sizes, options, format);
}

/// Returns an uninitialised tensor of these sizes and strides, with a storage that is just large enough. Throws Error
/// as `empty` does, and for negative strides and lists of different length. Thread-safe.
template <class = void>
STRUCTURED_ALWAYS_INLINE Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions options = {}) {
  return detail::empty_strided(sizes, strides, options);
}

/// Returns a tensor of zeros. Options are those of `empty`. Throws Error as `empty` does, and for devices other than
/// meta whose memory the host cannot write. Thread-safe.
template <class = void>
STRUCTURED_ALWAYS_INLINE Tensor zeros(IntArrayRef sizes, TensorOptions options = {}) {
  return detail::zeros(sizes, options);
}

/// Returns a tensor whose elements all are `value`. Without a dtype in `options` it is Bool for a bool, Long for an
/// integer, default_dtype() for a floating-point number, and the complex type of that width for a complex number.
/// Throws Error as `zeros` does, and if `value` does not fit the dtype. Thread-safe.
template <class = void>
STRUCTURED_ALWAYS_INLINE Tensor full(IntArrayRef sizes, const Scalar& value, TensorOptions options = {}) {
  return detail::full(sizes, value, options);
}

/// Returns a view of the storage of `self` with other sizes and strides. `offset` counts elements from the storage's
/// start and defaults to the offset of `self`. Throws Error for negative sizes, strides and offsets, and if the view
/// would reach outside the storage. The view has no names.
template <class = void>
STRUCTURED_ALWAYS_INLINE Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                                           std::optional<int64_t> offset = std::nullopt) {
  return detail::as_strided(self, sizes, strides, offset ? *offset : self.storage_offset());
}

/// Returns a tensor without dimensions that holds `value`. The dtype defaults to default_dtype(). Throws Error if
/// `value` does not fit the dtype, and for devices other than the CPU and meta. Thread-safe.
template <class = void>
STRUCTURED_ALWAYS_INLINE Tensor scalar_tensor(const Scalar& value, TensorOptions options = {}) {
  return detail::scalar_tensor(value, options);
}

/// Returns a tensor without dimensions on the CPU that holds `value` in its own type: Bool, Long, Double or
/// ComplexDouble. Marks it as a wrapped number, so that type promotion considers only its category.
STRUCTURED_API Tensor wrapped_scalar_tensor(const Scalar& value);

/// Returns a contiguous tensor over foreign memory. The memory must stay valid until `release(context)` is called,
/// which happens once, when the last tensor that uses it is destroyed, on the thread that destroys it. Without
/// `release` it must outlive all tensors. Elements of dtype Bool must be bytes of 0 or 1. Throws Error for device meta,
/// and for a null pointer unless there are no elements; `release` is not called in that case.
STRUCTURED_API Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options,
                                void (*release)(void* context) = nullptr, void* context = nullptr);

/// The overload for any deleter, which is called with `data`. Throws Error as the other one does.
template <class Deleter>
  requires std::invocable<Deleter&, void*>
Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions options, Deleter deleter) {
  struct Context {
    void* data;
    Deleter deleter;
  };
  auto context = std::make_unique<Context>(data, std::move(deleter));
  const auto release = [](void* pointer) {
    const std::unique_ptr<Context> owned(static_cast<Context*>(pointer));
    owned->deleter(owned->data);
  };
  Tensor result = from_blob(data, sizes, options, +release, context.get());
  static_cast<void>(context.release());
  return result;
}

/// Returns a new contiguous tensor on the CPU with these elements in row-major order: `tensor<float>({1, 2, 3, 4}, {2,
/// 2})`. Without `sizes` it has one dimension. Throws Error if `sizes` hold another number of elements. Thread-safe.
template <class T>
Tensor tensor(ArrayRef<T> elements, OptionalIntArrayRef sizes = {}) {
  const auto count = static_cast<int64_t>(elements.size());
  return detail::tensor_from_elements(elements.data(), elements.size(), scalar_type_of<T>, sizes.value_or(count));
}
template <class T>
Tensor tensor(std::initializer_list<T> elements, OptionalIntArrayRef sizes = {}) {
  return tensor(ArrayRef<T>(elements), sizes);
}
/// The overload for rows: `tensor<float>({{1, 2}, {3, 4}})` is a matrix. Throws Error if rows differ in length.
template <class T>
  requires(!is_complex_v<T>)
Tensor tensor(std::initializer_list<std::initializer_list<T>> rows) {
  const std::size_t columns = rows.size() == 0 ? 0 : rows.begin()->size();
  std::vector<std::conditional_t<std::same_as<T, bool>, unsigned char, T>> elements;
  elements.reserve(rows.size() * columns);
  for (const std::initializer_list<T>& row : rows) {
    STRUCTURED_CHECK(row.size() == columns, "tensor: expected rows of ", columns, " elements, got one of ", row.size());
    elements.insert(elements.end(), row.begin(), row.end());
  }
  return detail::tensor_from_elements(elements.data(), elements.size(), scalar_type_of<T>,
                                      {static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns)});
}

/// The overload for matrices: `tensor<float>({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})` has three dimensions. Throws Error
/// if the matrices differ in size.
template <class T>
  requires(!is_complex_v<T>)
Tensor tensor(std::initializer_list<std::initializer_list<std::initializer_list<T>>> matrices) {
  std::vector<std::conditional_t<std::same_as<T, bool>, unsigned char, T>> elements;
  const std::size_t rows = matrices.size() == 0 ? 0 : matrices.begin()->size();
  const std::size_t columns = rows == 0 ? 0 : matrices.begin()->begin()->size();
  for (const auto& matrix : matrices) {
    STRUCTURED_CHECK(matrix.size() == rows, "tensor: expected matrices of ", rows, " rows, got one of ", matrix.size());
    for (const std::initializer_list<T>& row : matrix) {
      STRUCTURED_CHECK(row.size() == columns, "tensor: expected rows of ", columns, " elements, got one of ",
                       row.size());
      elements.insert(elements.end(), row.begin(), row.end());
    }
  }
  return detail::tensor_from_elements(
      elements.data(), elements.size(), scalar_type_of<T>,
      {static_cast<int64_t>(matrices.size()), static_cast<int64_t>(rows), static_cast<int64_t>(columns)});
}
/// The overload for a std::vector, whose element type decides the dtype.
template <class T>
Tensor tensor(const std::vector<T>& elements, OptionalIntArrayRef sizes = {}) {
  if constexpr (std::same_as<T, bool>) {
    const std::vector<unsigned char> bytes(elements.begin(), elements.end());
    return detail::tensor_from_elements(bytes.data(), bytes.size(), ScalarType::Bool,
                                        sizes.value_or(static_cast<int64_t>(bytes.size())));
  } else {
    return tensor(ArrayRef<T>(elements), sizes);
  }
}
/// The overload for a number: a tensor without dimensions.
template <class T>
  requires std::is_arithmetic_v<T>
Tensor tensor(T value) {
  return detail::tensor_from_elements(&value, 1, scalar_type_of<T>, IntArrayRef());
}

/// Returns the elements in row-major order. Throws Error if T is not the dtype's C++ type, and if `tensor` is not on
/// the CPU.
template <class T>
std::vector<T> to_vector(const Tensor& tensor)
  requires(!std::same_as<T, bool>)
{
  std::vector<T> elements(static_cast<std::size_t>(tensor.numel()));
  detail::elements_from_tensor(tensor, elements.data(), scalar_type_of<T>);
  return elements;
}
/// The overload for bool, because std::vector<bool> does not store an array of bool.
template <class T>
std::vector<bool> to_vector(const Tensor& tensor)
  requires std::same_as<T, bool>
{
  std::vector<unsigned char> elements(static_cast<std::size_t>(tensor.numel()));
  detail::elements_from_tensor(tensor, elements.data(), ScalarType::Bool);
  return std::vector<bool>(elements.begin(), elements.end());
}

}  // namespace structured
