#include "meta/dense_strides.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace structured::kernels {
namespace {

// Returns 1 if dimension `a` must be outer to `b`, -1 if inner, 0 if the strides do not determine their order.
int compare(const Tensor& self, size_t a, size_t b) {
  const int64_t stride_a = self.strides()[a];
  const int64_t stride_b = self.strides()[b];
  if (stride_a == 0 || stride_b == 0) return 0;
  if (stride_a != stride_b) return stride_a > stride_b ? 1 : -1;
  return self.sizes()[a] > self.sizes()[b] ? 1 : 0;
}

}  // namespace

DimVector dense_strides(const Tensor& self) {
  // Insertion sort from the innermost dimension, as in TensorIterator: skips dimensions whose order is undetermined in
  // case a later comparison determines it.
  DimVector order;
  for (size_t d = self.sizes().size(); d-- > 0;) {
    size_t place = order.size();
    order.push_back(static_cast<int64_t>(d));
    for (size_t inner = place; inner-- > 0;) {
      const int comparison = compare(self, static_cast<size_t>(order[inner]), static_cast<size_t>(order[place]));
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(order[inner], order[place]);
      place = inner;
    }
  }
  DimVector strides(order.size(), 1);
  int64_t stride = 1;
  for (const int64_t dim : order) {
    const auto at = static_cast<size_t>(dim);
    strides[at] = stride;
    stride *= std::max<int64_t>(self.sizes()[at], 1);
  }
  return strides;
}

DimVector preserved_strides(const Tensor& self) {
  return self.is_non_overlapping_and_dense() ? DimVector(self.strides()) : dense_strides(self);
}

}  // namespace structured::kernels
