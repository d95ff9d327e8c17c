#pragma once
// CPU reductions that may combine elements in any order: sums, products, counts.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/core/tensor.h"
#include "structured/iterator/convert_row.h"
#include "structured/iterator/inline_vector.h"
#include "structured/iterator/loops.h"
#include "structured/iterator/reduce_loops.h"
#include "structured/iterator/reduced_dims.h"
#include "structured/number/scalar_type.h"

namespace structured {
namespace detail {

/// Pairwise summation in one pass: combines blocks of accumulators in a balanced tree as they arrive, like the carries
/// of a binary counter. The rounding error of a sum grows with the logarithm of the number of blocks. A block has
/// `kWidth` accumulators, or the number passed to the constructor if kWidth is 0.
template <class Op, std::size_t kWidth = 0>
class Cascade {
  using Accumulator = typename Op::Accumulator;

 public:
  explicit Cascade(int64_t width = kWidth) : width_(static_cast<std::size_t>(width)) {}

  /// Adds a block of `width` accumulators, which it overwrites.
  void push(Accumulator* block) {
    std::size_t level = 0;
    for (; (occupied_ >> level & 1) != 0; ++level) {
      occupied_ &= ~(uint64_t{1} << level);
      combine_into(block, level);
    }
    if (levels_.size() < (level + 1) * width()) levels_.resize((level + 1) * width());
    for (std::size_t i = 0; i < width(); ++i) levels_[level * width() + i] = block[i];
    occupied_ |= uint64_t{1} << level;
  }

  /// Writes the combination of all blocks.
  void finish(Accumulator* result) const {
    for (std::size_t i = 0; i < width(); ++i) result[i] = Op::identity();
    for (std::size_t level = 0; occupied_ >> level != 0; ++level) {
      if ((occupied_ >> level & 1) != 0) combine_into(result, level);
      if (level == 63) break;
    }
  }

 private:
  void combine_into(Accumulator* block, std::size_t level) const {
    const Accumulator* const stored = levels_.data() + level * width();
    for (std::size_t i = 0; i < width(); ++i) block[i] = Op::combine(stored[i], block[i]);
  }

  // A block of one accumulator is a single object, so that the compiler sees the exact store.
  std::size_t width() const { return kWidth != 0 ? kWidth : width_; }

  std::size_t width_;
  uint64_t occupied_ = 0;
  InlineVector<Accumulator, 64> levels_;
};

/// The tree depends on sizes and strides only, not on the number of threads: results are reproducible.
template <class Op>
class Reduction {
  using Element = typename Op::Element;
  using Accumulator = typename Op::Accumulator;

  using Loops = ReduceLoops<Op>;

  static constexpr int64_t kBlock = Loops::kBlock;
  static constexpr int64_t kBlockRows = 128;                      // rows combined before they enter the tree
  static constexpr int64_t kStrip = 16384 / sizeof(Accumulator);  // maximum number of columns reduced side by side
  static constexpr int64_t kPiece = 2 * kGrainSize;               // elements per thread if there are few results
  static constexpr int64_t kMaxPieces = 32;
  static constexpr int64_t kFewRows = 16;
  static constexpr int64_t kFewColumns = 16384;

 public:
  Reduction(const TensorIterator& results, const ReducedWalk& walk, ScalarType in_memory)
      : results_(results),
        walk_(walk),
        convert_(in_memory == scalar_type_of<Element> ? nullptr : convert_row(scalar_type_of<Element>, in_memory)) {
    const int64_t columns = results.ndim() == 0 ? 1 : results.shape()[0];
    const bool is_short = walk.count() < 16 && columns >= 16;
    by_columns_ = columns > 1 && (results.stride(1, 0) < walk.stride() || is_short);
    // Neighbouring short columns share cache lines, which must stay cached until the next row.
    width_ = !by_columns_ ? 1 : is_short ? kStrip / 4 : kStrip;
    const int64_t width = std::min(columns, width_);
    piece_ = walk.count();
    if (results.numel() < (by_columns_ ? kFewColumns : kFewRows)) {
      piece_ = std::min(piece_, std::max({kPiece / width, kBlockRows, piece_ / kMaxPieces}));
    }
  }

  // Returns the length of a row if both tensors are contiguous, the last dimensions are reduced, and `from` has
  // 1 to `limit` elements of type Element, so that each result combines one contiguous row. Returns 0
  // otherwise.
  static int64_t row_length(const TensorImpl& to, const TensorImpl& from, DimMask mask, int64_t limit) {
    if (from.numel() > limit || from.numel() == 0 || from.dtype() != scalar_type_of<Element> ||
        !from.has_flag(TensorFlags::kContiguous) || !to.has_flag(TensorFlags::kContiguous)) {
      return 0;
    }
    int64_t count = 1;
    std::size_t d = from.rank();
    for (; d > 0 && (mask >> (d - 1) & 1) != 0; --d) count *= from.sizes()[d - 1];
    return d < kMaxDims && (mask & ((DimMask{1} << d) - 1)) != 0 ? 0 : count;
  }

  // Reduces rows that are one block each. Returns false, with no effect, for any other layout.
  static bool run_rows(const Tensor& out, const Tensor& in, DimMask mask) {
    const int64_t count = row_length(*out.impl(), *in.impl(), mask, kBlock);
    if (count == 0) return false;
    const Element* row = in.impl()->elements<Element>();
    Element* result = out.impl()->elements<Element>();
    for (int64_t i = out.impl()->numel(); i > 0; --i, ++result, row += count) {
      *result = Op::project(Op::combine(Op::identity(), reduce_row(row, count)));
    }
    return true;
  }

  // Reduces rows that are shorter than the vectorized loop.
  static bool run_short_rows(const Tensor& out, const Tensor& in, DimMask mask) {
    const int64_t count = row_length(*out.impl(), *in.impl(), mask, Loops::kLanes - 1);
    if (count == 0) return false;
    const Element* row = in.impl()->elements<Element>();
    Element* result = out.impl()->elements<Element>();
    for (int64_t i = out.impl()->numel(); i > 0; --i, ++result, row += count) {
      *result = Op::project(Op::combine(Op::identity(), Loops::reduce_few(row, count)));
    }
    return true;
  }

  void run() const {
    const auto loop = [this](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
      for (int64_t k = 0; k < outer; ++k) {
        run_row(data[0] + k * strides[2], strides[0], data[1] + k * strides[3], strides[1], inner);
      }
    };
    if (piece_ < walk_.count()) {  // threads share the elements of one result
      results_.serial_for_each(Loop2d(loop), 0, results_.numel());
    } else {
      results_.for_each(Loop2d(loop), std::max<int64_t>(1, kGrainSize / walk_.count()));
    }
  }

 private:
  void run_row(char* out, int64_t out_stride, const char* in, int64_t in_stride, int64_t size) const {
    alignas(64) Accumulator strip[kStrip];
    for (int64_t begin = 0; begin < size; begin += width_) {
      const int64_t count = std::min(width_, size - begin);
      reduce_item(in + begin * in_stride, in_stride, count, strip);
      for (int64_t i = 0; i < count; ++i) {
        *reinterpret_cast<Element*>(out + (begin + i) * out_stride) = Op::project(strip[i]);
      }
    }
  }

  // Pieces are combined in a balanced tree, too.
  __attribute__((noinline)) void reduce_item(const char* in, int64_t stride, int64_t width, Accumulator* result) const {
    if (piece_ == walk_.count()) {
      reduce_range(in, stride, width, 0, walk_.count(), result);
      return;
    }
    const int64_t pieces = (walk_.count() + piece_ - 1) / piece_;
    const Tensor memory =
        detail::empty({pieces * width * static_cast<int64_t>(sizeof(Accumulator))}, TensorOptions(kByte));
    auto* const partial = static_cast<Accumulator*>(memory.data());
    parallel_for(0, pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        reduce_range(in, stride, width, i * piece_, std::min(walk_.count(), (i + 1) * piece_), partial + i * width);
      }
    });
    for (int64_t step = 1; step < pieces; step *= 2) {
      for (int64_t i = 0; i + step < pieces; i += 2 * step) {
        Accumulator* const to = partial + i * width;
        for (int64_t k = 0; k < width; ++k) to[k] = Op::combine(to[k], to[step * width + k]);
      }
    }
    std::copy_n(partial, width, result);
  }

  void reduce_range(const char* in, int64_t stride, int64_t width, int64_t begin, int64_t end,
                    Accumulator* result) const {
    if (by_columns_) {
      reduce_columns(in, stride, width, begin, end, result);
    } else {
      *result = reduce_elements(in, begin, end);
    }
  }

  __attribute__((noinline)) Accumulator reduce_elements(const char* in, int64_t begin, int64_t end) const {
    Cascade<Op, 1> cascade;
    Accumulator block = Op::identity();
    int64_t pending = 0;
    const bool is_dense = convert_ == nullptr && walk_.stride() == sizeof(Element);
    walk_.for_each_row(begin, end, [&](int64_t offset, int64_t size) {
      for (int64_t done = 0; done < size;) {
        const int64_t count = std::min(is_dense ? Loops::kMaxRow : kBlock - pending, size - done);
        const char* const from = in + offset + done * walk_.stride();
        block = Op::combine(
            block, is_dense ? reduce_row(reinterpret_cast<const Element*>(from), count) : reduce_block(from, count));
        done += count;
        pending += count;
        if (pending >= kBlock) {
          cascade.push(&block);
          block = Op::identity();
          pending = 0;
        }
      }
    });
    if (end - begin < kBlock) return block;
    Accumulator result;
    cascade.finish(&result);
    return Op::combine(result, block);
  }

  // Inlined for a few elements.
  static Accumulator reduce_row(const Element* in, int64_t count) {
    return count < Loops::kLanes ? Loops::reduce_few(in, count) : Loops::reduce_row(in, count);
  }

  Accumulator reduce_block(const char* in, int64_t count) const {
    if (convert_ == nullptr) return Loops::reduce_strided(in, walk_.stride(), count);
    Element buffer[kBlock];
    convert_(reinterpret_cast<char*>(buffer), sizeof(Element), in, walk_.stride(), count);
    return Loops::reduce_row(buffer, count);
  }

  __attribute__((noinline)) void reduce_columns(const char* in, int64_t stride, int64_t width, int64_t begin,
                                                int64_t end, Accumulator* result) const {
    Cascade<Op> cascade(width);
    std::fill_n(result, width, Op::identity());
    int64_t pending = 0;
    walk_.for_each_row(begin, end, [&](int64_t offset, int64_t size) {
      for (int64_t i = 0; i < size;) {
        if (pending == kBlockRows) {
          cascade.push(result);
          std::fill_n(result, width, Op::identity());
          pending = 0;
        }
        const int64_t count = std::min(kBlockRows - pending, size - i);
        combine_rows(in + offset + i * walk_.stride(), count, stride, width, result);
        pending += count;
        i += count;
      }
    });
    if (end - begin <= kBlockRows) return;
    cascade.push(result);
    cascade.finish(result);
  }

  void combine_rows(const char* in, int64_t rows, int64_t stride, int64_t width, Accumulator* result) const {
    const int64_t row_stride = walk_.stride();
    if (convert_ == nullptr && stride == sizeof(Element)) {
      Loops::combine_rows(in, rows, row_stride, width, result);
      return;
    }
    for (; rows > 0; --rows, in += row_stride) {
      if (convert_ != nullptr) {
        Element buffer[kStrip];
        convert_(reinterpret_cast<char*>(buffer), sizeof(Element), in, stride, width);
        Loops::combine_rows(reinterpret_cast<const char*>(buffer), 1, 0, width, result);
        continue;
      }
      STRUCTURED_INDEPENDENT_LOOP
      for (int64_t i = 0; i < width; ++i) {
        result[i] = Op::combine(result[i], Op::lift(*reinterpret_cast<const Element*>(in + i * stride)));
      }
    }
  }

  const TensorIterator& results_;
  const ReducedWalk& walk_;
  ConvertRow convert_;  // null if memory holds type Element
  bool by_columns_ = false;
  int64_t width_ = 0;  // results that are reduced side by side
  int64_t piece_ = 0;
};

template <class Op>
__attribute__((noinline)) void reduce_many(const Tensor& out, const Tensor& in, DimMask mask) {
  using Element = typename Op::Element;
  if (out.numel() == 0 || Reduction<Op>::run_rows(out, in, mask)) return;
  const ReducedWalk walk(in, mask);
  if (walk.count() == 0) {
    const Element value = Op::project(Op::identity());
    cpu_kernel(TensorIterator::nullary_op(out), [value]() -> Element { return value; });
    return;
  }
  const TensorIterator results = results_iterator(&out, in, mask);
  Reduction<Op>(results, walk, in.scalar_type()).run();
}

}  // namespace detail

/// Sets each element of `out` to the combination of the elements of `in` over the dimensions in `mask`. `out` has the
/// sizes of reduced_sizes, with or without keepdim. Accepts any strides and any dtype of `in`: elements are converted
/// to Op::Element, the dtype of `out`. Runs on several threads.
///
///     struct Sum {
///       using Element = Half;
///       using Accumulator = float;                                     // trivially copyable
///       static float identity() { return 0; }                          // the result for no elements
///       static float lift(Half value) { return value; }
///       static float combine(float a, float b) { return a + b; }       // associative, commutative, but for rounding
///       static Half project(float sum) { return sum; }
///     };
template <class Op>
__attribute__((noinline)) void reduce(const Tensor& out, const Tensor& in,
                                      DimMask mask) {  // a jump target of the switch over dtypes
  STRUCTURED_INTERNAL_ASSERT(out.scalar_type() == scalar_type_of<typename Op::Element> && in.defined());
  if (!detail::Reduction<Op>::run_short_rows(out, in, mask)) detail::reduce_many<Op>(out, in, mask);
}

}  // namespace structured
