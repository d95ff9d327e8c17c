// Meta function and geometry of convolution.
#include <structured/base/error.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <algorithm>
#include <optional>

#include "convolution_geometry.h"

namespace structured::kernels {
namespace {

constexpr const char* kName = "convolution";

// Returns element `d` of a list with one element for each dimension, or one for all. It must be at least `least`.
int64_t element(const char* argument, IntArrayRef list, size_t rank, size_t d, int64_t least) {
  STRUCTURED_CHECK(list.size() == rank || list.size() == 1, kName, ": expected `", argument, "` to have 1 or ", rank,
                   " elements, got ", list.size());
  const int64_t value = list.size() == 1 ? list[0] : list[d];
  STRUCTURED_CHECK(value >= least, kName, ": expected `", argument, "` of ", least, " or more, got ", list);
  return value;
}

int64_t output_extent(const WindowAxis& axis, int64_t output_padding, bool transposed) {
  int64_t reach = 0;
  int64_t padded = 0;
  int64_t result = 0;
  bool fits = !__builtin_mul_overflow(axis.dilation, axis.kernel - 1, &reach) &&
              !__builtin_mul_overflow(axis.padding, 2, &padded);
  if (transposed) {
    fits = fits && !__builtin_mul_overflow(axis.input - 1, axis.stride, &result) &&
           !__builtin_sub_overflow(result, padded, &result) && !__builtin_add_overflow(result, reach, &result) &&
           !__builtin_add_overflow(result, output_padding + 1, &result);
    STRUCTURED_CHECK(fits, kName, ": sizes overflow");
    STRUCTURED_CHECK(result > 0, kName, ": expected a result of positive sizes, got ", result, " along one dimension");
    return result;
  }
  fits = fits && !__builtin_add_overflow(axis.input, padded, &padded);
  STRUCTURED_CHECK(fits, kName, ": sizes overflow");
  STRUCTURED_CHECK(padded > reach, kName, ": expected the kernel to be no larger than the padded `input`, got ",
                   reach + 1, " and ", padded, " along one dimension");
  return (padded - reach - 1) / axis.stride + 1;
}

void check_channels(const Tensor& input, const Tensor& weight, const Tensor& bias, const ConvArguments& arguments) {
  const int64_t groups = arguments.groups;
  const int64_t divided = weight.size(0);
  STRUCTURED_CHECK(divided % groups == 0 && divided >= groups, kName,
                   ": expected `groups` to divide the first size of `weight`, got ", groups, " for ", divided);
  const int64_t expected = arguments.transposed ? divided : weight.size(1) * groups;
  STRUCTURED_CHECK(input.size(1) == expected, kName, ": expected `input` to have ", expected,
                   " channels for `weight` of sizes ", weight.sizes(), " in ", groups, " groups, got sizes ",
                   input.sizes());
  const int64_t results = arguments.transposed ? weight.size(1) * groups : divided;
  STRUCTURED_CHECK(!bias.defined() || bias.sizes() == IntArrayRef(results), kName, ": expected `bias` to have ",
                   results, " elements, got sizes ", bias.sizes());
}

}  // namespace

ConvGeometry conv_geometry(const Tensor& input, const Tensor& weight, const Tensor& bias,
                           const ConvArguments& arguments) {
  STRUCTURED_CHECK(input.dim() >= 3 && input.dim() <= 5, kName, ": expected `input` to have 3 to 5 dimensions, got ",
                   input.dim());
  STRUCTURED_CHECK(weight.dim() == input.dim(), kName, ": expected `weight` to have ", input.dim(),
                   " dimensions, as `input` has, got ", weight.dim());
  STRUCTURED_CHECK(arguments.groups > 0, kName, ": expected positive `groups`, got ", arguments.groups);
  check_channels(input, weight, bias, arguments);
  const auto rank = static_cast<size_t>(input.dim()) - 2;
  ConvGeometry result;
  result.samples = input.size(0);
  result.groups = arguments.groups;
  result.input_channels = input.size(1) / arguments.groups;
  result.output_channels = arguments.transposed ? weight.size(1) : weight.size(0) / arguments.groups;
  result.transposed = arguments.transposed;
  for (size_t d = 0; d < rank; ++d) {
    WindowAxis& axis = result.axes[3 - rank + d];
    axis.input = input.sizes()[d + 2];
    axis.kernel = weight.sizes()[d + 2];
    axis.stride = element("stride", arguments.stride, rank, d, 1);
    axis.padding = element("padding", arguments.padding, rank, d, 0);
    axis.dilation = element("dilation", arguments.dilation, rank, d, 1);
    const int64_t output_padding = element("output_padding", arguments.output_padding, rank, d, 0);
    STRUCTURED_CHECK(!arguments.transposed || output_padding < std::max(axis.stride, axis.dilation), kName,
                     ": expected `output_padding` to be smaller than `stride` or `dilation`, got ",
                     arguments.output_padding);
    STRUCTURED_CHECK(axis.kernel > 0 && (axis.input > 0 || result.samples == 0), kName,
                     ": expected spatial dimensions to have elements, got sizes ", input.sizes(), " and ",
                     weight.sizes());
    axis.output = output_extent(axis, output_padding, arguments.transposed);
  }
  return result;
}

DimVector convolved_sizes(const Tensor& input, const ConvGeometry& geometry) {
  DimVector result(input.sizes());
  result[1] = geometry.output_channels * geometry.groups;
  for (size_t d = 2; d < result.size(); ++d) result[d] = geometry.axes[3 - result.size() + d].output;
  return result;
}

/// Convolution (cross-correlation) of `input` [N, C, ...] with `weight` [O, C / groups, ...] plus `bias` [O], over 1 to
/// 3 spatial dimensions: [N, O, ...].
///
/// The input is zero-padded by `padding` on both sides; windows are `stride` apart and their elements `dilation` apart.
/// Lists have one element for each spatial dimension, or one for all. With `transposed`, computes the transposed
/// convolution: `weight` is [C, O / groups, ...] and the result is extended by `output_padding`, which must be less
/// than `stride` or `dilation`. All tensors have one dtype: a floating-point or complex one, Long, or another integer
/// without dilation if not `transposed`. The result is channels-last if `input` or `weight` is.
[[structured::meta("convolution", "convolution.out"), structured::tags("core")]]
void convolution_meta(MetaBase& op, const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                      IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                      IntArrayRef output_padding, int64_t groups) {
  const Tensor summand = bias.value_or(Tensor());
  const ConvGeometry geometry =
      conv_geometry(input, weight, summand, {stride, padding, dilation, transposed, output_padding, groups});
  const bool is_simple = !transposed && std::all_of(dilation.begin(), dilation.end(), [](int64_t d) { return d == 1; });
  check_dtype(kName, input.scalar_type(), (is_simple ? kRealTypes : kAllFloatingTypes | kLong) | kComplexTypes);
  STRUCTURED_CHECK(weight.scalar_type() == input.scalar_type() &&
                       (!summand.defined() || summand.scalar_type() == input.scalar_type()),
                   kName, ": expected `weight` and `bias` of dtype ", input.scalar_type(), ", as `input` has, got ",
                   weight.scalar_type(), " and ", summand.defined() ? summand.scalar_type() : weight.scalar_type());
  MemoryFormat format = input.suggest_memory_format();
  if (format == MemoryFormat::Contiguous) format = weight.suggest_memory_format();
  op.set_output_contiguous(0, convolved_sizes(input, geometry), input.options().memory_format(format));
}

}  // namespace structured::kernels
