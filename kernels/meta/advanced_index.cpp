#include "meta/advanced_index.h"

#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/shape.h>
#include <structured/ops/nonzero.h>

#include <algorithm>

namespace structured::kernels {
namespace {

bool is_number(ScalarType dtype) { return dtype == kLong || dtype == kInt; }

// Appends the indices of the true elements of `mask`, which covers the dimensions of `self` from `dim` on.
void add_mask(const char* name, const Tensor& self, const Tensor& mask, size_t dim, ScratchVector<Tensor>& indices) {
  for (size_t d = 0; d < mask.sizes().size(); ++d) {
    STRUCTURED_CHECK(dim + d < self.sizes().size() && mask.sizes()[d] == self.sizes()[dim + d], name,
                     ": expected a mask of the sizes of `self` from dimension ", dim, " on, got sizes ", mask.sizes(),
                     " for ", self.sizes());
  }
  const Tensor places = structured::nonzero(mask);
  for (int64_t d = 0; d < mask.dim(); ++d) {
    indices.push_back(
        as_strided(places, {places.size(0)}, {places.stride(0)}, places.storage_offset() + d * places.stride(1)));
  }
}

// Returns one index for each dimension of `self`, undefined for dimensions that are not indexed.
ScratchVector<Tensor> indices_by_dimension(const char* name, const Tensor& self,
                                           ArrayRef<std::optional<Tensor>> indices) {
  ScratchVector<Tensor> result;
  result.reserve(self.sizes().size());
  for (const std::optional<Tensor>& index : indices) {
    if (!index || !index->defined()) {
      result.emplace_back();
      continue;
    }
    const ScalarType dtype = index->scalar_type();
    STRUCTURED_CHECK(is_number(dtype) || dtype == kBool || dtype == kByte, name,
                     ": expected indices of dtype Long or Int, or masks of dtype Bool or Byte, got ", dtype);
    if (dtype == kLong) {
      result.push_back(*index);
    } else if (dtype == kInt) {
      result.push_back(empty(index->sizes(), index->options().dtype(kLong)));
      copy_into(result.back(), *index);
    } else {
      add_mask(name, self, *index, result.size(), result);
    }
  }
  STRUCTURED_CHECK(result.size() <= self.sizes().size(), name, ": expected at most ", self.dim(), " indices, got ",
                   result.size());
  result.resize(self.sizes().size());
  return result;
}

}  // namespace

AdvancedIndex advanced_index(const char* name, const Tensor& self, ArrayRef<std::optional<Tensor>> indices) {
  const ScratchVector<Tensor> given = indices_by_dimension(name, self, indices);
  AdvancedIndex result;
  result.dims.wraps = true;
  DimVector shape;
  size_t first = given.size();
  size_t last = 0;
  for (size_t d = 0; d < given.size(); ++d) {
    if (!given[d].defined()) continue;
    shape = broadcast_shape(shape, given[d].sizes());
    first = std::min(first, d);
    last = d;
    result.dims.numbers.push_back(static_cast<int64_t>(d));
    result.dims.sizes.push_back(self.sizes()[d]);
    result.dims.strides.push_back(self.strides()[d] * static_cast<int64_t>(self.element_size()));
  }
  const size_t count = result.dims.sizes.size();
  const bool is_adjacent = count != 0 && last - first + 1 == count;
  const size_t place = is_adjacent ? first : 0;

  DimVector sizes;
  DimVector strides;
  const auto add_indexed = [&] {
    for (const int64_t size : shape) {
      sizes.push_back(size);
      strides.push_back(0);
    }
  };
  bool is_empty = false;
  for (const int64_t size : shape) is_empty |= size == 0;
  if (!is_adjacent) add_indexed();
  for (size_t d = 0; d < given.size(); ++d) {
    if (is_adjacent && d == first) add_indexed();
    if (given[d].defined()) {
      STRUCTURED_CHECK(self.sizes()[d] != 0 || is_empty, name, ": expected no indices for dimension ", d,
                       " of size 0, got sizes ", given[d].sizes());
    } else {
      sizes.push_back(self.sizes()[d]);
      strides.push_back(self.strides()[d]);
    }
  }
  result.indices.reserve(count);
  result.places = as_strided(self, sizes, strides, self.storage_offset());

  for (const Tensor& index : given) {
    if (!index.defined()) continue;
    DimVector steps(sizes.size(), 0);
    const size_t missing = place + shape.size() - index.sizes().size();
    for (size_t d = 0; d < index.sizes().size(); ++d) {
      if (index.sizes()[d] != 1) steps[missing + d] = index.strides()[d];
    }
    DimVector extents(sizes.size(), 1);
    for (size_t d = 0; d < shape.size(); ++d) extents[place + d] = shape[d];
    result.indices.push_back(as_strided(index, extents, steps, index.storage_offset()));
  }
  size_t masks = 0;
  size_t numbers = 0;
  for (const std::optional<Tensor>& index : indices) {
    if (!index || !index->defined()) continue;
    ++(is_number(index->scalar_type()) ? numbers : masks);
  }
  result.is_distinct = numbers == 0 && masks <= 1;
  return result;
}

}  // namespace structured::kernels
