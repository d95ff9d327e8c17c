#include "structured/iterator/reduced_dims.h"

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/core/wrap_dim.h"

namespace structured {
namespace {

bool contains(DimMask mask, std::size_t dim) { return (mask >> dim & 1) != 0; }

}  // namespace

DimMask detail::reduced_many_dims(const char* name, OptionalIntArrayRef dims, int64_t rank) {
  const DimMask all = rank == static_cast<int64_t>(kMaxDims) ? ~DimMask{0} : (DimMask{1} << rank) - 1;
  if (!dims.has_value() || dims->empty()) return all;
  if (dims->size() == 1) return (DimMask{1} << wrap_dim((*dims)[0], rank)) & all;
  DimMask mask = 0;
  for (const int64_t dim : *dims) {
    const auto wrapped = static_cast<std::size_t>(wrap_dim(dim, rank));
    STRUCTURED_CHECK(!contains(mask, wrapped), name, ": expected each dimension once, got ", *dims, " for ", rank,
                     " dimensions");
    mask |= DimMask{1} << wrapped;
  }
  return mask & all;  // a 0-dimensional tensor accepts dimension 0, but has none
}

DimVector reduced_sizes(IntArrayRef sizes, DimMask mask, bool keepdim) {
  DimVector result;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (!contains(mask, d)) {
      result.push_back(sizes[d]);
    } else if (keepdim) {
      result.push_back(1);
    }
  }
  return result;
}

namespace detail {

TensorIterator results_iterator(ArrayRef<const Tensor*> outs, const Tensor& in, DimMask mask) {
  const auto rank = static_cast<std::size_t>(in.dim());
  DimVector dims;
  for (std::size_t d = 0; d < rank; ++d) {
    if (contains(mask, d)) dims.push_back(static_cast<int64_t>(d));
  }
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).declare_static_shape(in.sizes(), dims);
  for (const Tensor* const out : outs) {
    if (static_cast<std::size_t>(out->dim()) == rank) {
      config.add_output(*out);
      continue;
    }
    DimVector sizes(out->sizes());
    DimVector strides(out->strides());
    for (const int64_t dim : dims) {
      sizes.insert(static_cast<std::size_t>(dim), 1);
      strides.insert(static_cast<std::size_t>(dim), 0);
    }
    config.add_output(as_strided(*out, sizes, strides, out->storage_offset()));
  }
  return config.add_input(in).build();
}

ReducedWalk::ReducedWalk(const Tensor& in, DimMask mask) {
  const int shift = item_size_log2(in.scalar_type());
  for (std::size_t d = 0; d < in.sizes().size(); ++d) {
    const int64_t size = in.sizes()[d];
    if (!contains(mask, d)) continue;
    count_ *= size;
    if (size == 1) continue;
    const int64_t stride = in.strides()[d] << shift;
    std::size_t place = sizes_.size();
    while (place > 0 && strides_[place - 1] >= stride) --place;
    sizes_.insert(place, size);
    strides_.insert(place, stride);
  }
  for (std::size_t d = sizes_.size(); d-- > 1;) {
    if (strides_[d] != strides_[d - 1] * sizes_[d - 1]) continue;
    sizes_[d - 1] *= sizes_[d];
    sizes_.erase(d);
    strides_.erase(d);
  }
  if (sizes_.empty()) {
    sizes_.push_back(1);
    strides_.push_back(int64_t{1} << shift);
  }
}

}  // namespace detail
}  // namespace structured
