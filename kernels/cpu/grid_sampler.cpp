// Sampling of images at the points of a grid, on CPU. A sample is a weighted sum of elements at a few positions along
// each dimension.
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cmath>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

enum Interpolation : int64_t { kLinear, kNearest, kCubic };
enum Padding : int64_t { kZeros, kBorder, kReflection };

struct Mode {
  int64_t interpolation;
  int64_t padding;
  bool align_corners;
};

// Positions along a dimension and their weights, without positions outside the image.
template <class T>
struct Taps {
  int64_t count = 0;
  int64_t positions[4];
  T weights[4];
};

// Returns `x` reflected into [low, high] as often as needed.
template <class T>
T reflected(T x, T low, T high) {
  const T span = high - low;
  if (!(span > T(0))) return T(0);
  const T distance = std::fabs(x - low);
  const T rest = std::fmod(distance, span);
  const bool is_mirrored = std::fmod(std::floor(distance / span), T(2)) != T(0);
  return low + (is_mirrored ? span - rest : rest);
}

// Moves coordinate `x` into the image, and NaN to 0, unless the padding is zeros.
template <class T>
T padded(T x, int64_t size, Mode mode) {
  const T last = static_cast<T>(size - 1);
  if (mode.padding == kReflection) {
    x = mode.align_corners ? reflected(x, T(0), last) : reflected(x, T(-0.5), last + T(0.5));
  }
  if (mode.padding == kZeros) return x;
  return x > T(0) ? std::min(x, last) : T(0);
}

template <class T>
void add_tap(Taps<T>& taps, T position, int64_t size, T weight) {
  // Skips positions outside the image. Infinities and NaN could not be converted to integers.
  if (!(position >= T(0) && position <= static_cast<T>(size - 1))) return;
  taps.positions[taps.count] = std::min(static_cast<int64_t>(position), size - 1);
  taps.weights[taps.count] = weight;
  ++taps.count;
}

template <class T>
Taps<T> taps_at(T coordinate, int64_t size, Mode mode) {
  const T x = mode.align_corners ? (coordinate + T(1)) / T(2) * static_cast<T>(size - 1)
                                 : ((coordinate + T(1)) * static_cast<T>(size) - T(1)) / T(2);
  Taps<T> taps;
  if (mode.interpolation == kCubic) {
    constexpr T a = T(-0.75);
    const auto near = [](T t) { return ((a + T(2)) * t - (a + T(3))) * t * t + T(1); };
    const auto far = [](T t) { return ((a * t - T(5) * a) * t + T(8) * a) * t - T(4) * a; };
    const T below = std::floor(x);
    const T part = x - below;
    const T weights[] = {far(part + T(1)), near(part), near(T(1) - part), far(T(2) - part)};
    for (int k = 0; k < 4; ++k) add_tap(taps, padded(below + T(k - 1), size, mode), size, weights[k]);
    return taps;
  }
  const T inside = padded(x, size, mode);
  if (mode.interpolation == kNearest) {
    add_tap(taps, std::nearbyint(inside), size, T(1));
    return taps;
  }
  const T below = std::floor(inside);
  add_tap(taps, below, size, below + T(1) - inside);
  add_tap(taps, below + T(1), size, inside - below);
  return taps;
}

constexpr int64_t kMaxTaps = 64;  // four in each of three dimensions

template <class T, size_t D>
void sample(const Tensor& input, const Tensor& grid, Mode mode, const Tensor& out) {
  const IntArrayRef sizes = input.sizes();
  const IntArrayRef steps = input.strides();
  const IntArrayRef out_sizes = out.sizes();
  const IntArrayRef out_steps = out.strides();
  const T* const in = static_cast<const T*>(input.data());
  const T* const places = static_cast<const T*>(grid.data());
  T* const result = static_cast<T*>(out.data());
  const int64_t channels = sizes[1];
  int64_t count = sizes[0];
  for (size_t d = 0; d < D; ++d) count *= out_sizes[d + 2];
  const auto sample_places = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = i;
      int64_t from_grid = 0;
      int64_t to = 0;
      for (size_t d = D; d-- > 0;) {
        const int64_t index = rest % out_sizes[d + 2];
        rest /= out_sizes[d + 2];
        from_grid += index * grid.strides()[d + 1];
        to += index * out_steps[d + 2];
      }
      const T* const place = places + from_grid + rest * grid.strides()[0];
      // Coordinates are in the opposite order of the dimensions.
      Taps<T> taps[D];
      for (size_t d = 0; d < D; ++d) {
        const T coordinate = place[static_cast<int64_t>(D - 1 - d) * grid.strides()[D + 1]];
        taps[d] = taps_at(coordinate, sizes[d + 2], mode);
      }
      // Combines the taps of all dimensions for one channel.
      int64_t offsets[kMaxTaps] = {0};
      T weights[kMaxTaps] = {T(1)};
      int64_t total = 1;
      for (size_t d = 0; d < D; ++d) {
        const int64_t before = total;
        total *= taps[d].count;
        for (int64_t k = total; k-- > 0;) {
          const int64_t tap = before == 0 ? 0 : k / before;
          const int64_t old = before == 0 ? 0 : k % before;
          offsets[k] = offsets[old] + taps[d].positions[tap] * steps[d + 2];
          weights[k] = weights[old] * taps[d].weights[tap];
        }
      }
      const T* channel = in + rest * steps[0];
      T* element = result + rest * out_steps[0] + to;
      for (int64_t c = 0; c < channels; ++c) {
        T sum = 0;
        for (int64_t k = 0; k < total; ++k) sum += weights[k] * channel[offsets[k]];
        *element = sum;
        channel += steps[1];
        element += out_steps[1];
      }
    }
  };
  parallel_for(0, count, std::max<int64_t>(1, kGrainSize / (8 * std::max<int64_t>(1, channels))), sample_places);
}

// Half and BFloat16 are computed in Float.
template <size_t D>
void sample(const char* name, const Tensor& input, const Tensor& grid, Mode mode, const Tensor& out) {
  const ScalarType dtype = input.scalar_type();
  if (dtype == kHalf || dtype == kBFloat16) {
    const Tensor result = writable(out, kFloat);
    sample<float, D>(dense(input, kFloat), dense(grid, kFloat), mode, result);
    return store(out, result);
  }
  visit<kFloatingTypes>(name, dtype, [&]<class T>() { sample<T, D>(input, grid, mode, out); });
}

}  // namespace

[[structured::impl("grid_sampler_2d.out", "CPU")]]
void grid_sampler_2d_cpu(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                         bool align_corners, const Tensor& out) {
  sample<2>("grid_sampler_2d", input, grid, {interpolation_mode, padding_mode, align_corners}, out);
}

[[structured::impl("grid_sampler_3d.out", "CPU")]]
void grid_sampler_3d_cpu(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                         bool align_corners, const Tensor& out) {
  sample<3>("grid_sampler_3d", input, grid, {interpolation_mode, padding_mode, align_corners}, out);
}

}  // namespace structured::kernels
