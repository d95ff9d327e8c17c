// Maxima of rows with equal indices.
#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "ragged.h"

namespace geometry {
namespace {

void check_scatter(const char* name, const at::Tensor& values, const at::Tensor& index) {
  TORCH_CHECK(values.dim() > 0, name, ": expected `values` with at least one dimension, got none");
  TORCH_CHECK(index.dim() == 1 && index.size(0) == values.size(0), name, ": expected `index` with sizes [",
              values.size(0), "], one for each row of `values`, got ", index.sizes());
  TORCH_CHECK(index.scalar_type() == at::kLong, name, ": expected `index` of dtype Long, got ", index.scalar_type());
}

/// Checks a tensor with the result's rows.
void check_rows(const char* name, const char* argument, const at::Tensor& rows, const at::Tensor& values) {
  TORCH_CHECK(rows.dim() == values.dim(), name, ": expected `", argument, "` with ", values.dim(),
              " dimensions, as many as `values`, got ", rows.dim());
  for (int64_t d = 1; d < values.dim(); ++d) {
    TORCH_CHECK(rows.size(d) == values.size(d), name, ": expected `", argument, "` with the size ", values.size(d),
                " of `values` in dimension ", d, ", got ", rows.size(d));
  }
}

/// Updates contiguous maxima and the rows that have them. A row `argmax` of -1 without `has_initial` has no maximum
/// yet.
void update_maxima(const char* name, const at::Tensor& max, const at::Tensor& argmax, const at::Tensor& values,
                   const at::Tensor& index, bool has_initial) {
  const at::Tensor rows = values.contiguous(), targets = index.contiguous();
  const at::ArrayRef<int64_t> target = integers(targets);
  for (const int64_t i : target) {
    TORCH_CHECK(i >= 0 && i < max.size(0), name, ": expected values of `index` from 0 to ", max.size(0) - 1, ", got ",
                i);
  }
  const int64_t width = row_size(values);
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "scatter_max", [&] {
    const auto* source = rows.const_data_ptr<scalar_t>();
    auto* maxima = max.data_ptr<scalar_t>();
    auto* indices = argmax.data_ptr<int64_t>();
    // Rows may have equal indices, and columns are independent.
    at::parallel_for(0, width, /*grain_size=*/64, [&](int64_t begin, int64_t end) {
      for (std::size_t row = 0; row < target.size(); ++row) {
        for (int64_t j = begin; j < end; ++j) {
          const scalar_t value = source[static_cast<int64_t>(row) * width + j];
          const int64_t at = target[row] * width + j;
          if ((has_initial || indices[at] >= 0) && !is_larger(value, maxima[at])) continue;
          maxima[at] = value;
          indices[at] = static_cast<int64_t>(row);
        }
      }
    });
  });
}

}  // namespace

/// The maximum of the rows with equal `index`, element by element, and the rows that have it.
///
/// `values` is [N, ...], float or double, and `index` [N], of dtype Long, has values from 0 to `size - 1`. `max` and
/// `argmax`, of dtype Long, are [size, ...]; `argmax` is the first row of `values` with the maximum. The maxima begin
/// with `initial` [size, ...], if it is given. Where no row is larger than that, or no row has the index, `argmax` is
/// -1, and without `initial` the maximum is 0. NaN is larger than any number. Throws for other shapes, dtypes and
/// indices. The gradient flows to the rows of `argmax`, and to `initial` elsewhere.
[[structured::meta("scatter_max"), structured::returns("max", "argmax"), structured::autocast("fp32")]]
void scatter_max_meta(at::impl::MetaBase& op, const at::Tensor& values, const at::Tensor& index,
                      [[structured::symint]] int64_t size, const std::optional<at::Tensor>& initial = {}) {
  check_scatter("scatter_max", values, index);
  TORCH_CHECK(size >= 0, "scatter_max: expected a `size` that is not negative, got ", size);
  if (initial.has_value()) {
    check_rows("scatter_max", "initial", *initial, values);
    TORCH_CHECK(initial->size(0) == size && initial->scalar_type() == values.scalar_type(),
                "scatter_max: expected `initial` with ", size, " rows of dtype ", values.scalar_type(), ", got ",
                initial->size(0), " of dtype ", initial->scalar_type());
  }
  std::vector<int64_t> sizes = values.sizes().vec();
  sizes[0] = size;
  op.set_output_contiguous(0, sizes, values.options());
  op.set_output_contiguous(1, sizes, values.options().dtype(at::kLong));
}

[[structured::impl("scatter_max", "CPU")]]
void scatter_max_cpu(const at::Tensor& values, const at::Tensor& index, [[maybe_unused]] int64_t size,
                     const std::optional<at::Tensor>& initial, const at::Tensor& max, const at::Tensor& argmax) {
  if (initial.has_value()) {
    max.copy_(*initial);
  } else {
    max.zero_();
  }
  argmax.fill_(-1);
  update_maxima("scatter_max", max, argmax, values, index, initial.has_value());
}

[[structured::backward("scatter_max", "values", "initial")]]
std::tuple<at::Tensor, std::optional<at::Tensor>> scatter_max_backward(const at::Tensor& grad_max,
                                                                       c10::SymIntArrayRef values_sizes,
                                                                       const std::optional<at::Tensor>& initial,
                                                                       const at::Tensor& argmax) {
  const at::Tensor is_initial = argmax.lt(0);
  at::Tensor by_values = at::zeros_symint(values_sizes, grad_max.options());
  if (values_sizes[0] != 0) {
    by_values = by_values.scatter_add(0, argmax.clamp_min(0), grad_max.masked_fill(is_initial, 0));
  }
  std::optional<at::Tensor> by_initial;
  if (initial.has_value()) by_initial = grad_max.masked_fill(is_initial.logical_not(), 0);
  return {by_values, by_initial};
}

/// Raises the rows of `self` to the maxima of the rows of `values` with equal `index`, element by element.
///
/// `self` is [size, ...], of the dtype of `values`, and the other arguments are those of `scatter_max`. Where an
/// element of `self` changes, `argmax`, of dtype Long and with the sizes of `self`, becomes the row of `values`, if it
/// is given. Throws for other shapes, dtypes and indices. The operator has no derivative.
[[structured::kernel("scatter_max_", "CPU"), structured::allow("missing-derivative")]]
void scatter_max_(at::Tensor& self, const at::Tensor& values, const at::Tensor& index,
                  [[structured::alias("b!")]] const std::optional<at::Tensor>& argmax = {}) {
  check_scatter("scatter_max_", values, index);
  check_rows("scatter_max_", "self", self, values);
  TORCH_CHECK(self.scalar_type() == values.scalar_type(), "scatter_max_: expected `values` of dtype ",
              self.scalar_type(), ", that of `self`, got ", values.scalar_type());
  if (argmax.has_value()) {
    TORCH_CHECK(argmax->scalar_type() == at::kLong, "scatter_max_: expected `argmax` of dtype Long, got ",
                argmax->scalar_type());
    check_rows("scatter_max_", "argmax", *argmax, values);
    TORCH_CHECK(argmax->size(0) == self.size(0), "scatter_max_: expected `argmax` with ", self.size(0), " rows, got ",
                argmax->size(0));
  }
  const at::Tensor max = self.contiguous();
  const at::Tensor rows = argmax.has_value() ? argmax->contiguous() : at::zeros(self.sizes(), index.options());
  update_maxima("scatter_max_", max, rows, values, index, /*has_initial=*/true);
  if (!max.is_same(self)) self.copy_(max);
  if (argmax.has_value() && !rows.is_same(*argmax)) argmax->copy_(rows);
}

/// Checks no sizes, which may be symbols.
[[structured::kernel("scatter_max_", "Meta")]]
void scatter_max_meta_(at::Tensor& self, const at::Tensor& values, [[maybe_unused]] const at::Tensor& index,
                       [[structured::alias("b!")]] const std::optional<at::Tensor>& argmax = {}) {
  TORCH_CHECK(self.dim() == values.dim() && self.scalar_type() == values.scalar_type(),
              "scatter_max_: expected `values` with ", self.dim(), " dimensions of dtype ", self.scalar_type(),
              ", got ", values.dim(), " of dtype ", values.scalar_type());
  TORCH_CHECK(!argmax.has_value() || argmax->scalar_type() == at::kLong,
              "scatter_max_: expected `argmax` of dtype Long, got ", argmax->scalar_type());
}

}  // namespace geometry
