// Operators that move elements: gather, scatter, indexing by tensors, concatenation, triangles, nearest neighbours.
#include <ATen/core/IListRef.h>
#include <ATen/ops/cat_meta.h>
#include <ATen/ops/index_meta.h>
#include <structured/torch.h>

#include <cmath>
#include <cstring>

#include "lines.h"

namespace host_device {
namespace {

/// Calls `visit(index)` for the index of each element.
template <class Visit>
void for_each_index(at::IntArrayRef sizes, const Visit& visit) {
  const int64_t count = c10::multiply_integers(sizes);
  at::DimVector index(sizes.size(), 0);
  for (int64_t n = 0; n < count; ++n) {
    visit(index);
    for (std::size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

char* address_of(const at::Tensor& tensor, const at::DimVector& index) {
  int64_t offset = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(tensor.dim()); ++d) offset += index[d] * tensor.stride(d);
  return static_cast<char*>(tensor.data_ptr()) + offset * static_cast<int64_t>(tensor.element_size());
}

int64_t checked_index(const at::Tensor& index, const at::DimVector& at, int64_t size) {
  const auto value = load<int64_t>(index.scalar_type(), address_of(index, at));
  TORCH_CHECK_INDEX(value >= 0 && value < size, "index ", value, " is out of bounds for dimension with size ", size);
  return value;
}

/// Calls `visit(place in indexed, place in index)` for each element of `index`.
template <class Visit>
void for_each_indexed(const at::Tensor& indexed, int64_t dim, const at::Tensor& index, const Visit& visit) {
  if (index.dim() == 0 || index.numel() == 0) {
    if (index.numel() == 0) return;
    checked_index(index, {}, indexed.dim() == 0 ? 1 : indexed.size(0));
    at::DimVector place(static_cast<std::size_t>(indexed.dim()), 0);
    if (!place.empty()) place[0] = load<int64_t>(index.scalar_type(), address_of(index, {}));
    visit(place, at::DimVector());
    return;
  }
  const auto along = static_cast<std::size_t>(at::maybe_wrap_dim(dim, index.dim()));
  for_each_index(index.sizes(), [&](const at::DimVector& at) {
    at::DimVector place(at.begin(), at.begin() + indexed.dim());
    const int64_t found = checked_index(index, at, indexed.dim() == 0 ? 1 : indexed.size(along));
    if (!place.empty()) place[along] = found;
    visit(place, at);
  });
}

void copy_triangle(const at::Tensor& self, int64_t diagonal, bool is_upper, const at::Tensor& out) {
  const auto width = self.element_size();
  for_each_index(self.sizes(), [&](const at::DimVector& at) {
    const int64_t distance = at[at.size() - 1] - at[at.size() - 2];
    const bool is_kept = is_upper ? distance >= diagonal : distance <= diagonal;
    if (is_kept) {
      std::memcpy(address_of(out, at), address_of(self, at), width);
    } else {
      std::memset(address_of(out, at), 0, width);
    }
  });
}

}  // namespace

[[structured::impl("gather.out", "PrivateUse1")]]
void gather_host(const at::Tensor& self, int64_t dim, const at::Tensor& index, bool sparse_grad,
                 const at::Tensor& out) {
  for_each_indexed(self, dim, index, [&](const at::DimVector& place, const at::DimVector& at) {
    std::memcpy(address_of(out, at), address_of(self, place), self.element_size());
  });
}

[[structured::impl("scatter.src_out", "PrivateUse1")]]
void scatter_host(const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Tensor& src,
                  const at::Tensor& out) {
  if (!out.is_same(self)) out.copy_(self);
  for_each_indexed(out, dim, index, [&](const at::DimVector& place, const at::DimVector& at) {
    std::memcpy(address_of(out, place), address_of(src, at), out.element_size());
  });
}

[[structured::impl("scatter.value_out", "PrivateUse1")]]
void scatter_value_host(const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Scalar& value,
                        const at::Tensor& out) {
  if (!out.is_same(self)) out.copy_(self);
  visit_compute_type("scatter", out.scalar_type(), [&]<class T>() {
    for_each_indexed(out, dim, index, [&, v = value.to<T>()](const at::DimVector& place, const at::DimVector&) {
      store(out.scalar_type(), address_of(out, place), v);
    });
  });
}

[[structured::impl("scatter_add.out", "PrivateUse1")]]
void scatter_add_host(const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Tensor& src,
                      const at::Tensor& out) {
  if (!out.is_same(self)) out.copy_(self);
  visit_compute_type("scatter_add", out.scalar_type(), [&]<class T>() {
    for_each_indexed(out, dim, index, [&](const at::DimVector& place, const at::DimVector& at) {
      char* const target = address_of(out, place);
      const T sum = load<T>(out.scalar_type(), target) + load<T>(src.scalar_type(), address_of(src, at));
      store(out.scalar_type(), target, sum);
    });
  });
}

// The iterator's operands are the output, `self` without the indexed dimensions, and the indices. The precomputed
// values are the sizes of these dimensions, and their strides in bytes.
[[structured::impl("index.Tensor_out", "PrivateUse1")]]
void index_host(at::TensorIteratorBase& op, const at::Tensor& self, at::IOptTensorListRef indices,
                const at::meta::structured_index_Tensor::meta_return_ty& precomputed, const at::Tensor& out) {
  const std::size_t width = self.element_size();
  op.for_each([&](char** data, const int64_t* strides, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      int64_t offset = 0;
      for (std::size_t k = 0; k < precomputed.sizes.size(); ++k) {
        const int64_t size = precomputed.sizes[k];
        int64_t index = *reinterpret_cast<const int64_t*>(data[k + 2] + i * strides[k + 2]);
        TORCH_CHECK_INDEX(index >= -size && index < size, "index ", index, " is out of bounds for dimension ", k,
                          " with size ", size);
        if (index < 0) index += size;
        offset += index * precomputed.strides[k];
      }
      std::memcpy(data[0] + i * strides[0], data[1] + i * strides[1] + offset, width);
    }
  });
}

[[structured::impl("cat.out", "PrivateUse1")]]
void cat_host(const at::ITensorListRef& tensors, const at::meta::structured_cat::meta_return_ty& precomputed,
              const at::Tensor& out) {
  int64_t begin = 0;
  for (const at::Tensor& tensor : tensors) {
    if (tensor.dim() == 1 && tensor.size(0) == 0) continue;  // empty vectors are skipped whatever their rank
    const int64_t size = tensor.size(precomputed.dim);
    out.narrow(precomputed.dim, begin, size).copy_(tensor);
    begin += size;
  }
}

[[structured::impl("tril.out", "PrivateUse1")]]
void tril_host(const at::Tensor& self, int64_t diagonal, const at::Tensor& out) {
  copy_triangle(self, diagonal, /*is_upper=*/false, out);
}

[[structured::impl("triu.out", "PrivateUse1")]]
void triu_host(const at::Tensor& self, int64_t diagonal, const at::Tensor& out) {
  copy_triangle(self, diagonal, /*is_upper=*/true, out);
}

[[structured::impl("upsample_nearest2d.out", "PrivateUse1")]]
void upsample_nearest2d_host(const at::Tensor& self, at::IntArrayRef output_size, std::optional<double> scales_h,
                             std::optional<double> scales_w, const at::Tensor& out) {
  const auto source = [&](int64_t at, std::size_t dim, std::optional<double> scale) {
    const auto size = static_cast<float>(self.size(dim));
    const float step =
        scale && *scale > 0 ? static_cast<float>(1.0 / *scale) : size / static_cast<float>(out.size(dim));
    return std::min(static_cast<int64_t>(std::floor(static_cast<float>(at) * step)), self.size(dim) - 1);
  };
  for_each_index(out.sizes(), [&](const at::DimVector& at) {
    const at::DimVector place{at[0], at[1], source(at[2], 2, scales_h), source(at[3], 3, scales_w)};
    std::memcpy(address_of(out, at), address_of(self, place), self.element_size());
  });
}

}  // namespace host_device
