// Least-squares solutions of linear systems on CPU, by LAPACK.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/ops/fill.h>
#include <structured/ops/narrow.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "cpu/lapack.h"
#include "cpu/matrix_batch.h"

namespace structured::kernels {
namespace {

constexpr const char* kName = "linalg_lstsq";

enum class Driver { gels, gelsy, gelsd, gelss };

Driver driver_named(std::string_view name) {
  if (name == "gels") return Driver::gels;
  if (name == "gelsy") return Driver::gelsy;
  if (name == "gelsd") return Driver::gelsd;
  STRUCTURED_CHECK(name == "gelss", kName, ": expected `driver` gels, gelsy, gelsd or gelss, got ", name);
  return Driver::gelss;
}

// Sizes of a batch followed by `sizes`, without the last one if the right sides are vectors.
DimVector sizes_of(IntArrayRef batch, std::initializer_list<int64_t> sizes, bool is_vector) {
  DimVector result(batch);
  for (const int64_t size : sizes) result.push_back(size);
  if (is_vector) result.pop_back();
  return result;
}

// Sums of the squares of the elements of each column of `x` from row `first` on.
template <class T>
void sum_squares(const T* x, int rows, int first, int columns, lapack::Real<T>* sums) {
  for (int column = 0; column < columns; ++column) {
    sums[column] = 0;
    for (int row = first; row < rows; ++row) {
      const T element = x[int64_t{column} * rows + row];
      if constexpr (is_complex_v<T>) {
        sums[column] += element.real() * element.real() + element.imag() * element.imag();
      } else {
        sums[column] += element * element;
      }
    }
  }
}

}  // namespace

/// Least-squares solutions of `self @ X = b` for matrices `self` [..., m, n] and `b` [..., m, k], or vectors `b` [...,
/// m]: `solution` [..., n, k]; of several solutions the one of the smallest norm.
///
/// `driver` selects LAPACK's routine: gels for matrices of full rank, gelsy (the default), gelsd or gelss. Singular
/// values below `rcond` times the largest one count as 0; by default, `rcond` is the rounding error of 1 times max(m,
/// n). `residuals` [..., k] are the squared norms of `self @ X - b` if m > n, all matrices have full rank and the
/// driver is not gelsy. `rank` (Long) [...] is computed by all drivers but gels, `singular_values` [..., min(m, n)] by
/// gelsd and gelss. Results that are not computed are empty. Float, Double, ComplexFloat and ComplexDouble only.
[[structured::kernel("linalg_lstsq", "CPU", "Meta"), structured::variants("linalg_lstsq.out"),
  structured::returns("solution", "residuals", "rank", "singular_values")]]
std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& self, const Tensor& b,
                                                 std::optional<double> rcond = std::nullopt,
                                                 [[structured::kwonly]] std::optional<std::string_view> driver = {}) {
  STRUCTURED_CHECK(self.dim() >= 2, kName, ": expected `self` to have 2 dimensions or more, got ", self.dim());
  STRUCTURED_CHECK(kLapackTypes.contains(self.scalar_type()), kName, ": expected `self` of dtype ", kLapackTypes,
                   ", got ", self.scalar_type());
  STRUCTURED_CHECK(b.scalar_type() == self.scalar_type(), kName, ": expected `b` of dtype ", self.scalar_type(),
                   ", got ", b.scalar_type());
  STRUCTURED_CHECK(b.dim() == self.dim() || b.dim() + 1 == self.dim(), kName, ": expected `b` to have ", self.dim() - 1,
                   " or ", self.dim(), " dimensions, got ", b.dim());
  const bool is_vector = b.dim() < self.dim();
  const Tensor right =
      is_vector ? as_strided(b, sizes_of(b.sizes(), {1}, false), sizes_of(b.strides(), {1}, false), b.storage_offset())
                : b;
  const int m = extent(self, -2);
  const int n = extent(self, -1);
  const int columns = extent(right, -1);
  STRUCTURED_CHECK(right.size(-2) == m, kName, ": expected `b` to have ", m, " rows, got sizes ", b.sizes());
  const Driver method = driver_named(driver.value_or("gelsy"));
  const DimVector whole = broadcast_batch(self, right);
  const IntArrayRef batch(whole.data(), whole.size() - 2);
  const TensorOptions reals = self.options().dtype(to_real(self.scalar_type()));
  const int rows = std::max(m, n);
  const bool has_values = method == Driver::gelsd || method == Driver::gelss;
  const bool is_tall = m > n && method != Driver::gelsy;

  const DimVector room = sizes_of(batch, {rows, columns}, false);
  const Tensor x = empty_strided(room, column_strides(room), self.options());
  const DimVector solved = sizes_of(batch, {n, columns}, is_vector);
  const Tensor solution = as_strided(x, solved, IntArrayRef(x.strides().data(), solved.size()), 0);
  const Tensor residuals = empty(is_tall ? sizes_of(batch, {columns}, is_vector) : DimVector{0}, reals);
  const Tensor rank = empty(method != Driver::gels ? DimVector(batch) : DimVector{0}, self.options().dtype(kLong));
  const Tensor values = empty(has_values ? sizes_of(batch, {std::min(m, n)}, false) : DimVector{0}, reals);
  if (self.is_meta()) return {solution, residuals, rank, values};

  Tensor all = x;
  structured::fill_(all, 0);
  copy_into(structured::narrow(all, -2, 0, m), structured::expand(right, sizes_of(batch, {m, columns}, false)));
  const Tensor matrices = by_columns(self, batch);
  bool has_full_rank = true;
  visit_lapack(self, [&]<class T>() {
    using Real = lapack::Real<T>;
    const Real tolerance =
        rcond ? static_cast<Real>(*rcond) : std::numeric_limits<Real>::epsilon() * static_cast<Real>(std::max(m, n));
    for (int64_t i = 0; i < matrix_count(x); ++i) {
      T* const a = item<T>(matrices, i, int64_t{m} * n);
      T* const right_side = item<T>(x, i, int64_t{rows} * columns);
      lapack::LeastSquares found{0, 0};
      if (m != 0 && n != 0) {
        if (method == Driver::gels) {
          found = lapack::gels(m, n, columns, a, m, right_side, rows);
        } else if (method == Driver::gelsy) {
          found = lapack::gelsy(m, n, columns, a, m, right_side, rows, tolerance);
        } else {
          found = lapack::gelsd(method == Driver::gelsd, m, n, columns, a, m, right_side, rows,
                                item<Real>(values, i, std::min(m, n)), tolerance);
        }
      }
      STRUCTURED_CHECK(found.info == 0, kName, ": matrix ", i, " of the batch has no solution by driver ",
                       driver.value_or("gelsy"), "; it may not have full rank, or elements that are not finite");
      if (method != Driver::gels) {
        rank.data_ptr<int64_t>()[i] = found.rank;
        has_full_rank &= found.rank == n;
      }
      if (is_tall) sum_squares(right_side, rows, n, columns, item<Real>(residuals, i, columns));
    }
  });
  return {solution, has_full_rank ? residuals : empty({0}, reals), rank, values};
}

}  // namespace structured::kernels
