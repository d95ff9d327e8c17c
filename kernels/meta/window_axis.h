#pragma once
// Sliding windows along one spatial dimension, as convolution, pooling and im2col use them.
#include <algorithm>
#include <cstdint>
#include <utility>

namespace structured::kernels {

/// Extents and steps along one spatial dimension. The defaults describe a dimension of one element.
struct WindowAxis {
  int64_t input = 1;   ///< elements of the input
  int64_t output = 1;  ///< windows
  int64_t kernel = 1;  ///< elements of a window
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
};

inline int64_t ceil_divide(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Returns the range [begin, end) of windows whose element at distance `offset` from the start of the window lies
/// inside the input.
inline std::pair<int64_t, int64_t> windows_inside(const WindowAxis& axis, int64_t offset) {
  const int64_t begin = offset >= 0 ? 0 : ceil_divide(-offset, axis.stride);
  const int64_t last = axis.input - 1 - offset;
  const int64_t end = last < 0 ? 0 : std::min(axis.output, last / axis.stride + 1);
  return {std::min(begin, end), end};
}

}  // namespace structured::kernels
