#pragma once
// Loops of depthwise convolution over outputs that use the same taps: along rows of a plane, or along adjacent
// channels. Their register tiles are not those of micro_kernel.h, since no operand is shared between channels.
#include <structured/iterator/pointwise.h>
#include <structured/memory/scratch.h>

#include <cstdint>
#include <type_traits>

#include "vec.h"

namespace structured::kernels {

/// Rectangle of outputs and its inputs. Strides and offsets are in elements.
struct DepthwiseBlock {
  struct Tap {
    int64_t in;      ///< offset of the input element of the first output
    int64_t weight;  ///< offset of the weight
  };
  int64_t rows;
  int64_t columns;
  int64_t in_row;
  int64_t in_column;
  int64_t out;  ///< offset of the first output
  int64_t out_row;
  int64_t out_column;
  ScratchVector<Tap> taps;
};

/// Copies rows of `columns` elements.
template <int64_t kBytes>
struct CopyRows {
  // The last vector of a row may overlap the one before it.
  template <int64_t kCount, class T>
  STRUCTURED_ALWAYS_INLINE static void rows(const T* in, int64_t count, int64_t columns, T* out, int64_t out_row) {
    if constexpr (kCount > 1) {
      if (columns < kCount) return rows<kCount / 2>(in, count, columns, out, out_row);
    }
    for (int64_t row = 0; row < count; ++row, in += columns, out += out_row) {
      Vec<T, kCount> values;
      for (int64_t i = 0; i + kCount < columns; i += kCount) {
        values.load(in + i);
        values.store(out + i);
      }
      values.load(in + columns - kCount);
      values.store(out + columns - kCount);
    }
  }

  template <class T>
  static void run(const T* in, int64_t count, int64_t columns, T* out, int64_t out_row) {
    rows<kBytes / static_cast<int64_t>(sizeof(T))>(in, count, columns, out, out_row);
  }
};

/// Computes the outputs of a block along the rows of a plane, whose columns are adjacent. Rows of the input must be
/// padded to full vectors.
template <int64_t kBytes>
struct PlaneBlock {
  static constexpr int64_t kPartBytes = 4 * kBytes;  // bytes of the widest part of a row

  template <class V, int64_t kVectors, int64_t kRows, class T>
  STRUCTURED_ALWAYS_INLINE static void part(const DepthwiseBlock& block, const T* in, const T* weight, T bias, T* out,
                                            int64_t columns, const T* end) {
    V sums[kRows][kVectors];
#pragma GCC unroll 4
    for (int64_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int64_t v = 0; v < kVectors; ++v) sums[r][v].fill(bias);
    }
    for (const DepthwiseBlock::Tap& tap : block.taps) {
      V factor;
      factor.fill(weight[tap.weight]);
#pragma GCC unroll 4
      for (int64_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) {
          V values;
          values.load(in + tap.in + r * block.in_row + v * V::size);
          sums[r][v].add_product(values, factor);
        }
      }
    }
#pragma GCC unroll 4
    for (int64_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int64_t v = 0; v < kVectors; ++v) {
        T* const to = out + r * block.out_row + v * V::size;
        if (v + 1 < kVectors || columns == kVectors * V::size || end - to >= V::size) {
          sums[r][v].store(to);
        } else {
          sums[r][v].store_first(columns - v * V::size, to);
        }
      }
    }
  }

  template <int64_t kRows, class T>
  STRUCTURED_ALWAYS_INLINE static void rows(const DepthwiseBlock& block, const T* in, const T* weight, T bias, T* out,
                                            const T* end) {
    using V = Vec<T, kBytes / static_cast<int64_t>(sizeof(T))>;
    for (int64_t i = 0; i < block.columns; i += 4 * V::size) {
      const int64_t columns = block.columns - i < 4 * V::size ? block.columns - i : 4 * V::size;
      if (columns > 3 * V::size) {
        part<V, 4, kRows>(block, in + i, weight, bias, out + i, columns, end);
      } else if (columns > 2 * V::size) {
        part<V, 3, kRows>(block, in + i, weight, bias, out + i, columns, end);
      } else if (columns > V::size) {
        part<V, 2, kRows>(block, in + i, weight, bias, out + i, columns, end);
      } else {
        part<V, 1, kRows>(block, in + i, weight, bias, out + i, columns, end);
      }
    }
  }

  template <class T>
  static void run(const DepthwiseBlock* block, const T* in, const T* weight, T bias, T* out) {
    out += block->out;
    // Vectors may reach into the next row of outputs if rows are adjacent: later stores overwrite that part.
    const bool may_reach =
        block->out_row == block->columns && block->columns <= kPartBytes / static_cast<int64_t>(sizeof(T));
    const T* const end = may_reach ? out + block->rows * block->columns : out;
    int64_t row = 0;
    for (; row + 3 <= block->rows; row += 3) {
      rows<3>(*block, in + row * block->in_row, weight, bias, out + row * block->out_row, end);
    }
    for (; row < block->rows; ++row) {
      rows<1>(*block, in + row * block->in_row, weight, bias, out + row * block->out_row, end);
    }
  }
};

/// Computes the outputs of a block for adjacent channels; their weights and biases (or null) are adjacent, too.
template <int64_t kBytes>
struct ChannelBlock {
  template <class V, int64_t kVectors, int64_t kPixels, class T>
  STRUCTURED_ALWAYS_INLINE static void part(const DepthwiseBlock& block, const T* in, const T* weight, const T* bias,
                                            T* out, int64_t channels, int64_t& c) {
    for (; c + kVectors * V::size <= channels; c += kVectors * V::size) {
      V sums[kPixels][kVectors];
#pragma GCC unroll 4
      for (int64_t p = 0; p < kPixels; ++p) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) {
          if (bias == nullptr) {
            sums[p][v].fill(0);
          } else {
            sums[p][v].load(bias + c + v * V::size);
          }
        }
      }
      for (const DepthwiseBlock::Tap& tap : block.taps) {
        V factors[kVectors];
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) factors[v].load(weight + tap.weight + c + v * V::size);
#pragma GCC unroll 4
        for (int64_t p = 0; p < kPixels; ++p) {
          const T* const x = in + tap.in + p * block.in_column + c;
#pragma GCC unroll 4
          for (int64_t v = 0; v < kVectors; ++v) {
            V values;
            values.load(x + v * V::size);
            sums[p][v].add_product(values, factors[v]);
          }
        }
      }
#pragma GCC unroll 4
      for (int64_t p = 0; p < kPixels; ++p) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) sums[p][v].store(out + p * block.out_column + c + v * V::size);
      }
    }
  }

  template <int64_t kCount, int64_t kPixels, class T>
  STRUCTURED_ALWAYS_INLINE static void rest(const DepthwiseBlock& block, const T* in, const T* weight, const T* bias,
                                            T* out, int64_t channels, int64_t& c) {
    part<Vec<T, kCount>, 1, kPixels>(block, in, weight, bias, out, channels, c);
    if constexpr (kCount > 1) rest<kCount / 2, kPixels>(block, in, weight, bias, out, channels, c);
  }

  template <int64_t kPixels, class T>
  STRUCTURED_ALWAYS_INLINE static void pixels(const DepthwiseBlock& block, const T* in, const T* weight, const T* bias,
                                              T* out, int64_t channels) {
    constexpr int64_t count = kBytes / sizeof(T);
    int64_t c = 0;
    part<Vec<T, count>, kBytes == 64 ? 4 : 2, kPixels>(block, in, weight, bias, out, channels, c);
    rest<count, kPixels>(block, in, weight, bias, out, channels, c);
  }

  template <class T>
  static void run(const DepthwiseBlock* block, const T* in, const T* weight, const T* bias, T* out, int64_t channels) {
    out += block->out;
    for (int64_t row = 0; row < block->rows; ++row, in += block->in_row, out += block->out_row) {
      int64_t i = 0;
      for (; i + 4 <= block->columns; i += 4) {
        pixels<4>(*block, in + i * block->in_column, weight, bias, out + i * block->out_column, channels);
      }
      for (; i < block->columns; ++i) {
        pixels<1>(*block, in + i * block->in_column, weight, bias, out + i * block->out_column, channels);
      }
    }
  }
};

inline constexpr int64_t kTapsAtOnce = 5;

/// Calls `body(first, count)` for parts of `total` taps of about equal size; `count` is a compile-time constant.
template <class Body>
STRUCTURED_ALWAYS_INLINE void for_each_part_of_taps(int64_t total, const Body& body) {
  const int64_t parts = (total + kTapsAtOnce - 1) / kTapsAtOnce;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t first = part * total / parts;
    switch ((part + 1) * total / parts - first) {
      case 1:
        body(first, std::integral_constant<int64_t, 1>());
        break;
      case 2:
        body(first, std::integral_constant<int64_t, 2>());
        break;
      case 3:
        body(first, std::integral_constant<int64_t, 3>());
        break;
      case 4:
        body(first, std::integral_constant<int64_t, 4>());
        break;
      case 5:
        body(first, std::integral_constant<int64_t, 5>());
        break;
    }
  }
}

/// Adds the contribution of a block to the gradient of the weights, along rows: for each tap, the sum of products of
/// the input and `gradient`. `gradient` has the layout of the outputs; like the input, its rows are padded with zeros
/// to multiples of 64 bytes. The number of partial sums does not depend on kBytes.
template <int64_t kBytes>
struct PlaneGradient {
  template <int64_t kTaps, class T>
  STRUCTURED_ALWAYS_INLINE static void part(const DepthwiseBlock& block, const DepthwiseBlock::Tap* taps, const T* in,
                                            const T* gradient, T* sums) {
    constexpr int64_t count = 64 / sizeof(T);
    constexpr int64_t vectors = 64 / kBytes;
    using V = Vec<T, count / vectors>;
    V parts[kTaps][vectors];
#pragma GCC unroll 5
    for (int64_t t = 0; t < kTaps; ++t) {
#pragma GCC unroll 4
      for (int64_t v = 0; v < vectors; ++v) parts[t][v].fill(0);
    }
    for (int64_t row = 0; row < block.rows; ++row) {
      const T* const g = gradient + row * block.out_row;
      const T* const x = in + row * block.in_row;
      for (int64_t i = 0; i < block.columns; i += count) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < vectors; ++v) {
          V factors;
          factors.load(g + i + v * V::size);
#pragma GCC unroll 5
          for (int64_t t = 0; t < kTaps; ++t) {
            V values;
            values.load(x + taps[t].in + i + v * V::size);
            parts[t][v].add_product(values, factors);
          }
        }
      }
    }
#pragma GCC unroll 5
    for (int64_t t = 0; t < kTaps; ++t) {
#pragma GCC unroll 4
      for (int64_t half = vectors / 2; half > 0; half /= 2) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < half; ++v) parts[t][v].values += parts[t][v + half].values;
      }
      sums[taps[t].weight] += parts[t][0].sum();
    }
  }

  template <class T>
  static void run(const DepthwiseBlock* block, const T* in, const T* gradient, T* sums) {
    gradient += block->out;
    for_each_part_of_taps(static_cast<int64_t>(block->taps.size()), [&](int64_t first, auto count) {
      part<decltype(count)::value>(*block, block->taps.data() + first, in, gradient, sums);
    });
  }
};

/// Adds the contribution of a block to the gradient of the weights of adjacent channels, whose sums are adjacent, too.
template <int64_t kBytes>
struct ChannelGradient {
  template <class V, int64_t kVectors, int64_t kTaps, class T>
  STRUCTURED_ALWAYS_INLINE static void part(const DepthwiseBlock& block, const DepthwiseBlock::Tap* taps, const T* in,
                                            const T* gradient, T* sums, int64_t channels, int64_t& c) {
    for (; c + kVectors * V::size <= channels; c += kVectors * V::size) {
      V parts[kTaps][kVectors];
#pragma GCC unroll 5
      for (int64_t t = 0; t < kTaps; ++t) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) parts[t][v].fill(0);
      }
      for (int64_t i = 0; i < block.columns; ++i) {
        V factors[kVectors];
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) factors[v].load(gradient + i * block.out_column + c + v * V::size);
#pragma GCC unroll 5
        for (int64_t t = 0; t < kTaps; ++t) {
          const T* const x = in + taps[t].in + i * block.in_column + c;
#pragma GCC unroll 4
          for (int64_t v = 0; v < kVectors; ++v) {
            V values;
            values.load(x + v * V::size);
            parts[t][v].add_product(values, factors[v]);
          }
        }
      }
#pragma GCC unroll 5
      for (int64_t t = 0; t < kTaps; ++t) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < kVectors; ++v) {
          T* const sum = sums + taps[t].weight + c + v * V::size;
          V before;
          before.load(sum);
          before.values += parts[t][v].values;
          before.store(sum);
        }
      }
    }
  }

  template <int64_t kCount, int64_t kTaps, class T>
  STRUCTURED_ALWAYS_INLINE static void rest(const DepthwiseBlock& block, const DepthwiseBlock::Tap* taps, const T* in,
                                            const T* gradient, T* sums, int64_t channels, int64_t& c) {
    part<Vec<T, kCount>, 1, kTaps>(block, taps, in, gradient, sums, channels, c);
    if constexpr (kCount > 1) rest<kCount / 2, kTaps>(block, taps, in, gradient, sums, channels, c);
  }

  template <class T>
  static void run(const DepthwiseBlock* block, const T* in, const T* gradient, T* sums, int64_t channels) {
    constexpr int64_t count = kBytes / sizeof(T);
    gradient += block->out;
    for (int64_t row = 0; row < block->rows; ++row, in += block->in_row, gradient += block->out_row) {
      for_each_part_of_taps(static_cast<int64_t>(block->taps.size()), [&](int64_t first, auto taps) {
        constexpr int64_t kTaps = decltype(taps)::value;
        const DepthwiseBlock::Tap* const from = block->taps.data() + first;
        int64_t c = 0;
        part<Vec<T, count>, kBytes == 64 ? 4 : 2, kTaps>(*block, from, in, gradient, sums, channels, c);
        rest<count, kTaps>(*block, from, in, gradient, sums, channels, c);
      });
    }
  }
};

}  // namespace structured::kernels
