// Copies of a tensor in which a view is replaced.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/ops/as_strided.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

void fill_view(const char* name, Tensor view, const Tensor& src) {
  STRUCTURED_CHECK(view.sizes() == src.sizes(), name, ": expected `src` of sizes ", view.sizes(), ", got ",
                   src.sizes());
  structured::copy_(view, src);
}

}  // namespace

/// Copy of `self` in which the slice `start` to `end` with step `step` along `dim` is replaced by `src`. `src` has the
/// shape of the slice.
[[structured::kernel("slice_scatter", "CompositeExplicitAutograd"), structured::variants("slice_scatter.out")]]
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim = 0,
                     [[structured::symint]] std::optional<int64_t> start = std::nullopt,
                     [[structured::symint]] std::optional<int64_t> end = std::nullopt,
                     [[structured::symint]] int64_t step = 1) {
  const Tensor result = structured::clone(self);
  fill_view("slice_scatter", structured::slice(result, dim, start, end, step), src);
  return result;
}

/// Copy of `self` in which the slice at `index` along `dim` is replaced by `src`. `src` has the shape of the slice.
[[structured::kernel("select_scatter", "CompositeExplicitAutograd"), structured::variants("select_scatter.out")]]
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index) {
  const Tensor result = structured::clone(self);
  fill_view("select_scatter", structured::select(result, dim, index), src);
  return result;
}

/// Copy of `self` in which diagonal `offset` of the dimensions `dim1` and `dim2` is replaced by `src`. `src` has the
/// shape of the diagonal.
[[structured::kernel("diagonal_scatter", "CompositeExplicitAutograd"), structured::variants("diagonal_scatter.out")]]
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) {
  const Tensor result = structured::clone(self);
  fill_view("diagonal_scatter", structured::diagonal(result, offset, dim1, dim2), src);
  return result;
}

/// Copy of `self` in which the elements addressed by `as_strided` with `size`, `stride` and `storage_offset` are
/// replaced by `src`. `src` has shape `size`.
[[structured::kernel("as_strided_scatter", "CompositeExplicitAutograd"),
  structured::variants("as_strided_scatter.out")]]
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, [[structured::symint]] IntArrayRef size,
                          [[structured::symint]] IntArrayRef stride,
                          [[structured::symint]] std::optional<int64_t> storage_offset = std::nullopt) {
  const Tensor result = structured::clone(self);
  fill_view("as_strided_scatter", structured::as_strided(result, size, stride, storage_offset), src);
  return result;
}

}  // namespace structured::kernels
