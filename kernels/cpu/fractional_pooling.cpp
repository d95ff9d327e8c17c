// Fractional max pooling on CPU.
#include <structured/core/tensor.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "math/extrema.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

struct Axis {
  int64_t input = 1;
  int64_t output = 1;
  int64_t kernel = 1;
};

// Truncates `x`; returns 0 for NaN and numbers of 1e15 or more in magnitude.
template <class T>
int64_t cut_off(T x) {
  constexpr T limit = 1e15;
  return x > -limit && x < limit ? static_cast<int64_t>(x) : 0;
}

// Returns the first input position of each window. Windows are almost evenly spaced; the last one ends at the end of
// the input. Positions are valid even for a `sample` outside [0, 1).
template <class T>
std::vector<int64_t> window_starts(const Axis& axis, T sample) {
  std::vector<int64_t> result(static_cast<size_t>(axis.output));
  const int64_t last = axis.input - axis.kernel;
  if (axis.output > 1) {
    const T step = static_cast<T>(last) / static_cast<T>(axis.output - 1);
    const int64_t shift = cut_off(sample * step);
    for (int64_t i = 0; i + 1 < axis.output; ++i) {
      const int64_t start = cut_off((static_cast<T>(i) + sample) * step) - shift;
      result[static_cast<size_t>(i)] = std::clamp<int64_t>(start, 0, last);
    }
  }
  result.back() = last;
  return result;
}

template <class T>
void pool_plane(const T* plane, const std::array<Axis, 3>& axes, const std::array<T, 3>& samples, T* out,
                int64_t* indices) {
  const auto& [depth, height, width] = axes;
  const std::vector<int64_t> fronts = window_starts(depth, samples[0]);
  const std::vector<int64_t> tops = window_starts(height, samples[1]);
  const std::vector<int64_t> lefts = window_starts(width, samples[2]);
  for (const int64_t front : fronts) {
    for (const int64_t top : tops) {
      for (const int64_t left : lefts) {
        T best = -std::numeric_limits<T>::infinity();
        int64_t place = (front * height.input + top) * width.input + left;
        for (int64_t z = front; z < front + depth.kernel; ++z) {
          for (int64_t y = top; y < top + height.kernel; ++y) {
            const int64_t row = (z * height.input + y) * width.input;
            for (int64_t x = row + left; x < row + left + width.kernel; ++x) {
              if (replaces_max(plane[x], best)) {
                best = plane[x];
                place = x;
              }
            }
          }
        }
        *out++ = best;
        *indices++ = place;
      }
    }
  }
}

void fractional_max_pool(const char* name, const Tensor& self, IntArrayRef kernel_size, const Tensor& random_samples,
                         const Tensor& out, const Tensor& indices) {
  if (out.numel() == 0) return;
  const size_t rank = kernel_size.size();
  std::array<Axis, 3> axes;
  int64_t input = 1;
  int64_t output = 1;
  for (size_t d = 0; d < rank; ++d) {
    const auto from_end = static_cast<int64_t>(d) - static_cast<int64_t>(rank);
    axes[3 - rank + d] = {self.size(from_end), out.size(from_end), kernel_size[d]};
    input *= self.size(from_end);
    output *= out.size(from_end);
  }
  const ScalarType dtype = self.scalar_type() == kDouble ? kDouble : kFloat;
  visit<kFloatingTypes>(name, dtype, [&]<class T>() {
    const Tensor in = dense(self, dtype);
    const Tensor samples = dense(random_samples, dtype);
    const Tensor result = writable(out, dtype);
    parallel_for(0, out.numel() / output, std::max<int64_t>(1, kGrainSize / input), [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        const T* const chosen = samples.data_ptr<T>() + plane * static_cast<int64_t>(rank);
        // For two dimensions, samples are in the opposite order.
        const std::array<T, 3> ordered = rank == 2 ? std::array<T, 3>{T(0), chosen[1], chosen[0]}
                                                   : std::array<T, 3>{chosen[0], chosen[1], chosen[2]};
        pool_plane<T>(in.data_ptr<T>() + plane * input, axes, ordered, result.data_ptr<T>() + plane * output,
                      indices.data_ptr<int64_t>() + plane * output);
      }
    });
    store(out, result);
  });
}

}  // namespace

[[structured::impl("fractional_max_pool2d.output", "CPU")]]
void fractional_max_pool2d_cpu(const Tensor& self, IntArrayRef kernel_size, [[maybe_unused]] IntArrayRef output_size,
                               const Tensor& random_samples, const Tensor& output, const Tensor& indices) {
  fractional_max_pool("fractional_max_pool2d", self, kernel_size, random_samples, output, indices);
}

[[structured::impl("fractional_max_pool3d.output", "CPU")]]
void fractional_max_pool3d_cpu(const Tensor& self, IntArrayRef kernel_size, [[maybe_unused]] IntArrayRef output_size,
                               const Tensor& random_samples, const Tensor& output, const Tensor& indices) {
  fractional_max_pool("fractional_max_pool3d", self, kernel_size, random_samples, output, indices);
}

}  // namespace structured::kernels
