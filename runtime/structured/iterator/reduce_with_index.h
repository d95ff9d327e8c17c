#pragma once
// CPU reductions that return the position of the selected element: max, min, argmax and so on.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "structured/base/error.h"
#include "structured/core/tensor.h"
#include "structured/iterator/loops.h"
#include "structured/iterator/reduced_dims.h"
#include "structured/number/scalar_type.h"

namespace structured {
namespace detail {

/// Best of `count` elements that are `stride` bytes apart, and its index.
template <class T, class Order>
void choose_element(const char* in, int64_t stride, int64_t count, T* value, int64_t* index) {
  T best = *reinterpret_cast<const T*>(in);
  int64_t best_index = 0;
  for (int64_t i = 1; i < count; ++i) {
    const T candidate = *reinterpret_cast<const T*>(in + i * stride);
    if (Order::is_better(candidate, best)) {
      best = candidate;
      best_index = i;
    }
  }
  *value = best;
  *index = best_index;
}

/// Best of each of `width` columns that are `column_stride` bytes apart, row by row.
template <class T, class Order>
void choose_rows(const char* in, int64_t stride, int64_t count, int64_t column_stride, int64_t width, T* values,
                 int64_t* indices) {
  const auto element = [in, stride, column_stride](int64_t row, int64_t column) {
    return *reinterpret_cast<const T*>(in + row * stride + column * column_stride);
  };
  for (int64_t j = 0; j < width; ++j) {
    values[j] = element(0, j);
    indices[j] = 0;
  }
  for (int64_t i = 1; i < count; ++i) {
    STRUCTURED_INDEPENDENT_LOOP
    for (int64_t j = 0; j < width; ++j) {
      const T candidate = element(i, j);
      const bool is_better = Order::is_better(candidate, values[j]);
      values[j] = is_better ? candidate : values[j];
      indices[j] = is_better ? i : indices[j];
    }
  }
}

}  // namespace detail

/// Sets each element of `values` to the best element of `in` along `dim`, and each element of `indices` (Long) to its
/// position. `Order::is_better(candidate, best)` says whether an element replaces an earlier one. Both outputs have the
/// sizes of `in` without `dim`, or with size 1 there. `values` and `in` have dtype T. `dim` is not negative, and its
/// size is not 0. Accepts any strides. Runs on several threads.
template <class T, class Order>
void reduce_with_index(const Tensor& values, const Tensor& indices, const Tensor& in, int64_t dim) {
  STRUCTURED_INTERNAL_ASSERT(values.scalar_type() == scalar_type_of<T> && in.scalar_type() == scalar_type_of<T> &&
                             indices.scalar_type() == kLong);
  if (values.numel() == 0) return;
  const DimMask mask = in.dim() == 0 ? 0 : DimMask{1} << dim;
  const detail::ReducedWalk walk(in, mask);
  const int64_t count = walk.count();
  const int64_t stride = walk.stride();
  const Tensor* const outs[] = {&values, &indices};
  const TensorIterator results = detail::results_iterator(outs, in, mask);
  const bool by_rows = results.ndim() > 0 && results.stride(2, 0) < stride;

  const auto loop = [=](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
    constexpr int64_t kStrip = 256;
    T best[kStrip];
    int64_t best_index[kStrip];
    const int64_t step = by_rows ? kStrip : 1;
    for (int64_t k = 0; k < outer; ++k) {
      for (int64_t begin = 0; begin < inner; begin += step) {
        const int64_t width = std::min(step, inner - begin);
        const char* const first = data[2] + k * strides[5] + begin * strides[2];
        if (by_rows) {
          detail::choose_rows<T, Order>(first, stride, count, strides[2], width, best, best_index);
        } else {
          detail::choose_element<T, Order>(first, stride, count, best, best_index);
        }
        for (int64_t i = 0; i < width; ++i) {
          *reinterpret_cast<T*>(data[0] + k * strides[3] + (begin + i) * strides[0]) = best[i];
          *reinterpret_cast<int64_t*>(data[1] + k * strides[4] + (begin + i) * strides[1]) = best_index[i];
        }
      }
    }
  };
  results.for_each(Loop2d(loop), std::max<int64_t>(1, kGrainSize / count));
}

}  // namespace structured
