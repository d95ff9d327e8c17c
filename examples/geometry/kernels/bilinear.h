// Bilinear interpolation in an image.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace geometry {

/// One of the four pixels around a position.
template <typename T>
struct Corner {
  int64_t pixel = -1;  ///< index in the image, or -1 for a pixel that does not count
  T weight = 0;        ///< factor in the interpolated value
  T by_y = 0;          ///< derivatives of the weight by the position
  T by_x = 0;
};

template <typename T>
using Corners = std::array<Corner<T>, 4>;

/// Returns the pixels around a position in an image whose outside is zero.
template <typename T>
Corners<T> corners_in_zeros(T y, T x, int64_t height, int64_t width) {
  Corners<T> corners;
  if (!(y > T(-1) && x > T(-1) && y < T(height) && x < T(width))) return corners;
  const auto top = static_cast<int64_t>(std::floor(y));
  const auto left = static_cast<int64_t>(std::floor(x));
  const T down = y - T(top);
  const T right = x - T(left);
  for (int64_t i = 0; i < 4; ++i) {
    const bool is_below = i >= 2;
    const bool is_right = i % 2 == 1;
    const int64_t row = top + (is_below ? 1 : 0);
    const int64_t column = left + (is_right ? 1 : 0);
    if (row < 0 || row >= height || column < 0 || column >= width) continue;
    const T by_row = is_below ? down : T(1) - down;
    const T by_column = is_right ? right : T(1) - right;
    corners[i] = {row * width + column, by_row * by_column, is_below ? by_column : -by_column,
                  is_right ? by_row : -by_row};
  }
  return corners;
}

/// Returns the pixels around a position in an image whose border extends by one pixel; farther positions have none.
template <typename T>
Corners<T> corners_in_border(T y, T x, int64_t height, int64_t width) {
  if (height == 0 || width == 0 || !(y >= T(-1) && x >= T(-1) && y <= T(height) && x <= T(width))) return {};
  return corners_in_zeros(std::clamp(y, T(0), T(height - 1)), std::clamp(x, T(0), T(width - 1)), height, width);
}

/// Returns the value of an image at the position.
template <typename T>
T interpolate(const Corners<T>& corners, const T* image) {
  T value = 0;
  for (const Corner<T>& corner : corners) {
    if (corner.pixel >= 0) value += corner.weight * image[corner.pixel];
  }
  return value;
}

}  // namespace geometry
