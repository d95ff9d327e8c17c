#pragma once
// Elementwise operators on CUDA devices: the host's side. It is compiled once, and launches kernels by their addresses.
#include <cstddef>
#include <type_traits>

#include "structured/cuda/export.h"
#include "structured/cuda/pointwise_table.h"
#include "structured/iterator/pointwise.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/number/scalar_type.h"
#include "structured/number/visit.h"

namespace structured::cuda {

namespace detail {

/// Launches the kernels of the iterator's common dtype in the current stream of its device. `function` is the first
/// argument of the kernels: the structure of the scalar function. Returns before they have run. Throws Error if a
/// launch fails. CPU tensors of one element may take part.
STRUCTURED_CUDA_API void run_pointwise(const TensorIteratorBase& iterator, const PointwiseTable& table,
                                       const void* function);

/// Sets each element of operand 0 to the converted element of operand 1.
void run_copy(const TensorIteratorBase& iterator);

}  // namespace detail

/// Sets each element of the iterator's output to a scalar function of the elements of its inputs.
/// `make.operator()<T>()` returns the captured values of the function for type T in the order of its members, as a
/// structure of standard layout. Types are as for structured::pointwise_kernel. Throws Error, which starts with `name`,
/// if the common dtype is not one of `Types`.
template <ScalarTypeSet Types, class Make>
void pointwise_kernel(const char* name, const TensorIteratorBase& iterator, const PointwiseTable& table,
                      const Make& make) {
  visit<Types>(name, iterator.common_dtype(), [&]<class T>() {
    const auto captured = make.template operator()<typename structured::detail::Computed<T>::Type>();
    detail::run_pointwise(iterator, table, &captured);
  });
}

/// pointwise_kernel with T the type of the common dtype itself.
template <ScalarTypeSet Types, class Make>
void pointwise_kernel_as_is(const char* name, const TensorIteratorBase& iterator, const PointwiseTable& table,
                            const Make& make) {
  visit<Types>(name, iterator.common_dtype(), [&]<class T>() {
    const auto captured = make.template operator()<T>();
    detail::run_pointwise(iterator, table, &captured);
  });
}

}  // namespace structured::cuda
