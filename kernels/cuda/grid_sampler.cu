// Sampling of images at the points of a grid on CUDA. One thread computes a result.
#include <structured/core/tensor.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>

#include "cuda/element_loop.cuh"
#include "cuda/walk.h"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

enum Interpolation : int64_t { kLinear, kNearest, kCubic };
enum Padding : int64_t { kZeros, kBorder, kReflection };

/// Positions along a dimension and their weights. Positions outside the image are -1.
template <class C, int kTaps>
struct Taps {
  int64_t positions[kTaps];
  C weights[kTaps];
};

/// One spatial dimension of the image.
template <class C, int kTaps>
struct Axis {
  int64_t size;
  int64_t padding;
  bool align_corners;

  /// Returns `x` reflected into [low, high] as often as needed.
  __device__ static C reflected(C x, C low, C high) {
    const C span = high - low;
    if (!(span > C(0))) return C(0);
    const C distance = ::fabs(x - low);
    const C rest = ::fmod(distance, span);
    const bool is_mirrored = ::fmod(::floor(distance / span), C(2)) != C(0);
    return low + (is_mirrored ? span - rest : rest);
  }

  /// Moves coordinate `x` into the image, and NaN to 0, unless the padding is zeros.
  __device__ C padded(C x) const {
    const C last = static_cast<C>(size - 1);
    if (padding == kReflection) {
      x = align_corners ? reflected(x, C(0), last) : reflected(x, C(-0.5), last + C(0.5));
    }
    if (padding == kZeros) return x;
    return x > C(0) ? (x < last ? x : last) : C(0);
  }

  __device__ void set(Taps<C, kTaps>& taps, int k, C position, C weight) const {
    const bool is_inside = position >= C(0) && position <= static_cast<C>(size - 1);  // false for NaN
    taps.positions[k] = is_inside ? min(static_cast<int64_t>(position), size - 1) : -1;
    taps.weights[k] = weight;
  }

  __device__ Taps<C, kTaps> taps_at(C coordinate) const {
    const C x = align_corners ? (coordinate + C(1)) / C(2) * static_cast<C>(size - 1)
                              : ((coordinate + C(1)) * static_cast<C>(size) - C(1)) / C(2);
    Taps<C, kTaps> taps;
    if constexpr (kTaps == 4) {
      constexpr C a = C(-0.75);
      const auto near = [](C t) { return ((a + C(2)) * t - (a + C(3))) * t * t + C(1); };
      const auto far = [](C t) { return ((a * t - C(5) * a) * t + C(8) * a) * t - C(4) * a; };
      const C below = ::floor(x);
      const C part = x - below;
      const C weights[] = {far(part + C(1)), near(part), near(C(1) - part), far(C(2) - part)};
      for (int k = 0; k < 4; ++k) set(taps, k, padded(below + static_cast<C>(k - 1)), weights[k]);
    } else if constexpr (kTaps == 2) {
      const C inside = padded(x);
      const C below = ::floor(inside);
      set(taps, 0, below, below + C(1) - inside);
      set(taps, 1, below + C(1), inside - below);
    } else {
      set(taps, 0, ::nearbyint(padded(x)), C(1));
    }
    return taps;
  }
};

/// Steps are in bytes: sample, channel, then the spatial dimensions; of the grid: sample, spatial dimensions,
/// coordinate.
template <class T, int kRank, int kTaps>
struct Sample {
  using C = AccumulateType<T>;
  Axis<C, kTaps> axes[kRank];
  int64_t channels;
  int64_t sizes[kRank];  ///< sizes of the result
  int64_t in_steps[2 + kRank];
  int64_t grid_steps[2 + kRank];
  int64_t out_steps[2 + kRank];
  const char* in;
  const char* grid;
  char* out;

  template <int kDim>
  __device__ C sum(const Taps<C, kTaps> (&taps)[kRank], int64_t offset) const {
    if constexpr (kDim == kRank) {
      return cuda::detail::converted<C>(*reinterpret_cast<const T*>(in + offset));
    } else {
      C result(0);
#pragma unroll
      for (int k = 0; k < kTaps; ++k) {
        if (taps[kDim].positions[k] < 0) continue;
        result += taps[kDim].weights[k] * sum<kDim + 1>(taps, offset + taps[kDim].positions[k] * in_steps[2 + kDim]);
      }
      return result;
    }
  }

  __device__ void operator()(int64_t i) const {
    int64_t from_grid = 0;
    int64_t to = 0;
#pragma unroll
    for (int d = kRank; d-- > 0;) {
      const int64_t index = i % sizes[d];
      i /= sizes[d];
      from_grid += index * grid_steps[d + 1];
      to += index * out_steps[d + 2];
    }
    const int64_t channel = i % channels;
    const int64_t image = i / channels;
    from_grid += image * grid_steps[0];
    to += image * out_steps[0] + channel * out_steps[1];
    Taps<C, kTaps> taps[kRank];
#pragma unroll
    for (int d = 0; d < kRank; ++d) {  // coordinates are in the opposite order of the dimensions
      const char* const coordinate = grid + from_grid + (kRank - 1 - d) * grid_steps[kRank + 1];
      taps[d] = axes[d].taps_at(cuda::detail::converted<C>(*reinterpret_cast<const T*>(coordinate)));
    }
    const C result = sum<0>(taps, image * in_steps[0] + channel * in_steps[1]);
    *reinterpret_cast<T*>(out + to) = cuda::detail::converted<T>(result);
  }
};

template <int kRank, int kTaps>
void sample(const char* name, const Tensor& input, const Tensor& grid, int64_t padding, bool align_corners,
            const Tensor& out) {
  visit<kAllFloatingTypes>(name, input.scalar_type(), [&]<class T>() {
    Sample<T, kRank, kTaps> kernel{};
    for (int d = 0; d < kRank; ++d) {
      kernel.axes[d] = {input.size(d + 2), padding, align_corners};
      kernel.sizes[d] = out.size(d + 2);
    }
    kernel.channels = input.size(1);
    for (int d = 0; d < kRank + 2; ++d) {
      kernel.in_steps[d] = byte_stride(input, d);
      kernel.grid_steps[d] = byte_stride(grid, d);
      kernel.out_steps[d] = byte_stride(out, d);
    }
    kernel.in = static_cast<const char*>(input.data());
    kernel.grid = static_cast<const char*>(grid.data());
    kernel.out = static_cast<char*>(out.data());
    for_each_element(out.numel(), kernel);
  });
}

template <int kRank>
void sample(const char* name, const Tensor& input, const Tensor& grid, int64_t interpolation, int64_t padding,
            bool align_corners, const Tensor& out) {
  switch (interpolation) {
    case kLinear:
      return sample<kRank, 2>(name, input, grid, padding, align_corners, out);
    case kNearest:
      return sample<kRank, 1>(name, input, grid, padding, align_corners, out);
    default:
      return sample<kRank, 4>(name, input, grid, padding, align_corners, out);
  }
}

}  // namespace

[[structured::impl("grid_sampler_2d.out", "CUDA")]]
void grid_sampler_2d_cuda(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                          bool align_corners, const Tensor& out) {
  sample<2>("grid_sampler_2d", input, grid, interpolation_mode, padding_mode, align_corners, out);
}

[[structured::impl("grid_sampler_3d.out", "CUDA")]]
void grid_sampler_3d_cuda(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                          bool align_corners, const Tensor& out) {
  sample<3>("grid_sampler_3d", input, grid, interpolation_mode, padding_mode, align_corners, out);
}

}  // namespace structured::kernels
