// Averages of bilinear samples in the bins of boxes.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <geometry/ops.h>
#include <structured/torch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bilinear.h"

namespace geometry {
namespace {

/// Checks what `roi_align` and its gradient have in common. `image` is the input or the gradient of the output.
void check_roi_align(const char* name, const char* argument, const at::Tensor& image, const at::Tensor& boxes,
                     at::IntArrayRef output_size, int64_t sampling_ratio) {
  TORCH_CHECK(image.dim() == 4, name, ": expected `", argument, "` with 4 dimensions, got sizes ", image.sizes());
  TORCH_CHECK(boxes.dim() == 2 && boxes.size(1) == 5, name, ": expected `boxes` with sizes [K, 5], got ",
              boxes.sizes());
  TORCH_CHECK(boxes.scalar_type() == image.scalar_type(), name, ": expected `boxes` of dtype ", image.scalar_type(),
              ", that of `", argument, "`, got ", boxes.scalar_type());
  TORCH_CHECK(output_size[0] > 0 && output_size[1] > 0, name, ": expected a positive `output_size`, got ", output_size);
  TORCH_CHECK(sampling_ratio >= 0, name, ": expected a `sampling_ratio` that is not negative, got ", sampling_ratio);
}

/// The samples of one box: its bins, and a grid of samples in each bin.
template <typename T>
struct SampledBox {
  int64_t image;
  T top, left, bin_height, bin_width;
  int64_t rows, columns;  ///< grid of samples in a bin

  SampledBox(const T* box, int64_t images, at::IntArrayRef output_size, double spatial_scale, int64_t sampling_ratio,
             bool aligned)
      : image(static_cast<int64_t>(box[0])) {
    TORCH_CHECK(box[0] >= 0 && image < images, "roi_align: expected indices of ", images,
                " images in the first column of `boxes`, got ", box[0]);
    const auto scale = static_cast<T>(spatial_scale);
    const T shift = aligned ? T(0.5) : T(0);
    const T least = aligned ? T(0) : T(1);
    left = box[1] * scale - shift;
    top = box[2] * scale - shift;
    bin_width = std::max((box[3] - box[1]) * scale, least) / T(output_size[1]);
    bin_height = std::max((box[4] - box[2]) * scale, least) / T(output_size[0]);
    rows = sampling_ratio > 0 ? sampling_ratio : static_cast<int64_t>(std::ceil(bin_height));
    columns = sampling_ratio > 0 ? sampling_ratio : static_cast<int64_t>(std::ceil(bin_width));
  }

  /// Calls `function(corners)` for each sample of a bin in an image.
  template <class Function>
  void for_each_sample(int64_t bin_row, int64_t bin_column, int64_t height, int64_t width, Function function) const {
    for (int64_t i = 0; i < rows; ++i) {
      const T y = top + (T(bin_row) + (T(i) + T(0.5)) / T(rows)) * bin_height;
      for (int64_t j = 0; j < columns; ++j) {
        const T x = left + (T(bin_column) + (T(j) + T(0.5)) / T(columns)) * bin_width;
        function(corners_in_border(y, x, height, width));
      }
    }
  }

  /// The weight of each sample.
  T factor() const { return T(1) / T(std::max<int64_t>(rows * columns, 1)); }
};

}  // namespace

/// Averages of bilinear samples of `input` in the bins of each box (RoIAlign).
///
/// `input` is [N, C, H, W]; each row of `boxes` [K, 5] is the index of an image and the corners x1, y1, x2, y2, which
/// are multiplied by `spatial_scale`. The result is [K, C, *output_size], of the dtype of `input` and `boxes`, float or
/// double. A bin has `sampling_ratio` rows and columns of samples, or as many as pixels if that is 0. With `aligned`,
/// pixel centers are at half-integers; otherwise boxes have at least the size of one pixel. Throws for other shapes
/// and dtypes, for an output size that is not positive, for a negative ratio, and for an index that is not less than N.
/// The derivative is for `input` alone. Within torch.autocast the result is computed in float.
///
/// Source: He et al., Mask R-CNN, 2017.
[[structured::meta("roi_align"), structured::autocast("fp32")]]
void roi_align_meta(at::impl::MetaBase& op, const at::Tensor& input, const at::Tensor& boxes,
                    [[structured::size(2)]] at::IntArrayRef output_size, [[maybe_unused]] double spatial_scale = 1.0,
                    int64_t sampling_ratio = 0, [[maybe_unused]] bool aligned = false) {
  check_roi_align("roi_align", "input", input, boxes, output_size, sampling_ratio);
  op.set_output_raw_strided(0, {boxes.size(0), input.size(1), output_size[0], output_size[1]}, {}, input.options());
}

[[structured::impl("roi_align", "CPU")]]
void roi_align_cpu(const at::Tensor& input, const at::Tensor& boxes, at::IntArrayRef output_size, double spatial_scale,
                   int64_t sampling_ratio, bool aligned, const at::Tensor& out) {
  const at::Tensor images = input.contiguous();
  const at::Tensor rows = boxes.contiguous();
  const int64_t channels = input.size(1), height = input.size(2), width = input.size(3);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "roi_align", [&] {
    const auto* pixels = images.const_data_ptr<scalar_t>();
    auto* results = out.data_ptr<scalar_t>();
    const int64_t bins = output_size[0] * output_size[1];
    at::parallel_for(0, boxes.size(0), /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const SampledBox<scalar_t> box(rows.const_data_ptr<scalar_t>() + 5 * k, input.size(0), output_size,
                                       spatial_scale, sampling_ratio, aligned);
        const scalar_t* image = pixels + box.image * channels * height * width;
        scalar_t* result = results + k * channels * bins;
        std::fill_n(result, channels * bins, scalar_t(0));
        for (int64_t bin = 0; bin < bins; ++bin) {
          box.for_each_sample(bin / output_size[1], bin % output_size[1], height, width, [&](const auto& corners) {
            for (int64_t c = 0; c < channels; ++c) {
              result[c * bins + bin] += box.factor() * interpolate(corners, image + c * height * width);
            }
          });
        }
      }
    });
  });
}

/// Gradient of `roi_align` with respect to `input`, whose sizes are `input_size`.
///
/// `grad` [K, C, *output_size] is the gradient of the result, and the other arguments are those of `roi_align`.
[[structured::kernel("_roi_align_backward", "CPU")]]
at::Tensor roi_align_backward(const at::Tensor& grad, const at::Tensor& boxes,
                              [[structured::size(4)]] at::IntArrayRef input_size,
                              [[structured::size(2)]] at::IntArrayRef output_size, double spatial_scale,
                              int64_t sampling_ratio, bool aligned) {
  check_roi_align("_roi_align_backward", "grad", grad, boxes, output_size, sampling_ratio);
  const at::Tensor gradients = grad.contiguous();
  const at::Tensor rows = boxes.contiguous();
  const int64_t channels = input_size[1], height = input_size[2], width = input_size[3];
  TORCH_CHECK(gradients.sizes() == at::IntArrayRef({boxes.size(0), channels, output_size[0], output_size[1]}),
              "_roi_align_backward: expected `grad` with the sizes of the result of roi_align, got ", grad.sizes());
  at::Tensor result = at::zeros(input_size, grad.options());
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "_roi_align_backward", [&] {
    const auto* sources = gradients.const_data_ptr<scalar_t>();
    auto* pixels = result.data_ptr<scalar_t>();
    const int64_t bins = output_size[0] * output_size[1];
    // Boxes overlap, and channels do not.
    at::parallel_for(0, channels, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t k = 0; k < boxes.size(0); ++k) {
        const SampledBox<scalar_t> box(rows.const_data_ptr<scalar_t>() + 5 * k, input_size[0], output_size,
                                       spatial_scale, sampling_ratio, aligned);
        scalar_t* image = pixels + box.image * channels * height * width;
        const scalar_t* source = sources + k * channels * bins;
        for (int64_t bin = 0; bin < bins; ++bin) {
          box.for_each_sample(bin / output_size[1], bin % output_size[1], height, width, [&](const auto& corners) {
            for (const auto& corner : corners) {
              if (corner.pixel < 0) continue;
              for (int64_t c = begin; c < end; ++c) {
                image[c * height * width + corner.pixel] += box.factor() * corner.weight * source[c * bins + bin];
              }
            }
          });
        }
      }
    });
  });
  return result;
}

// Takes symbols, which the derivative of `roi_align` passes on.
[[structured::kernel("_roi_align_backward", "Meta")]]
at::Tensor roi_align_backward_meta(const at::Tensor& grad, [[maybe_unused]] const at::Tensor& boxes,
                                   [[structured::size(4)]] c10::SymIntArrayRef input_size,
                                   [[maybe_unused]] [[structured::size(2)]] at::IntArrayRef output_size,
                                   [[maybe_unused]] double spatial_scale, [[maybe_unused]] int64_t sampling_ratio,
                                   [[maybe_unused]] bool aligned) {
  return at::empty_symint(input_size, grad.options());
}

[[structured::backward("roi_align", "input")]]
at::Tensor roi_align_input(const at::Tensor& grad, const at::Tensor& boxes, c10::SymIntArrayRef input_sizes,
                           at::IntArrayRef output_size, double spatial_scale, int64_t sampling_ratio, bool aligned) {
  return ops::_roi_align_backward(grad, boxes, input_sizes, output_size, spatial_scale, sampling_ratio, aligned);
}

// The gradient is linear in `grad`, and its derivative is `roi_align` itself.
[[structured::backward("_roi_align_backward", "grad")]]
at::Tensor roi_align_backward_grad(const at::Tensor& grad_out, const at::Tensor& boxes, at::IntArrayRef output_size,
                                   double spatial_scale, int64_t sampling_ratio, bool aligned) {
  return ops::roi_align(grad_out, boxes, output_size, spatial_scale, sampling_ratio, aligned);
}

}  // namespace geometry
