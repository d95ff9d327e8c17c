// Linear and cubic upsampling on CUDA. One thread computes a result.
#include <structured/core/tensor.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "cuda/element_loop.cuh"
#include "cuda/walk.h"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

/// One spatial dimension. Positions of the output become coordinates of the input.
template <class C>
struct Axis {
  int64_t input;
  int64_t output;
  C ratio;
  bool align_corners;
  __device__ C coordinate(int64_t i) const {
    return align_corners ? ratio * static_cast<C>(i) : ratio * (static_cast<C>(i) + C(0.5)) - C(0.5);
  }
};

/// Elements and weights of one dimension.
template <class C>
struct Taps {
  int64_t sources[4];
  C weights[4];
};

template <class C, bool kIsCubic>
__device__ Taps<C> taps_at(const Axis<C>& axis, int64_t i) {
  Taps<C> taps{};
  const auto clamp = [](auto x, auto low, auto high) { return x < low ? low : x > high ? high : x; };
  const C at = axis.coordinate(i);
  if constexpr (kIsCubic) {
    constexpr C a = C(-0.75);
    const auto near = [](C x) { return ((a + C(2)) * x - (a + C(3))) * x * x + C(1); };
    const auto far = [](C x) { return ((a * x - C(5) * a) * x + C(8) * a) * x - C(4) * a; };
    const C source = clamp(at, C(-2), static_cast<C>(axis.input) + C(1));
    const C below = ::floor(source);
    const C part = source - below;
    const C weights[] = {far(part + C(1)), near(part), near(C(1) - part), far(C(2) - part)};
    for (int k = 0; k < 4; ++k) {
      taps.sources[k] = clamp(static_cast<int64_t>(below) - 1 + k, int64_t{0}, axis.input - 1);
      taps.weights[k] = weights[k];
    }
  } else {
    const C source = clamp(at, C(0), static_cast<C>(axis.input - 1));
    const auto whole = static_cast<int64_t>(source);
    const int64_t first = whole < axis.input - 1 ? whole : axis.input - 1;
    const C part = clamp(source - static_cast<C>(first), C(0), C(1));
    taps.sources[0] = first;
    taps.sources[1] = first + 1 < axis.input ? first + 1 : axis.input - 1;
    taps.weights[0] = C(1) - part;
    taps.weights[1] = part;
  }
  return taps;
}

/// `kRank` dimensions are interpolated. Steps are in bytes: sample, channel, then the spatial dimensions.
template <class T, int kRank, bool kIsCubic>
struct Interpolate {
  using C = AccumulateType<T>;
  Axis<C> axes[kRank];
  int64_t channels;
  int64_t in_steps[2 + kRank];
  int64_t out_steps[2 + kRank];
  const char* in;
  char* out;

  template <int kDim>
  __device__ C sum(const Taps<C> (&taps)[kRank], int64_t offset) const {
    if constexpr (kDim == kRank) {
      return cuda::detail::converted<C>(*reinterpret_cast<const T*>(in + offset));
    } else {
      C result(0);
      for (int k = 0; k < (kIsCubic ? 4 : 2); ++k) {
        result += taps[kDim].weights[k] * sum<kDim + 1>(taps, offset + taps[kDim].sources[k] * in_steps[2 + kDim]);
      }
      return result;
    }
  }

  __device__ void operator()(int64_t i) const {
    Taps<C> taps[kRank];
    int64_t to = 0;
    for (int d = kRank - 1; d >= 0; --d) {
      const int64_t place = i % axes[d].output;
      i /= axes[d].output;
      taps[d] = taps_at<C, kIsCubic>(axes[d], place);
      to += place * out_steps[2 + d];
    }
    to += i % channels * out_steps[1] + i / channels * out_steps[0];
    const C result = sum<0>(taps, i % channels * in_steps[1] + i / channels * in_steps[0]);
    *reinterpret_cast<T*>(out + to) = cuda::detail::converted<T>(result);
  }
};

template <class C>
Axis<C> axis_of(int64_t input, int64_t output, bool align_corners, std::optional<double> scale) {
  C ratio;
  if (align_corners) {
    ratio = output > 1 ? static_cast<C>(input - 1) / static_cast<C>(output - 1) : C(0);
  } else {
    ratio = scale && *scale > 0 ? static_cast<C>(1.0 / *scale) : static_cast<C>(input) / static_cast<C>(output);
  }
  return {input, output, ratio, align_corners};
}

template <int kRank, bool kIsCubic>
void interpolate(const char* name, const Tensor& self, bool align_corners,
                 std::initializer_list<std::optional<double>> scales, const Tensor& out) {
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    using Kernel = Interpolate<T, kRank, kIsCubic>;
    Kernel kernel{};
    int64_t d = 0;
    for (const std::optional<double>& scale : scales) {
      kernel.axes[d] = axis_of<typename Kernel::C>(self.size(d + 2), out.size(d + 2), align_corners, scale);
      ++d;
    }
    kernel.channels = out.size(1);
    for (d = 0; d < kRank + 2; ++d) {
      kernel.in_steps[d] = byte_stride(self, d);
      kernel.out_steps[d] = byte_stride(out, d);
    }
    kernel.in = static_cast<const char*>(self.data());
    kernel.out = static_cast<char*>(out.data());
    for_each_element(out.numel(), kernel);
  });
}

}  // namespace

[[structured::impl("upsample_linear1d.out", "CUDA")]]
void upsample_linear1d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                            std::optional<double> scales, const Tensor& out) {
  interpolate<1, false>("upsample_linear1d", self, align_corners, {scales}, out);
}

[[structured::impl("upsample_bilinear2d.out", "CUDA")]]
void upsample_bilinear2d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                              std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  interpolate<2, false>("upsample_bilinear2d", self, align_corners, {scales_h, scales_w}, out);
}

[[structured::impl("upsample_trilinear3d.out", "CUDA")]]
void upsample_trilinear3d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                               std::optional<double> scales_d, std::optional<double> scales_h,
                               std::optional<double> scales_w, const Tensor& out) {
  interpolate<3, false>("upsample_trilinear3d", self, align_corners, {scales_d, scales_h, scales_w}, out);
}

[[structured::impl("upsample_bicubic2d.out", "CUDA")]]
void upsample_bicubic2d_cuda(const Tensor& self, [[maybe_unused]] IntArrayRef output_size, bool align_corners,
                             std::optional<double> scales_h, std::optional<double> scales_w, const Tensor& out) {
  interpolate<2, true>("upsample_bicubic2d", self, align_corners, {scales_h, scales_w}, out);
}

}  // namespace structured::kernels
