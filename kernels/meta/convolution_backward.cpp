// Meta function of the gradient of convolution.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <array>
#include <cstdint>

#include "convolution_geometry.h"

namespace structured::kernels {

/// Gradients of `convolution` with respect to `input`, `weight` and `bias`; `output_mask` selects which are computed.
/// The others are undefined.
///
/// `grad_output` has the shape of the result of `convolution`. `bias_sizes` is ignored: the gradient of the bias has
/// one element per channel of `grad_output`. All tensors have one floating-point dtype.
[[structured::meta("convolution_backward", "convolution_backward.out"), structured::tags("core")]]
void convolution_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                               [[maybe_unused]] [[structured::symint]] OptionalIntArrayRef bias_sizes,
                               IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                               IntArrayRef output_padding, int64_t groups, std::array<bool, 3> output_mask) {
  constexpr const char* name = "convolution_backward";
  const ConvGeometry geometry =
      conv_geometry(input, weight, Tensor(), {stride, padding, dilation, transposed, output_padding, groups});
  for (const int64_t padded : output_padding) {
    STRUCTURED_CHECK(transposed || padded == 0, name, ": expected `output_padding` of 0 unless it is transposed, got ",
                     output_padding);
  }
  const DimVector sizes = convolved_sizes(input, geometry);
  STRUCTURED_CHECK(grad_output.sizes() == IntArrayRef(sizes), name,
                   ": expected `grad_output` to have the sizes of the result, ", IntArrayRef(sizes), ", got ",
                   grad_output.sizes());
  check_dtype(name, input.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(weight.scalar_type() == input.scalar_type() && grad_output.scalar_type() == input.scalar_type(),
                   name, ": expected `grad_output` and `weight` of dtype ", input.scalar_type(),
                   ", as `input` has, got ", grad_output.scalar_type(), " and ", weight.scalar_type());
  MemoryFormat format = input.suggest_memory_format();
  if (format == MemoryFormat::Contiguous) format = weight.suggest_memory_format();
  const TensorOptions options = input.options().memory_format(format);
  if (output_mask[0]) {
    op.set_output_raw_strided(0, input.sizes(), {}, options);
  } else {
    op.set_output_undefined(0);
  }
  if (output_mask[1]) {
    op.set_output_raw_strided(1, weight.sizes(), {}, options);
  } else {
    op.set_output_undefined(1);
  }
  if (output_mask[2]) {
    op.set_output_raw_strided(2, {sizes[1]}, {}, input.options());
  } else {
    op.set_output_undefined(2);
  }
}

}  // namespace structured::kernels
