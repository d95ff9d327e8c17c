#include "cpu/window_resampling.h"

#include <structured/core/factory.h>
#include <structured/iterator/parallel.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "shared/dense.h"

namespace structured::kernels {
namespace {

// Weight of an input element at distance `x` from the centre of a window.
template <class C>
C weight_at(const WindowResampling& resampling, C x) {
  x = std::fabs(x);
  if (resampling.filter == WindowFilter::triangle) return x < C(1) ? C(1) - x : C(0);
  const C a = resampling.is_antialiased ? C(-0.5) : C(-0.75);
  if (x < C(1)) return ((a + C(2)) * x - (a + C(3))) * x * x + C(1);
  if (x < C(2)) return (((x - C(5)) * x + C(8)) * x - C(4)) * a;
  return C(0);
}

// The windows of the output positions along one dimension: position i sums `counts[i]` input elements from `firsts[i]`
// on, with the weights at `i * length`.
template <class W>
struct Windows {
  int64_t length = 0;
  std::vector<int64_t> firsts, counts;
  std::vector<W> weights;
};

template <class C>
C ratio(int64_t input, int64_t output, bool align_corners, std::optional<double> scale) {
  if (align_corners) return output > 1 ? static_cast<C>(input - 1) / static_cast<C>(output - 1) : C(0);
  return scale && *scale > 0 ? static_cast<C>(1.0 / *scale) : static_cast<C>(input) / static_cast<C>(output);
}

template <class C>
Windows<C> windows(int64_t input, int64_t output, const WindowResampling& resampling, C step) {
  const C half = resampling.filter == WindowFilter::triangle ? C(1) : C(2);
  const bool is_shrunk = resampling.is_antialiased && step >= C(1);
  const C support = is_shrunk ? half * step : half;
  const C inverse = is_shrunk ? C(1) / step : C(1);
  Windows<C> result;
  result.length =
      resampling.is_antialiased ? static_cast<int64_t>(std::ceil(support)) * 2 + 1 : static_cast<int64_t>(2 * half);
  result.weights.resize(static_cast<size_t>(output * result.length));
  for (int64_t i = 0; i < output; ++i) {
    C* const weights = result.weights.data() + i * result.length;
    int64_t first = 0;
    int64_t count = 0;
    if (resampling.is_antialiased) {  // windows are cut off at the border
      const C centre = step * (static_cast<C>(i) + C(0.5));
      first = std::max<int64_t>(static_cast<int64_t>(centre - support + C(0.5)), 0);
      const int64_t end = std::min(static_cast<int64_t>(centre + support + C(0.5)), input);
      count = std::clamp<int64_t>(end - first, 0, result.length);
      for (int64_t j = 0; j < count; ++j) {
        weights[j] = weight_at(resampling, (static_cast<C>(j + first) - centre + C(0.5)) * inverse);
      }
    } else {  // elements beyond the border are those at the border
      const C position = static_cast<C>(i);
      const C unbounded = resampling.align_corners ? step * position : step * (position + C(0.5)) - C(0.5);
      const C centre = std::clamp<C>(unbounded, -half, static_cast<C>(input - 1) + half);
      const auto start = static_cast<int64_t>(std::floor(centre - half + C(1)));
      const auto inside = [input](int64_t index) { return std::clamp<int64_t>(index, 0, input - 1); };
      first = inside(start);
      count = inside(start + result.length - 1) - first + 1;
      for (int64_t j = start; j < start + result.length; ++j) {
        weights[inside(j) - first] += weight_at(resampling, static_cast<C>(j) - centre);
      }
    }
    C total = 0;
    for (int64_t j = 0; j < count; ++j) total += weights[j];
    for (int64_t j = 0; j < count && total != C(0); ++j) weights[j] /= total;
    result.firsts.push_back(first);
    result.counts.push_back(count);
  }
  return result;
}

// Weights in fixed point. `bits` is the number of fractional bits: as many as let the greatest weight be a 16-bit
// integer.
Windows<int32_t> fixed_point(const Windows<double>& exact, int& bits) {
  const double greatest =
      exact.weights.empty() ? 0 : std::max(0.0, *std::max_element(exact.weights.begin(), exact.weights.end()));
  bits = 0;
  while (bits < 22 && static_cast<int>(0.5 + greatest * (1 << (bits + 1))) < 1 << 15) ++bits;
  Windows<int32_t> result{exact.length, exact.firsts, exact.counts, {}};
  for (const double weight : exact.weights) {
    result.weights.push_back(static_cast<int32_t>(weight * (1 << bits) + (weight < 0 ? -0.5 : 0.5)));
  }
  return result;
}

// Sums windows along the middle dimension of contiguous tensors [outer, input, inner] and [outer, output, inner]. Sums
// start at `zero`; `finish` converts them.
template <class T, class W, class Finish>
void sum_windows(const T* in, T* out, int64_t outer, int64_t input, int64_t inner, const Windows<W>& windows, W zero,
                 const Finish& finish) {
  const auto output = static_cast<int64_t>(windows.firsts.size());
  parallel_for(0, outer * output, kGrainSize / (inner * windows.length) + 1, [&](int64_t begin, int64_t end) {
    std::vector<W> sums(static_cast<size_t>(inner));
    for (int64_t row = begin; row < end; ++row) {
      const auto i = static_cast<size_t>(row % output);
      const T* const from = in + (row / output * input + windows.firsts[i]) * inner;
      const W* const weights = windows.weights.data() + static_cast<int64_t>(i) * windows.length;
      std::fill(sums.begin(), sums.end(), zero);
      for (int64_t j = 0; j < windows.counts[i]; ++j) {
        for (int64_t k = 0; k < inner; ++k) {
          sums[static_cast<size_t>(k)] += static_cast<W>(from[j * inner + k]) * weights[j];
        }
      }
      for (int64_t k = 0; k < inner; ++k) out[row * inner + k] = finish(sums[static_cast<size_t>(k)]);
    }
  });
}

template <class T>
void resample_dim(const T* in, T* out, int64_t outer, int64_t input, int64_t output, int64_t inner,
                  const WindowResampling& resampling, std::optional<double> scale) {
  using C = std::conditional_t<std::is_integral_v<T>, double, T>;
  const C step = ratio<C>(input, output, resampling.align_corners, scale);
  if constexpr (std::is_integral_v<T>) {
    int bits = 0;
    const Windows<int32_t> fixed = fixed_point(windows(input, output, resampling, step), bits);
    const int32_t half = bits > 0 ? 1 << (bits - 1) : 0;
    sum_windows(in, out, outer, input, inner, fixed, half,
                [bits](int32_t sum) { return static_cast<T>(std::clamp(sum >> bits, 0, 255)); });
  } else {
    sum_windows(in, out, outer, input, inner, windows(input, output, resampling, step), C(0),
                [](C sum) { return sum; });
  }
}

}  // namespace

void resample_windows(const char* name, const Tensor& self, const WindowResampling& resampling,
                      std::optional<double> scale_h, std::optional<double> scale_w, const Tensor& out) {
  if (out.numel() == 0) return;
  const Tensor in = dense(self, self.scalar_type());
  const int64_t planes = self.size(0) * self.size(1);
  const int64_t height = self.size(2);
  const int64_t width = self.size(3);
  const Tensor rows = empty({planes, height, out.size(3)}, self.options());
  const Tensor result = writable(out, out.scalar_type());
  visit<kFloatingTypes | kByte>(name, self.scalar_type(), [&]<class T>() {
    resample_dim(in.data_ptr<T>(), rows.data_ptr<T>(), planes * height, width, out.size(3), int64_t{1}, resampling,
                 scale_w);
    resample_dim(rows.data_ptr<T>(), result.data_ptr<T>(), planes, height, out.size(2), out.size(3), resampling,
                 scale_h);
  });
  store(out, result);
}

}  // namespace structured::kernels
