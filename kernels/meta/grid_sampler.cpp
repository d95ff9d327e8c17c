// Meta functions of grid sampling.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>

namespace structured::kernels {
namespace {

void set_sampled(const char* name, MetaBase& op, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                 int64_t padding_mode, size_t spatial) {
  check_dtype(name, input.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(grid.scalar_type() == input.scalar_type(), name, ": expected `grid` of dtype ", input.scalar_type(),
                   ", got ", grid.scalar_type());
  const size_t rank = spatial + 2;
  STRUCTURED_CHECK(input.sizes().size() == rank && grid.sizes().size() == rank, name,
                   ": expected `input` and `grid` to have ", rank, " dimensions, got sizes ", input.sizes(), " and ",
                   grid.sizes());
  STRUCTURED_CHECK(grid.sizes()[0] == input.sizes()[0], name, ": expected `grid` for a batch of ", input.sizes()[0],
                   ", got ", grid.sizes()[0]);
  STRUCTURED_CHECK(grid.sizes()[rank - 1] == static_cast<int64_t>(spatial), name, ": expected the last dimension of ",
                   "`grid` to have ", spatial, " coordinates, got ", grid.sizes()[rank - 1]);
  DimVector sizes{input.sizes()[0], input.sizes()[1]};
  for (size_t d = 0; d < spatial; ++d) {
    STRUCTURED_CHECK(input.sizes()[d + 2] != 0, name, ": expected `input` to have positions, got sizes ",
                     input.sizes());
    sizes.push_back(grid.sizes()[d + 1]);
  }
  STRUCTURED_CHECK(0 <= interpolation_mode && interpolation_mode <= 2, name,
                   ": expected `interpolation_mode` from 0 to 2, got ", interpolation_mode);
  STRUCTURED_CHECK(0 <= padding_mode && padding_mode <= 2, name, ": expected `padding_mode` from 0 to 2, got ",
                   padding_mode);
  op.set_output_raw_strided(0, sizes, {}, input.options());
}

}  // namespace

/// Samples `input` [N, C, H, W] at the positions `grid` [N, H_out, W_out, 2]: [N, C, H_out, W_out]. A position is (x,
/// y) in [-1, 1].
///
/// With `align_corners`, -1 and 1 are the centres of the border pixels; otherwise they are the outer edges.
/// `interpolation_mode` is 0 (bilinear), 1 (nearest) or 2 (bicubic). `padding_mode` for positions outside is 0 (zeros),
/// 1 (border) or 2 (reflection). Both tensors have one floating-point dtype.
[[structured::meta("grid_sampler_2d", "grid_sampler_2d.out")]]
void grid_sampler_2d_meta(MetaBase& op, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                          int64_t padding_mode, bool align_corners) {
  set_sampled("grid_sampler_2d", op, input, grid, interpolation_mode, padding_mode, 2);
}

/// Samples `input` [N, C, D, H, W] at the positions `grid` [N, D_out, H_out, W_out, 3]: [N, C, D_out, H_out, W_out]. A
/// position is (x, y, z) in [-1, 1].
///
/// With `align_corners`, -1 and 1 are the centres of the border voxels; otherwise they are the outer edges.
/// `interpolation_mode` is 0 (trilinear), 1 (nearest) or 2 (tricubic). `padding_mode` for positions outside is 0
/// (zeros), 1 (border) or 2 (reflection). Both tensors have one floating-point dtype.
[[structured::meta("grid_sampler_3d", "grid_sampler_3d.out")]]
void grid_sampler_3d_meta(MetaBase& op, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                          int64_t padding_mode, bool align_corners) {
  set_sampled("grid_sampler_3d", op, input, grid, interpolation_mode, padding_mode, 3);
}

}  // namespace structured::kernels
