#pragma once
// Means and variances by loops that are compiled for each instruction set (leveled.h). Blocks that fit the first-level
// cache are read twice, for the mean and for the squared deviations from it, and merged by the update formulas of T. F.
// Chan, G. H. Golub and R. J. LeVeque (Updating formulae and a pairwise algorithm for computing sample variances,
// 1979).
#include <cstdint>

#include "leveled.h"

namespace structured::kernels {

/// Count, mean and sum of squared deviations of a set of elements.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;

  void join(const Moments& other) {
    if (other.count == 0) return;
    const double total = count + other.count;
    const double distance = other.mean - mean;
    const double share = other.count / total;
    mean += distance * share;
    squares += other.squares + distance * distance * count * share;
    count = total;
  }

  double variance() const { return count > 0 ? squares / count : 0; }
};

/// Merges the `size` elements of a row into `*moments`.
template <class T>
struct RowMoments {
  static void run(const T* x, int64_t size, Moments* moments) {
    constexpr int64_t block = 8192 / static_cast<int64_t>(sizeof(T));
    const auto add = [](T a, T b) { return a + b; };
    for (int64_t done = 0; done < size; done += block, x += block) {
      const int64_t count = size - done < block ? size - done : block;
      const T* const in = x;
      const T mean = reduce_lanes<T>(count, T(0), [in](int64_t i) { return in[i]; }, add) / static_cast<T>(count);
      const T squares =
          reduce_lanes<T>(count, T(0), [in, mean](int64_t i) { return (in[i] - mean) * (in[i] - mean); }, add);
      moments->join({static_cast<double>(count), mean, squares});
    }
  }
};

/// Merges `rows` rows into the moments of each column.
template <class T>
struct ColumnMoments {
  static constexpr int64_t kStrip = 128;  // columns
  static constexpr int64_t kBlock = 32;   // rows

  static void run(const T* x, int64_t rows, int64_t columns, Moments* moments) {
    for (int64_t begin = 0; begin < columns; begin += kStrip) {
      const int64_t width = columns - begin < kStrip ? columns - begin : kStrip;
      for (int64_t row = 0; row < rows; row += kBlock) {
        const int64_t count = rows - row < kBlock ? rows - row : kBlock;
        T means[kStrip] = {};
        T squares[kStrip] = {};
        const T* const block = x + row * columns + begin;
        for (int64_t i = 0; i < count; ++i) {
          for (int64_t c = 0; c < width; ++c) means[c] += block[i * columns + c];
        }
        for (int64_t c = 0; c < width; ++c) means[c] /= static_cast<T>(count);
        for (int64_t i = 0; i < count; ++i) {
          for (int64_t c = 0; c < width; ++c) {
            const T distance = block[i * columns + c] - means[c];
            squares[c] += distance * distance;
          }
        }
        for (int64_t c = 0; c < width; ++c) {
          moments[begin + c].join({static_cast<double>(count), means[c], squares[c]});
        }
      }
    }
  }
};

}  // namespace structured::kernels
