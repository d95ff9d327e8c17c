// Sampling of images of two or three dimensions.
#include <structured/core/tensor.h>
#include <structured/ops/grid_sampler_2d.h>
#include <structured/ops/grid_sampler_3d.h>

namespace structured::kernels {

/// grid_sampler_3d if `input` has 5 dimensions, grid_sampler_2d otherwise.
[[structured::composite("grid_sampler")]]
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners) {
  if (input.dim() == 5) {
    return structured::grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners);
  }
  return structured::grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners);
}

}  // namespace structured::kernels
