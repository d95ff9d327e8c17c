// Grid sampling in two or three dimensions.
#include <structured/core/tensor.h>
#include <structured/ops/grid_sampler_2d.h>
#include <structured/ops/grid_sampler_3d.h>

namespace structured::kernels {

/// Samples `input` [N, C, H, W] or [N, C, D, H, W] at the positions `grid` [N, ..., 2 or 3], whose coordinates are in
/// [-1, 1]. See `grid_sampler_2d` and `grid_sampler_3d` for the modes. Float and Double only.
[[structured::composite("grid_sampler")]]
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners) {
  if (input.dim() == 5) {
    return structured::grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners);
  }
  return structured::grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners);
}

}  // namespace structured::kernels
