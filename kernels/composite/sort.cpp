// Composite kernels for sort, argsort and msort.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/ops/sort.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {

/// Sorts elements along `dim` in ascending order, or descending order if `descending`. Returns the sorted values and
/// their original indices (Long). NaN compares greater than any number. The sort is stable. Complex inputs are not
/// supported.
[[structured::kernel("sort", "CompositeExplicitAutograd"), structured::returns("values", "indices")]]
std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim = -1, bool descending = false) {
  return structured::sort(self, std::optional<bool>(true), dim, descending);
}

/// Sorts elements along `dim` and writes the values and their original indices (Long) to `values` and `indices`. The
/// order is ascending, or descending if `descending`; NaN compares greater than any number. The sort is stable. Complex
/// inputs are not supported.
[[structured::kernel("sort.values", "CompositeExplicitAutograd"), structured::returns("values", "indices")]]
std::tuple<Tensor&, Tensor&> sort_out(const Tensor& self, [[structured::schema_default("-1")]] int64_t dim,
                                      [[structured::schema_default("False")]] bool descending, Tensor& values,
                                      Tensor& indices) {
  return structured::sort_out(values, indices, self, std::optional<bool>(true), dim, descending);
}

/// Indices (Long) that sort `self` along `dim` in ascending order, or descending order if `descending`. NaN compares
/// greater than any number. Equal elements keep their order. Complex inputs are not supported.
[[structured::composite("argsort")]]
Tensor argsort(const Tensor& self, int64_t dim = -1, bool descending = false) {
  return std::get<1>(structured::sort(self, std::optional<bool>(true), dim, descending));
}

/// Indices (Long) that sort `self` along `dim` in ascending order, or descending order if `descending`. NaN compares
/// greater than any number. Equal elements keep their order regardless of `stable`. Complex inputs are not supported.
[[structured::kernel("argsort.stable", "CompositeExplicitAutograd"), structured::variants("argsort.stable_out"),
  structured::not_differentiable]]
Tensor argsort_stable(const Tensor& self, [[structured::kwonly]] bool stable, int64_t dim = -1,
                      bool descending = false) {
  return std::get<1>(structured::sort(self, std::optional<bool>(stable), dim, descending));
}

/// Sorts `self` along its first dimension in ascending order. NaN compares greater than any number. The sort is stable.
/// Complex inputs are not supported.
[[structured::composite("msort")]]
Tensor msort(const Tensor& self) {
  return std::get<0>(structured::sort(self, std::optional<bool>(true), 0, false));
}

/// Sorts `self` along its first dimension in ascending order and writes the result to `out`. NaN compares greater than
/// any number. The sort is stable. Complex inputs are not supported.
[[structured::composite("msort.out")]]
Tensor& msort_out(const Tensor& self, Tensor& out) {
  Tensor indices = empty(0, self.options().dtype(kLong));
  structured::sort_out(out, indices, self, std::optional<bool>(true), 0, false);
  return out;
}

}  // namespace structured::kernels
