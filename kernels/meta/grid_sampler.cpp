// Shapes of sampling images at places that a grid tells.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>

namespace structured::kernels {
namespace {

void set_sampled(const char* name, MetaBase& op, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                 int64_t padding_mode, size_t spatial) {
  check_dtype(name, input.scalar_type(), kFloatingTypes);
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
  const int64_t modes = spatial == 2 ? 3 : 2;
  STRUCTURED_CHECK(0 <= interpolation_mode && interpolation_mode < modes, name,
                   ": expected `interpolation_mode` from 0 ", "to ", modes - 1, ", got ", interpolation_mode);
  STRUCTURED_CHECK(0 <= padding_mode && padding_mode <= 2, name, ": expected `padding_mode` from 0 to 2, got ",
                   padding_mode);
  op.set_output_raw_strided(0, sizes, {}, input.options());
}

}  // namespace

/// `input` [batch, channels, height, width] at the places that `grid` [batch, out height, out width, 2] tells by x and
/// y, which go from -1 to 1: from the middle of the first position to that of the last one with `align_corners`, from
/// border to border without. `interpolation_mode` is 0 (linear), 1 (nearest) or 2 (cubic); outside there is 0 if
/// `padding_mode` is 0, what is at the border if it is 1, and the image reflected if it is 2. Float and Double.
[[structured::meta("grid_sampler_2d", "grid_sampler_2d.out")]]
void grid_sampler_2d_meta(MetaBase& op, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                          int64_t padding_mode, bool align_corners) {
  set_sampled("grid_sampler_2d", op, input, grid, interpolation_mode, padding_mode, 2);
}

/// The same of [batch, channels, depth, height, width] at x, y and z; not cubic.
[[structured::meta("grid_sampler_3d", "grid_sampler_3d.out")]]
void grid_sampler_3d_meta(MetaBase& op, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                          int64_t padding_mode, bool align_corners) {
  set_sampled("grid_sampler_3d", op, input, grid, interpolation_mode, padding_mode, 3);
}

}  // namespace structured::kernels
