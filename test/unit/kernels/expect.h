// Helpers for tests of operators: tensors with unusual strides, and comparison with an expected value at each index.
#pragma once

#include <gtest/gtest.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "expect_error.h"

namespace structured::test {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Index = std::vector<int64_t>;

/// Calls `visit` with every index of a tensor of these sizes, in row-major order.
inline void for_each_index(IntArrayRef sizes, const std::function<void(const Index&)>& visit) {
  for (const int64_t extent : sizes) {
    if (extent == 0) return;
  }
  Index index(sizes.size(), 0);
  while (true) {
    visit(index);
    size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

/// Returns the element at `index`, computed from strides only.
template <class T>
T at(const Tensor& tensor, const Index& index) {
  const T* element = tensor.data_ptr<T>();
  for (size_t d = 0; d < index.size(); ++d) element += index[d] * tensor.strides()[d];
  return *element;
}

/// Returns a tensor of these sizes whose element i in row-major order is `value(i)`.
template <class T>
Tensor filled(IntArrayRef sizes, const std::function<T(int64_t)>& value) {
  Tensor tensor = empty(sizes, scalar_type_of<T>);
  for (int64_t i = 0; i < tensor.numel(); ++i) tensor.data_ptr<T>()[i] = value(i);
  return tensor;
}

/// Returns a tensor with elements 0, 1, 2, ... in row-major order.
template <class T>
Tensor counting(IntArrayRef sizes) {
  return filled<T>(sizes, [](int64_t i) { return static_cast<T>(i); });
}

/// A copy of `tensor` whose strides leave gaps and, from two dimensions on, have the reverse order.
inline Tensor strided(const Tensor& tensor) {
  DimVector strides(tensor.sizes().size(), 0);
  int64_t stride = 2;
  for (size_t d = 0; d < strides.size(); ++d) {
    strides[d] = stride;
    stride *= std::max<int64_t>(tensor.sizes()[d], 1) + 1;
  }
  const Tensor result = empty_strided(tensor.sizes(), strides, tensor.options());
  copy_into(result, tensor);
  return result;
}

/// A copy of `tensor` whose memory format is ChannelsLast.
inline Tensor channels_last(const Tensor& tensor) {
  const Tensor result = empty(tensor.sizes(), tensor.options(), MemoryFormat::ChannelsLast);
  copy_into(result, tensor);
  return result;
}

/// Expects each element of `actual` to equal `expected(index)`, within `tolerance` times the greater of the magnitude
/// of the expected value and 1.
template <class T>
void expect_elements(const Tensor& actual, IntArrayRef sizes, const std::function<double(const Index&)>& expected,
                     double tolerance = 0) {
  ASSERT_EQ(actual.dtype(), scalar_type_of<T>);
  ASSERT_EQ(actual.sizes(), sizes);
  for_each_index(sizes, [&](const Index& index) {
    const double value = expected(index);
    const double found = static_cast<double>(at<T>(actual, index));
    EXPECT_NEAR(found, value, tolerance * std::max(1.0, std::abs(value))) << "at " << IntArrayRef(index);
  });
}

}  // namespace structured::test
