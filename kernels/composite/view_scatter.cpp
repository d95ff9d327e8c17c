// Copies of a tensor in which a view of it holds other elements.
#include <structured/core/error.h>
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

/// A copy of `self` whose slice (see `slice`) is `src`.
[[structured::kernel("slice_scatter", "CompositeExplicitAutograd")]]
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim = 0,
                     [[structured::symint]] std::optional<int64_t> start = std::nullopt,
                     [[structured::symint]] std::optional<int64_t> end = std::nullopt,
                     [[structured::symint]] int64_t step = 1) {
  const Tensor result = structured::clone(self);
  fill_view("slice_scatter", structured::slice(result, dim, start, end, step), src);
  return result;
}

/// A copy of `self` whose slice at `index` of `dim` is `src`.
[[structured::kernel("select_scatter", "CompositeExplicitAutograd")]]
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index) {
  const Tensor result = structured::clone(self);
  fill_view("select_scatter", structured::select(result, dim, index), src);
  return result;
}

/// A copy of `self` whose diagonal (see `diagonal`) is `src`.
[[structured::kernel("diagonal_scatter", "CompositeExplicitAutograd")]]
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) {
  const Tensor result = structured::clone(self);
  fill_view("diagonal_scatter", structured::diagonal(result, offset, dim1, dim2), src);
  return result;
}

/// A copy of `self` in which the elements that `as_strided` shows are `src`.
[[structured::kernel("as_strided_scatter", "CompositeExplicitAutograd")]]
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, [[structured::symint]] IntArrayRef size,
                          [[structured::symint]] IntArrayRef stride,
                          [[structured::symint]] std::optional<int64_t> storage_offset = std::nullopt) {
  const Tensor result = structured::clone(self);
  fill_view("as_strided_scatter", structured::as_strided(result, size, stride, storage_offset), src);
  return result;
}

}  // namespace structured::kernels
