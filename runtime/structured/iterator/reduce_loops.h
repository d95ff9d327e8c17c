#pragma once
// Loops of reductions over contiguous elements, for each SIMD level (leveled.h).
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "structured/base/export.h"
#include "structured/iterator/leveled.h"
#include "structured/iterator/loops.h"
#include "structured/number/complex.h"

namespace structured::detail {

/// `Op` is documented at `reduce`.
template <class Op>
struct ReduceLoops {
  using Element = typename Op::Element;
  using Accumulator = typename Op::Accumulator;

  /// Number of accumulators that neighbouring elements are distributed to: they become vector registers. Compilers
  /// would keep fewer than 32 in scalar variables and vectorize them less.
  static constexpr int64_t kLanes = sizeof(Accumulator) > 8 ? 8 : std::max<int64_t>(32, 128 / sizeof(Accumulator));
  static constexpr int64_t kBlock = 512;  // elements combined before they enter the tree
  static constexpr int64_t kMaxRow = 64 * kBlock;
  static constexpr int64_t kNarrow = 16;  // columns that are fewer than the lanes of a wide vector

  /// Sequential loop for fewer elements than lanes.
  STRUCTURED_ALWAYS_INLINE static Accumulator reduce_few(const Element* in, int64_t count) {
    Accumulator result = Op::identity();
    for (int64_t i = 0; i < count; ++i) {
      result = Op::combine(result, Op::lift(in[i]));
      asm volatile("");  // not vectorized: the set-up would cost more
    }
    return result;
  }

  /// Reduces at most one block of elements that are `stride` bytes apart.
  __attribute__((noinline)) static Accumulator reduce_strided(const char* in, int64_t stride, int64_t count) {
    return reduce_block([=](int64_t i) { return *reinterpret_cast<const Element*>(in + i * stride); }, count);
  }

  /// Reduces at most kMaxRow contiguous elements.
  static Accumulator reduce_row(const Element* in, int64_t count) {
    Accumulator result;
    run<Row>(in, count, &result);
    return result;
  }

  /// Combines rows of `width` contiguous elements with `results`.
  static void combine_rows(const char* in, int64_t rows, int64_t row_stride, int64_t width, Accumulator* results) {
    if (width < kNarrow) return run_baseline<Rows>(in, rows, row_stride, width, results);
    run<Rows>(in, rows, row_stride, width, results);
  }

 private:
  // Reduces at most one block; `element(i)` is element i.
  template <class Get>
  STRUCTURED_ALWAYS_INLINE static Accumulator reduce_block(const Get& element, int64_t count) {
    if (count < kLanes) {
      Accumulator few = Op::identity();
      for (int64_t i = 0; i < count; ++i) few = Op::combine(few, Op::lift(element(i)));
      return few;
    }
    Accumulator lanes[kLanes];
    const int64_t rounds = count / kLanes;
    combine_rounds(element, rounds, lanes);
    fold_lanes<kLanes>(lanes, Op::combine);
    for (int64_t i = rounds * kLanes; i < count; ++i) lanes[0] = Op::combine(lanes[0], Op::lift(element(i)));
    return lanes[0];
  }

  template <class Get>
  STRUCTURED_ALWAYS_INLINE static void combine_rounds(const Get& element, int64_t rounds, Accumulator* lanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = Op::lift(element(lane));
    for (int64_t round = 1; round < rounds; ++round) {
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = Op::combine(lanes[lane], Op::lift(element(round * kLanes + lane)));
      }
    }
  }

  STRUCTURED_ALWAYS_INLINE static void combine_lanes(const Accumulator* earlier, Accumulator* lanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = Op::combine(earlier[lane], lanes[lane]);
  }

  // Blocks are combined lane by lane in the same tree as in Cascade.
  STRUCTURED_ALWAYS_INLINE static Accumulator reduce_blocks(const Element* in, int64_t blocks) {
    Accumulator lanes[kLanes];
    Accumulator levels[std::bit_width(static_cast<uint64_t>(kMaxRow / kBlock))][kLanes];
    for (int64_t block = 1; block <= blocks; ++block, in += kBlock) {
      combine_rounds([in](int64_t i) { return in[i]; }, kBlock / kLanes, lanes);
      int64_t level = 0;
      for (; (block >> level & 1) == 0; ++level) combine_lanes(levels[level], lanes);
      for (int64_t lane = 0; lane < kLanes; ++lane) levels[level][lane] = lanes[lane];
    }
    // The last block joins the lowest level, and `lanes` hold that level.
    for (int64_t left = blocks & (blocks - 1); left != 0; left &= left - 1) {
      combine_lanes(levels[std::countr_zero(static_cast<uint64_t>(left))], lanes);
    }
    fold_lanes<kLanes>(lanes, Op::combine);
    return lanes[0];
  }

  struct Row {
    STRUCTURED_ALWAYS_INLINE static void run(const Element* in, int64_t count, Accumulator* result) {
      const int64_t blocks = count / kBlock;
      const int64_t rest = count % kBlock;
      if (blocks != 0) *result = reduce_blocks(in, blocks);
      if (blocks != 0 && rest == 0) return;
      const Element* const last = in + blocks * kBlock;
      const Accumulator other = reduce_block([last](int64_t i) { return last[i]; }, rest);
      *result = blocks == 0 ? other : Op::combine(*result, other);
    }
  };

  // Four rows at a time: each accumulator is loaded and stored once per four elements.
  struct Rows {
    STRUCTURED_ALWAYS_INLINE static void run(const char* in, int64_t rows, int64_t row_stride, int64_t width,
                                             Accumulator* results) {
      const auto row = [&](int64_t k) { return reinterpret_cast<const Element*>(in + k * row_stride); };
      for (; rows >= 4; rows -= 4, in += 4 * row_stride) {
        const Element* const a = row(0);
        const Element* const b = row(1);
        const Element* const c = row(2);
        const Element* const d = row(3);
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < width; ++i) {
          const Accumulator low = Op::combine(Op::lift(a[i]), Op::lift(b[i]));
          const Accumulator high = Op::combine(Op::lift(c[i]), Op::lift(d[i]));
          results[i] = Op::combine(results[i], Op::combine(low, high));
        }
      }
      for (; rows > 0; --rows, in += row_stride) {
        const Element* const a = row(0);
        STRUCTURED_INDEPENDENT_LOOP
        for (int64_t i = 0; i < width; ++i) results[i] = Op::combine(results[i], Op::lift(a[i]));
      }
    }
  };

  // Restricts SIMD levels to loops that gain from them: not complex numbers, which compilers hardly vectorize, and no
  // 512-bit vectors of integers except 64-bit ones, whose multiplication needs them.
  template <class Body, class... Args>
  static void run(Args... args) {
    if constexpr (std::is_integral_v<Accumulator> && sizeof(Accumulator) < 8) {
      run_leveled<Body, SimdLevel::avx2>(args...);
    } else if constexpr (std::is_arithmetic_v<Accumulator> || is_complex_v<Accumulator>) {
      run_leveled<Body>(args...);
    } else {
      Body::run(args...);
    }
  }
};

}  // namespace structured::detail
