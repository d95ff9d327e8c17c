// Elements of tensors along one or several dimensions.
#pragma once

#include <ATen/WrapDimUtilsMulti.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "loops.h"

namespace host_device {

/// The elements of a tensor along some dimensions, converted to T.
template <class T>
class Line {
 public:
  Line(const at::Tensor& tensor, int64_t offset, at::IntArrayRef sizes, at::IntArrayRef strides)
      : data_(static_cast<char*>(tensor.data_ptr()) + offset * static_cast<int64_t>(tensor.element_size())),
        width_(static_cast<int64_t>(tensor.element_size())),
        dtype_(tensor.scalar_type()),
        sizes_(sizes),
        strides_(strides) {}

  int64_t size() const { return c10::multiply_integers(sizes_); }
  T operator[](int64_t i) const { return load<T>(dtype_, address(i)); }
  template <class Value>
  void set(int64_t i, Value value) const {
    store(dtype_, address(i), value);
  }

 private:
  char* address(int64_t i) const {
    int64_t offset = 0;
    for (std::size_t d = sizes_.size(); d-- > 0; i /= sizes_[d]) offset += i % sizes_[d] * strides_[d];
    return data_ + offset * width_;
  }

  char* data_;
  int64_t width_;
  at::ScalarType dtype_;
  at::IntArrayRef sizes_;
  at::IntArrayRef strides_;
};

/// Calls `visit(lines...)` for each position of the first tensor's other dimensions, with the line along `dims` of each
/// tensor. All tensors have the same number of dimensions and the same sizes in the other dimensions.
template <class T, class Visit, class... Tensors>
void for_each_line(const at::DimVector& dims, const Visit& visit, const at::Tensor& first, const Tensors&... rest) {
  constexpr std::size_t count = sizeof...(Tensors) + 1;
  const std::array<const at::Tensor*, count> tensors{&first, &rest...};
  std::vector<int64_t> outer;  // the other dimensions
  std::array<at::DimVector, count> sizes;
  std::array<at::DimVector, count> strides;
  int64_t lines = 1;
  for (int64_t d = 0; d < first.dim(); ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) {
      outer.push_back(d);
      lines *= first.size(d);
      continue;
    }
    for (std::size_t t = 0; t < count; ++t) {
      sizes[t].push_back(tensors[t]->size(d));
      strides[t].push_back(tensors[t]->stride(d));
    }
  }
  for (int64_t line = 0; line < lines; ++line) {
    std::array<int64_t, count> offsets{};
    int64_t rest_of_line = line;
    for (std::size_t i = outer.size(); i-- > 0; rest_of_line /= first.size(outer[i])) {
      const int64_t index = rest_of_line % first.size(outer[i]);
      for (std::size_t t = 0; t < count; ++t) offsets[t] += index * tensors[t]->stride(outer[i]);
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      visit(Line<T>(*tensors[I], offsets[I], sizes[I], strides[I])...);
    }(std::make_index_sequence<count>());
  }
}

/// Returns the dimensions that a reduction reduces: all if `dims` is empty.
inline at::DimVector reduced_dims(at::OptionalIntArrayRef dims, int64_t rank) {
  at::DimVector result;
  if (dims.has_value() && !dims->empty()) {
    for (const int64_t d : *dims) result.push_back(at::maybe_wrap_dim(d, rank));
  } else {
    for (int64_t d = 0; d < rank; ++d) result.push_back(d);
  }
  return result;
}

/// Returns a view of a reduction's output with dimensions of size 1 in place of the reduced ones.
inline at::Tensor with_reduced_dims(const at::Tensor& out, const at::DimVector& dims, int64_t rank, bool keepdim) {
  if (keepdim || rank == 0) return out;
  at::DimVector sizes(out.sizes());
  at::DimVector strides(out.strides());
  at::DimVector sorted(dims);
  std::sort(sorted.begin(), sorted.end());
  for (const int64_t d : sorted) {
    sizes.insert(sizes.begin() + d, 1);
    strides.insert(strides.begin() + d, 0);
  }
  return out.as_strided(sizes, strides);
}

}  // namespace host_device
