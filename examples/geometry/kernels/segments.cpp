// Reductions of consecutive rows.
#include <ATen/Parallel.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/zeros.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ragged.h"

namespace geometry {
namespace {

void check_segments(const char* name, const at::Tensor& values, const at::Tensor& offsets) {
  TORCH_CHECK(values.dim() > 0, name, ": expected `values` with at least one dimension, got none");
  TORCH_CHECK(offsets.dim() == 1 && offsets.size(0) > 0, name, ": expected `offsets` with sizes [S + 1], got ",
              offsets.sizes());
  TORCH_CHECK(offsets.scalar_type() == at::kLong, name, ": expected `offsets` of dtype Long, got ",
              offsets.scalar_type());
}

/// Returns the sizes of a result, with one row for each segment.
std::vector<int64_t> segment_sizes(const at::Tensor& values, const at::Tensor& offsets) {
  std::vector<int64_t> sizes = {offsets.size(0) - 1};
  for (int64_t d = 1; d < values.dim(); ++d) sizes.push_back(values.size(d));
  return sizes;
}

}  // namespace

/// The sum of the rows in each segment.
///
/// `values` is [N, ...], float or double; segment i has the rows from `offsets[i]` to `offsets[i + 1]`, and `offsets`
/// [S + 1], of dtype Long, increases from 0 to N. The result is [S, ...], and zero for segments without rows. Throws
/// for other shapes and dtypes, and for other offsets. Within torch.autocast the sums are computed in float.
[[structured::meta("segment_sum"), structured::autocast("fp32")]]
void segment_sum_meta(at::impl::MetaBase& op, const at::Tensor& values, const at::Tensor& offsets) {
  check_segments("segment_sum", values, offsets);
  op.set_output_raw_strided(0, segment_sizes(values, offsets), {}, values.options());
}

[[structured::impl("segment_sum", "CPU")]]
void segment_sum_cpu(const at::Tensor& values, const at::Tensor& offsets, const at::Tensor& out) {
  const at::Tensor rows = values.contiguous(), bounds = offsets.contiguous();
  const at::ArrayRef<int64_t> bound = integers(bounds);
  const int64_t width = row_size(values);
  check_offsets("segment_sum", "offsets", bound, values.size(0));
  out.zero_();
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "segment_sum", [&] {
    const auto* source = rows.const_data_ptr<scalar_t>();
    auto* sums = out.data_ptr<scalar_t>();
    at::parallel_for(0, out.size(0), /*grain_size=*/64, [&](int64_t begin, int64_t end) {
      for (int64_t segment = begin; segment < end; ++segment) {
        for (int64_t row = bound[segment]; row < bound[segment + 1]; ++row) {
          for (int64_t j = 0; j < width; ++j) sums[segment * width + j] += source[row * width + j];
        }
      }
    });
  });
}

// Calls differentiable operators, so that the gradient has a derivative.
[[structured::backward("segment_sum", "values")]]
at::Tensor segment_sum_values(const at::Tensor& grad, const at::Tensor& offsets, c10::SymIntArrayRef values_sizes) {
  return at::repeat_interleave_symint(grad, offsets.diff(), /*dim=*/0, values_sizes[0]);
}

/// The maximum of the rows in each segment, element by element, and the rows that have it.
///
/// The arguments are those of `segment_sum`. `max` and `argmax`, of dtype Long, are [S, ...]; `argmax` is the first row
/// of `values` with the maximum. For segments without rows, they are 0 and -1. NaN is larger than any number. The
/// gradient flows to the rows of `argmax`. Throws for other shapes, dtypes and offsets.
[[structured::meta("segment_max"), structured::returns("max", "argmax"), structured::autocast("fp32")]]
void segment_max_meta(at::impl::MetaBase& op, const at::Tensor& values, const at::Tensor& offsets) {
  check_segments("segment_max", values, offsets);
  const std::vector<int64_t> sizes = segment_sizes(values, offsets);
  op.set_output_raw_strided(0, sizes, {}, values.options());
  op.set_output_raw_strided(1, sizes, {}, values.options().dtype(at::kLong));
}

[[structured::impl("segment_max", "CPU")]]
void segment_max_cpu(const at::Tensor& values, const at::Tensor& offsets, const at::Tensor& max,
                     const at::Tensor& argmax) {
  const at::Tensor rows = values.contiguous(), bounds = offsets.contiguous();
  const at::ArrayRef<int64_t> bound = integers(bounds);
  const int64_t width = row_size(values);
  check_offsets("segment_max", "offsets", bound, values.size(0));
  max.zero_();
  argmax.fill_(-1);
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "segment_max", [&] {
    const auto* source = rows.const_data_ptr<scalar_t>();
    at::parallel_for(0, max.size(0), /*grain_size=*/64, [&](int64_t begin, int64_t end) {
      for (int64_t segment = begin; segment < end; ++segment) {
        scalar_t* maxima = max.data_ptr<scalar_t>() + segment * width;
        int64_t* indices = argmax.data_ptr<int64_t>() + segment * width;
        for (int64_t row = bound[segment]; row < bound[segment + 1]; ++row) {
          for (int64_t j = 0; j < width; ++j) {
            const scalar_t value = source[row * width + j];
            if (indices[j] >= 0 && !is_larger(value, maxima[j])) continue;
            maxima[j] = value;
            indices[j] = row;
          }
        }
      }
    });
  });
}

[[structured::backward("segment_max", "values")]]
at::Tensor segment_max_values(const at::Tensor& grad_max, const at::Tensor& argmax, c10::SymIntArrayRef values_sizes) {
  // Row 0 gets the zeros of segments without rows; with no row at all, there is no element to scatter to.
  const at::Tensor zeros = at::zeros_symint(values_sizes, grad_max.options());
  if (values_sizes[0] == 0) return zeros;
  return zeros.scatter_add(0, argmax.clamp_min(0), grad_max.masked_fill(argmax.lt(0), 0));
}

}  // namespace geometry
