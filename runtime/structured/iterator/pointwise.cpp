// Reduces operands of any layout and dtype to the dense rows that elementwise functions are compiled for.
#include "structured/iterator/pointwise.h"

#include <algorithm>
#include <cstring>

#include "structured/iterator/cast_loop.h"
#include "structured/iterator/convert_row.h"
#include "structured/iterator/gather.h"
#include "structured/iterator/non_temporal.h"

namespace structured::detail {
namespace {

constexpr std::size_t kMaxOperands = kMaxPointwiseInputs + 1;
// Buffer of one operand. All buffers fit into the L1 cache, and a block amortizes the cost of its calls.
constexpr int64_t kOperandBytes = 4096;
// Buffer of an output for non-temporal stores: short, so that reads continue meanwhile.
constexpr int64_t kStreamedSize = 1024;
// Prefetch distance of a single input beside non-temporal stores, for which the hardware prefetcher is too late.
constexpr int64_t kFetchedAhead = 8192;
// Rows shorter than this are joined.
constexpr int64_t kShortRow = 16;
// Rows of a tile, which is the unit of copying a transposed operand: of float two cache lines, which hardware fetches
// in pairs. Rows are long enough for efficient access to the other operands, and a tile fits into the L1 cache.
constexpr int64_t kTileRows = 32;
constexpr int64_t kTileSize = 8 * kOperandBytes;
// Prefetch distance for operands that are not transposed: the rows of a tile are too short for the hardware prefetcher.
constexpr int64_t kRowsAhead = 8;

void prefetch(const char* from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += kLineBytes) __builtin_prefetch(from + at);
}

// Whether to write the output with non-temporal stores. An output that is also read is in the cache already.
bool uses_non_temporal_stores(const TensorIteratorBase& iterator, const PointwiseLoop& loop) {
  const Tensor& out = iterator.tensor(0);
  if (!structured::uses_non_temporal_stores(static_cast<std::size_t>(iterator.numel()) * loop.sizes[0])) return false;
  for (std::size_t i = 1; i < loop.operands; ++i) {
    if (iterator.tensor(i).data() == out.data()) return false;
  }
  return true;
}

// Runs one function over blocks in memory. Made once for an iteration and shared by its threads.
class BlockLoop {
 public:
  BlockLoop(const TensorIteratorBase& iterator, const PointwiseLoop& loop, const void* function)
      : dense_(loop.chosen()),
        function_(function),
        count_(loop.operands),
        streams_(uses_non_temporal_stores(iterator, loop)) {
    for (std::size_t i = 0; i < count_; ++i) {
      const ScalarType in_memory = iterator.tensor(i).scalar_type();
      const ScalarType in_loop = loop.types[i];
      sizes_[i] = loop.sizes[i];
      largest_ = std::max(largest_, sizes_[i]);
      conversions_[i] = in_memory == in_loop ? nullptr
                        : i == 0             ? convert_row(in_memory, in_loop)
                                             : convert_row(in_loop, in_memory);
    }
    block_ = (streams_ ? kStreamedSize : kOperandBytes) / largest_;
  }

  // Has the signature of a Loop2d.
  void operator()(char* const* data, const int64_t* strides, int64_t inner, int64_t outer) const {
    alignas(64) char buffers[kMaxOperands][kOperandBytes];
    if (inner < kShortRow && outer > 1) {
      run_short_rows(data, strides, inner, outer, buffers);
    } else if (outer >= kTileRows && has_transposed(strides)) {
      run_tiles(data, strides, inner, outer, buffers);
    } else {
      run_rows(data, strides, inner, outer, buffers);
    }
    if (streams_) non_temporal_fence();
  }

 private:
  using Buffers = char[kMaxOperands][kOperandBytes];
  static constexpr std::size_t kNone = kMaxOperands;

  bool is_dense(std::size_t i, int64_t stride) const { return stride == sizes_[i] && conversions_[i] == nullptr; }
  // Whether the function can access the operand in place.
  bool stays(std::size_t i, int64_t stride) const { return is_dense(i, stride) && !(i == 0 && streams_); }

  void call(char* const* at, int64_t count) const {
    dense_(function_, at[0], at[1], count_ > 2 ? at[2] : nullptr, count_ > 3 ? at[3] : nullptr, count);
  }

  // Loads elements of an input into a buffer.
  void load(std::size_t i, char* buffer, const char* from, int64_t stride, int64_t count) const {
    const int64_t size = sizes_[i];
    const bool is_repeated = stride == 0;
    if (conversions_[i] != nullptr) {
      conversions_[i](buffer, size, from, stride, is_repeated ? 1 : count);
    } else if (is_repeated) {
      std::memcpy(buffer, from, static_cast<std::size_t>(size));
    } else {
      const int64_t strides[] = {stride, 0};
      with_size(size, [&]<class T>() { gather<T>(buffer, from, strides, count, 1); });
    }
    if (is_repeated) with_size(size, [&]<class T>() { repeat<T>(buffer, count); });
  }

  // Stores elements of the output from a buffer.
  void store(const char* buffer, char* to, int64_t stride, int64_t count) const {
    if (conversions_[0] != nullptr) {
      conversions_[0](to, stride, buffer, sizes_[0], count);
      return;
    }
    if (stride == sizes_[0]) {
      non_temporal_copy(to, buffer, static_cast<std::size_t>(count * stride));
      return;
    }
    with_size(sizes_[0], [&]<class T>() {
      for (int64_t i = 0; i < count; ++i) std::memcpy(to + i * stride, buffer + i * sizeof(T), sizeof(T));
    });
  }

  // Index of the only input that is read in place and is not broadcast along rows, or kNone.
  std::size_t only_read(const bool (&dense)[kMaxOperands], const int64_t* strides) const {
    std::size_t result = kNone;
    for (std::size_t i = 1; i < count_; ++i) {
      if (!dense[i] || strides[count_ + i] == 0) continue;
      if (result != kNone) return kNone;
      result = i;
    }
    return result;
  }

  void run_rows(char* const* data, const int64_t* strides, int64_t inner, int64_t outer, Buffers& buffers) const {
    bool dense[kMaxOperands];
    int64_t block = inner;
    for (std::size_t i = 0; i < count_; ++i) {
      dense[i] = stays(i, strides[i]);
      if (!dense[i]) block = std::min(block, block_);
    }
    const std::size_t fetched = streams_ ? only_read(dense, strides) : kNone;
    for (int64_t k = 0; k < outer; ++k) {
      for (int64_t begin = 0; begin < inner; begin += block) {
        const int64_t count = std::min(block, inner - begin);
        char* at[kMaxOperands];
        for (std::size_t i = 0; i < count_; ++i) {
          at[i] = data[i] + k * strides[count_ + i] + begin * strides[i];
          if (i == fetched) prefetch(at[i] + kFetchedAhead, count * sizes_[i]);
          if (dense[i]) continue;
          // A broadcast operand may be in its buffer already.
          const bool is_there = strides[i] == 0 && (begin != 0 || (k != 0 && strides[count_ + i] == 0));
          if (i > 0 && !is_there) load(i, buffers[i], at[i], strides[i], count);
          at[i] = buffers[i];
        }
        call(at, count);
        if (!dense[0]) store(buffers[0], data[0] + k * strides[count_] + begin * strides[0], strides[0], count);
      }
    }
  }

  // Joins as many rows as fit into the buffers.
  void run_short_rows(char* const* data, const int64_t* strides, int64_t inner, int64_t outer, Buffers& buffers) const {
    bool dense[kMaxOperands];
    bool all_dense = true;
    for (std::size_t i = 0; i < count_; ++i) {
      dense[i] = is_dense(i, strides[i]) && strides[count_ + i] == inner * sizes_[i];
      all_dense &= dense[i];
    }
    const int64_t rows = all_dense ? outer : block_ / inner;
    for (int64_t begin = 0; begin < outer; begin += rows) {
      const int64_t count = std::min(rows, outer - begin);
      char* at[kMaxOperands];
      for (std::size_t i = 0; i < count_; ++i) {
        at[i] = data[i] + begin * strides[count_ + i];
        if (dense[i]) continue;
        if (i > 0) load_rows(i, buffers[i], at[i], {strides[i], strides[count_ + i]}, inner, count);
        at[i] = buffers[i];
      }
      call(at, inner * count);
      for (int64_t k = 0; k < count && !dense[0]; ++k) {
        store(buffers[0] + k * inner * sizes_[0], data[0] + (begin + k) * strides[count_], strides[0], inner);
      }
    }
  }

  void load_rows(std::size_t i, char* buffer, const char* from, const int64_t (&strides)[2], int64_t inner,
                 int64_t outer) const {
    if (conversions_[i] == nullptr) {
      with_size(sizes_[i], [&]<class T>() { gather<T>(buffer, from, strides, inner, outer); });
      return;
    }
    for (int64_t k = 0; k < outer; ++k) {
      conversions_[i](buffer + k * inner * sizes_[i], sizes_[i], from + k * strides[1], strides[0], inner);
    }
  }

  bool is_transposed(std::size_t i, const int64_t* strides) const {
    return i > 0 && conversions_[i] == nullptr && strides[i] != sizes_[i] && strides[i] != 0 &&
           strides[count_ + i] == sizes_[i];
  }
  bool has_transposed(const int64_t* strides) const {
    for (std::size_t i = 1; i < count_; ++i) {
      if (is_transposed(i, strides)) return true;
    }
    return false;
  }

  // Reading a transposed operand along rows would fetch a cache line per element. A tile uses every element of the
  // lines that it fetches.
  void run_tiles(char* const* data, const int64_t* strides, int64_t inner, int64_t outer, Buffers& buffers) const {
    const int64_t width = kTileSize / kTileRows / largest_;
    for (int64_t row = 0; row < outer; row += kTileRows) {
      const int64_t rows = std::min(kTileRows, outer - row);
      for (int64_t begin = 0; begin < inner; begin += width) {
        const int64_t count = std::min(width, inner - begin);
        alignas(64) char tiles[kMaxPointwiseInputs][kTileSize];
        for (std::size_t i = 1; i < count_; ++i) {
          if (!is_transposed(i, strides)) continue;
          const char* const from = data[i] + row * strides[count_ + i] + begin * strides[i];
          with_size(sizes_[i], [&]<class T>() { gather_transposed<T>(tiles[i - 1], from, strides[i], count, rows); });
        }
        for (int64_t k = 0; k < rows; ++k) {
          char* at[kMaxOperands];
          for (std::size_t i = 0; i < count_; ++i) {
            at[i] = data[i] + (row + k) * strides[count_ + i] + begin * strides[i];
            if (is_transposed(i, strides)) {
              at[i] = tiles[i - 1] + k * count * sizes_[i];
            } else if (!stays(i, strides[i])) {
              if (i > 0) load(i, buffers[i], at[i], strides[i], count);
              at[i] = buffers[i];
            } else if (i > 0) {
              prefetch(at[i] + kRowsAhead * strides[count_ + i], count * sizes_[i]);
            }
          }
          call(at, count);
          if (!stays(0, strides[0])) {
            store(buffers[0], data[0] + (row + k) * strides[count_] + begin * strides[0], strides[0], count);
          }
        }
      }
    }
  }

  DenseLoop dense_;
  const void* function_;
  std::size_t count_;
  bool streams_;
  int64_t largest_ = 1;
  int64_t block_;
  int64_t sizes_[kMaxOperands];
  ConvertRow conversions_[kMaxOperands];
};

// Runs a few elements of contiguous operands.
void run_few(const TensorIteratorBase& iterator, const PointwiseLoop& loop, const void* function, int64_t size) {
  alignas(16) char buffers[kMaxOperands][kFewElements * 16];
  char* at[kMaxOperands] = {};
  for (std::size_t i = 1; i < loop.operands; ++i) {
    const Tensor& input = iterator.tensor(i);
    at[i] = input.scalar_type() == loop.types[i] ? static_cast<char*>(input.data())
                                                 : elements_as(loop.types[i], input, buffers[i], size);
  }
  const Tensor& out = iterator.tensor(0);
  const bool converts = out.scalar_type() != loop.types[0];
  at[0] = converts ? buffers[0] : static_cast<char*>(out.data());
  loop.chosen()(function, at[0], at[1], at[2], at[3], size);
  if (converts) {
    convert_row(out.scalar_type(), loop.types[0])(
        static_cast<char*>(out.data()), int64_t{1} << item_size_log2(out.scalar_type()), at[0], loop.sizes[0], size);
  }
}

// Runs a few elements of operands with any strides, in at most two dimensions.
void run_few_strided(const TensorIteratorBase& iterator, const PointwiseLoop& loop, const void* function) {
  alignas(16) char buffers[kMaxOperands][kFewElements * 16];
  const IntArrayRef shape = iterator.shape();
  const int64_t inner = shape.empty() ? 1 : shape[0];
  const int64_t outer = shape.size() < 2 ? 1 : shape[1];
  const std::size_t count = loop.operands;
  char* const* const data = iterator.data();
  const int64_t* const strides = iterator.strides();
  char* at[kMaxOperands] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const ScalarType in_memory = iterator.tensor(i).scalar_type();
    const ScalarType in_loop = loop.types[i];
    const int64_t size = loop.sizes[i];
    at[i] = data[i];
    if (in_memory == in_loop && strides[i] == size && (outer == 1 || strides[count + i] == inner * size)) continue;
    const int64_t steps[] = {strides[i], strides[count + i]};
    at[i] = buffers[i];
    if (i == 0) continue;
    if (in_memory != in_loop) {
      const ConvertRow convert = convert_row(in_loop, in_memory);
      for (int64_t k = 0; k < outer; ++k) {
        convert(buffers[i] + k * inner * size, size, data[i] + k * steps[1], steps[0], inner);
      }
    } else if (size == 4) {
      gather<uint32_t>(buffers[i], data[i], steps, inner, outer);
    } else {
      with_size(size, [&]<class T>() { gather<T>(buffers[i], data[i], steps, inner, outer); });
    }
  }
  loop.chosen()(function, at[0], at[1], at[2], at[3], inner * outer);
  if (at[0] == data[0]) return;
  const ConvertRow convert = convert_row(iterator.tensor(0).scalar_type(), loop.types[0]);
  const int64_t size = loop.sizes[0];
  for (int64_t k = 0; k < outer; ++k) {
    convert(data[0] + k * strides[count], strides[0], at[0] + k * inner * size, size, inner);
  }
}

bool have_types(const TensorIteratorBase& iterator, const PointwiseLoop& loop) {
  for (std::size_t i = 0; i < loop.operands; ++i) {
    if (iterator.tensor(i).scalar_type() != loop.types[i]) return false;
  }
  return true;
}

void run_dense(const TensorIteratorBase& iterator, const PointwiseLoop& loop, const void* function, int64_t grain) {
  char* data[kMaxOperands] = {};
  int64_t sizes[kMaxOperands] = {};
  for (std::size_t i = 0; i < loop.operands; ++i) {
    data[i] = static_cast<char*>(iterator.tensor(i).data());
    sizes[i] = loop.sizes[i];
  }
  const DenseLoop dense = loop.chosen();
  const bool streams = uses_non_temporal_stores(iterator, loop);
  parallel_for(0, iterator.numel(), grain, [&](int64_t begin, int64_t end) {
    const auto run = [&](char* out, int64_t first, int64_t count) {
      dense(function, out, data[1] + first * sizes[1], data[2] + first * sizes[2], data[3] + first * sizes[3], count);
    };
    if (!streams) return run(data[0] + begin * sizes[0], begin, end - begin);
    alignas(64) char buffer[kStreamedSize];
    for (int64_t first = begin; first < end; first += kStreamedSize / sizes[0]) {
      const int64_t count = std::min(kStreamedSize / sizes[0], end - first);
      if (loop.operands == 2) prefetch(data[1] + first * sizes[1] + kFetchedAhead, count * sizes[1]);
      run(buffer, first, count);
      non_temporal_copy(data[0] + first * sizes[0], buffer, static_cast<std::size_t>(count * sizes[0]));
    }
    non_temporal_fence();
  });
}

__attribute__((noinline)) void run_any(const TensorIteratorBase& iterator, const PointwiseLoop& loop,
                                       const void* function, int64_t grain) {
  const int64_t size = iterator.numel();
  if (size == 0) return;
  const bool is_dense = iterator.is_dense() || iterator.is_dense_with_casts();
  if (is_dense && size <= kFewElements) {
    run_few(iterator, loop, function, size);
  } else if (is_dense && have_types(iterator, loop)) {
    run_dense(iterator, loop, function, grain);
  } else if (size <= kFewElements && iterator.ndim() <= 2) {
    const bool has_loop = loop.few != nullptr && simd_level() != SimdLevel::baseline;
    if (has_loop && !iterator.needs_cast() && iterator.common_dtype() == loop.types[0]) {
      const std::size_t rank = iterator.ndim();
      const int64_t* const shape = iterator.shape().data();
      loop.few(function, iterator.data(), iterator.strides(), rank == 0 ? 1 : shape[0], rank < 2 ? 1 : shape[1]);
    } else {
      run_few_strided(iterator, loop, function);
    }
  } else {
    iterator.for_each_in_memory(BlockLoop(iterator, loop, function), grain);
  }
}

STRUCTURED_COLD void record(ReadyLoop& ready, const TensorIteratorBase& iterator, const PointwiseLoop& loop,
                            const void* function, int64_t grain) {
  const int64_t size = iterator.numel();
  if (size == 0 || size > grain || loop.function_size == 0 || !have_types(iterator, loop)) return;
  ready.loop = loop.chosen();
  ready.size = size;
  for (std::size_t i = 0; i <= kMaxPointwiseInputs; ++i) {
    ready.data[i] = i < loop.operands ? iterator.tensor(i).data() : nullptr;
  }
  std::memcpy(ready.function, function, loop.function_size);
  ready.written = iterator.tensor(0).storage();
}

}  // namespace

void run_pointwise(const TensorIteratorBase& iterator, const PointwiseLoop& loop, const void* function, int64_t grain) {
  STRUCTURED_INTERNAL_ASSERT(iterator.ntensors() == loop.operands && iterator.noutputs() == 1,
                             "an elementwise function has other operands than its iterator");
  if (ReadyLoop* const ready = iterator.recorded(); ready != nullptr) [[unlikely]] {
    return record(*ready, iterator, loop, function, grain);
  }
  const Grid* const grid = iterator.grid();
  if (grid != nullptr && iterator.numel() <= kFewElements && loop.few != nullptr &&
      iterator.common_dtype() == loop.types[0] && simd_level() != SimdLevel::baseline) {
    return loop.few(function, grid->data, grid->strides, grid->inner, grid->outer);
  }
  run_any(iterator, loop, function, grain);
}

}  // namespace structured::detail
