// Sorting by operators that sort.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/ops/sort.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace structured::kernels {

/// The elements along `dim` in ascending order, or, with `descending`, in descending order, and where they were. NaN
/// counts as greater than any number. Equal elements keep their order.
[[structured::kernel("sort", "CompositeExplicitAutograd"), structured::returns("values", "indices")]]
std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim = -1, bool descending = false) {
  return structured::sort(self, std::optional<bool>(true), dim, descending);
}

[[structured::kernel("sort.values", "CompositeExplicitAutograd"), structured::returns("values", "indices")]]
std::tuple<Tensor&, Tensor&> sort_out(const Tensor& self, [[structured::schema_default("-1")]] int64_t dim,
                                      [[structured::schema_default("False")]] bool descending, Tensor& values,
                                      Tensor& indices) {
  return structured::sort_out(values, indices, self, std::optional<bool>(true), dim, descending);
}

/// Where the elements along `dim` were before they were sorted.
[[structured::composite("argsort")]]
Tensor argsort(const Tensor& self, int64_t dim = -1, bool descending = false) {
  return std::get<1>(structured::sort(self, std::optional<bool>(true), dim, descending));
}

[[structured::kernel("argsort.stable", "CompositeExplicitAutograd")]]
Tensor argsort_stable(const Tensor& self, [[structured::kwonly]] bool stable, int64_t dim = -1,
                      bool descending = false) {
  return std::get<1>(structured::sort(self, std::optional<bool>(stable), dim, descending));
}

/// The elements along the first dimension in ascending order.
[[structured::composite("msort")]]
Tensor msort(const Tensor& self) {
  return std::get<0>(structured::sort(self, std::optional<bool>(true), 0, false));
}

[[structured::composite("msort.out")]]
Tensor& msort_out(const Tensor& self, Tensor& out) {
  Tensor indices = detail::empty(0, self.options().dtype(kLong));
  structured::sort_out(out, indices, self, std::optional<bool>(true), 0, false);
  return out;
}

}  // namespace structured::kernels
