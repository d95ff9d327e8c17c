#include "cpu/indexed_loop.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/config.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cpu/dense_offsets.h"

namespace structured::kernels {
namespace {

struct Bytes16 {
  uint64_t parts[2];
};

template <class T>
struct Load {
  static void scattered(char* elements, int64_t step, char* table, const int64_t* offsets, int64_t count) {
    if (step == sizeof(T)) {
      T* const out = reinterpret_cast<T*>(elements);
      for (int64_t i = 0; i < count; ++i) out[i] = *reinterpret_cast<const T*>(table + offsets[i]);
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      *reinterpret_cast<T*>(elements + i * step) = *reinterpret_cast<const T*>(table + offsets[i]);
    }
  }
  static void numbered(char* elements, int64_t step, char* table, const int64_t* places, int64_t count) {
    const T* const values = reinterpret_cast<const T*>(table);
    if (step == sizeof(T)) {
      T* const out = reinterpret_cast<T*>(elements);
#pragma GCC unroll 8
      for (int64_t i = 0; i < count; ++i) out[i] = values[places[i]];
      return;
    }
    for (int64_t i = 0; i < count; ++i) *reinterpret_cast<T*>(elements + i * step) = values[places[i]];
  }
  static void row(char* elements, int64_t step, char* table, int64_t table_step, int64_t count) {
    if (step == sizeof(T) && table_step == sizeof(T)) {
      std::memcpy(elements, table, static_cast<size_t>(count) * sizeof(T));
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      *reinterpret_cast<T*>(elements + i * step) = *reinterpret_cast<const T*>(table + i * table_step);
    }
  }
};

template <class T>
struct Store {
  static void scattered(char* elements, int64_t step, char* table, const int64_t* offsets, int64_t count) {
    if (step == sizeof(T)) {
      const T* const values = reinterpret_cast<const T*>(elements);
      for (int64_t i = 0; i < count; ++i) *reinterpret_cast<T*>(table + offsets[i]) = values[i];
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      *reinterpret_cast<T*>(table + offsets[i]) = *reinterpret_cast<const T*>(elements + i * step);
    }
  }
  static void numbered(char* elements, int64_t step, char* table, const int64_t* places, int64_t count) {
    T* const out = reinterpret_cast<T*>(table);
    if (step == sizeof(T)) {
      const T* const values = reinterpret_cast<const T*>(elements);
#pragma GCC unroll 8
      for (int64_t i = 0; i < count; ++i) out[places[i]] = values[i];
      return;
    }
    for (int64_t i = 0; i < count; ++i) out[places[i]] = *reinterpret_cast<const T*>(elements + i * step);
  }
  static void row(char* elements, int64_t step, char* table, int64_t table_step, int64_t count) {
    Load<T>::row(table, table_step, elements, step, count);
  }
};

template <class Move>
IndexedLoop loop_of(int64_t item_size) {
  return {Move::scattered, Move::row, Move::numbered, item_size};
}

template <template <class> class Move>
IndexedLoop move_loop(size_t item_size) {
  switch (item_size) {
    case 1:
      return loop_of<Move<uint8_t>>(1);
    case 2:
      return loop_of<Move<uint16_t>>(2);
    case 4:
      return loop_of<Move<uint32_t>>(4);
    case 8:
      return loop_of<Move<uint64_t>>(8);
    case 16:
      return loop_of<Move<Bytes16>>(16);
    default:
      fail("expected elements of 1, 2, 4, 8 or 16 bytes, got ", item_size);
  }
}

[[noreturn]] STRUCTURED_COLD void fail_index(const IndexedDims& dims, size_t k, const char* index, int64_t step,
                                             int64_t count) {
  const int64_t size = dims.sizes[k];
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = *reinterpret_cast<const int64_t*>(index + i * step);
    STRUCTURED_CHECK((dims.wraps ? -size : 0) <= value && value < size, "expected indices from ",
                     dims.wraps ? -size : 0, " to ", size - 1, " for dimension ", dims.numbers[k], " of size ", size,
                     ", got ", value);
  }
  fail("an index changed while it was read");
}

// Computes the table offsets of `count` elements from their indices. `table_step` is the distance in the table between
// consecutive elements with equal indices.
void compute_offsets(const IndexedDims& dims, char* const* indices, const int64_t* steps, int64_t table_step,
                     int64_t count, int64_t* offsets) {
  if (dims.sizes.empty()) {
    for (int64_t i = 0; i < count; ++i) offsets[i] = i * table_step;
  }
  for (size_t k = 0; k < dims.sizes.size(); ++k) {
    const char* const index = indices[k];
    const int64_t step = steps[k];
    const int64_t size = dims.sizes[k];
    const int64_t stride = dims.strides[k];
    const int64_t below = dims.wraps ? size : 0;
    const uint64_t allowed = static_cast<uint64_t>(below) + static_cast<uint64_t>(size);
    bool is_outside = false;
    if (k == 0 && step == sizeof(int64_t) && count >= 64) {
      is_outside =
          !find_dense_offsets(reinterpret_cast<const int64_t*>(index), size, below, stride, table_step, count, offsets);
      if (is_outside) [[unlikely]]
        fail_index(dims, k, index, step, count);
      continue;
    }
    const auto place = [&](int64_t i) {
      const int64_t value = *reinterpret_cast<const int64_t*>(index + i * step);
      is_outside |= static_cast<uint64_t>(value) + static_cast<uint64_t>(below) >= allowed;
      // Unsigned, since the product may overflow for an index out of range, which is reported later.
      return static_cast<int64_t>(static_cast<uint64_t>(value + (value < 0 ? below : 0)) *
                                  static_cast<uint64_t>(stride));
    };
    if (k == 0) {
      for (int64_t i = 0; i < count; ++i) {
        offsets[i] = static_cast<int64_t>(static_cast<uint64_t>(i * table_step) + static_cast<uint64_t>(place(i)));
      }
    } else {
      for (int64_t i = 0; i < count; ++i) {
        offsets[i] = static_cast<int64_t>(static_cast<uint64_t>(offsets[i]) + static_cast<uint64_t>(place(i)));
      }
    }
    if (is_outside) [[unlikely]]
      fail_index(dims, k, index, step, count);
  }
}

// Strides of the operands along one direction of a block.
struct Axis {
  int64_t size;
  const int64_t* steps;

  bool has_one_index(size_t operands) const {
    for (size_t i = 2; i < operands; ++i) {
      if (steps[i] != 0) return false;
    }
    return true;
  }
};

class IndexedBlock {
 public:
  IndexedBlock(const TensorIteratorBase& iterator, size_t table, const IndexedDims& dims, IndexedLoop loop)
      : operands_(iterator.ntensors()), table_(table), dims_(dims), loop_(loop) {
    int64_t reach = 0;
    for (size_t k = 0; k < dims.sizes.size(); ++k) reach += dims.sizes[k] * std::abs(dims.strides[k]);
    is_spread_ = reach > kNear;
  }

  void operator()(char* const* data, const int64_t* strides, int64_t inner, int64_t outer) const {
    Axis fast{inner, strides};
    Axis slow{outer, strides + operands_};
    // Shorter rows do not justify their setup.
    constexpr int64_t kShort = 8;
    if (fast.size < kShort && slow.size > fast.size) std::swap(fast, slow);
    if (fast.has_one_index(operands_)) {
      run_rows(data, fast, slow);
    } else {
      run_scattered(data, fast, slow);
    }
  }

 private:
  static constexpr int64_t kChunk = 1024;
  static constexpr int64_t kNear = 1 << 20;  // bytes that fit one core's cache

  // Processes rows along which all indices are constant: each row accesses a strided row of the table.
  void run_rows(char* const* data, const Axis& fast, const Axis& slow) const {
    int64_t offsets[kChunk];
    char* indices[kMaxDims];
    const size_t element = 1 - table_;
    for (int64_t start = 0; start < slow.size; start += kChunk) {
      const int64_t count = std::min(kChunk, slow.size - start);
      move_indices(data, slow, start, indices);
      compute_offsets(dims_, indices, slow.steps + 2, slow.steps[table_], count, offsets);
      char* const table = data[table_] + start * slow.steps[table_];
      char* const elements = data[element] + start * slow.steps[element];
      for (int64_t i = 0; i < count; ++i) {
        if (i + kAhead < count) __builtin_prefetch(table + offsets[i + kAhead]);
        loop_.row(elements + i * slow.steps[element], fast.steps[element], table + offsets[i], fast.steps[table_],
                  fast.size);
      }
    }
  }
  static constexpr int64_t kAhead = 4;

  void run_scattered(char* const* data, const Axis& fast, const Axis& slow) const {
    // Rows with the same indices share the computed offsets. Only a few rows are processed together, so that they are
    // still in the cache for the next chunk.
    constexpr int64_t kRows = 16;
    const int64_t together = slow.has_one_index(operands_) ? kRows : 1;
    // Contiguous indices into a dense table row need no conversion to byte offsets.
    const bool is_numbered = together == 1 && !is_spread_ && dims_.sizes.size() == 1 && !dims_.wraps &&
                             dims_.strides[0] == loop_.item_size && fast.steps[table_] == 0 &&
                             fast.steps[2] == sizeof(int64_t);
    int64_t offsets[kChunk];
    char* indices[kMaxDims];
    const size_t element = 1 - table_;
    for (int64_t row = 0; row < slow.size; row += together) {
      char* row_data[kMaxDims + 2];
      for (size_t i = 0; i < operands_; ++i) row_data[i] = data[i] + row * slow.steps[i];
      const int64_t rows = std::min(together, slow.size - row);
      for (int64_t start = 0; start < fast.size; start += kChunk) {
        const int64_t count = std::min(kChunk, fast.size - start);
        move_indices(row_data, fast, start, indices);
        if (is_numbered) {
          const auto* const places = reinterpret_cast<const int64_t*>(indices[0]);
          if (!are_below(places, count, dims_.sizes[0])) [[unlikely]]
            fail_index(dims_, 0, indices[0], fast.steps[2], count);
          loop_.numbered(row_data[element] + start * fast.steps[element], fast.steps[element], row_data[table_], places,
                         count);
          continue;
        }
        compute_offsets(dims_, indices, fast.steps + 2, fast.steps[table_], count, offsets);
        char* const table = row_data[table_] + start * fast.steps[table_];
        char* const elements = row_data[element] + start * fast.steps[element];
        for (int64_t i = 0; i < rows; ++i) {
          move_scattered(elements + i * slow.steps[element], fast.steps[element], table + i * slow.steps[table_],
                         offsets, count);
        }
      }
    }
  }

  // Prefetches cache lines of the next block, since out-of-order execution does not look far enough ahead.
  void move_scattered(char* elements, int64_t step, char* table, const int64_t* offsets, int64_t count) const {
    if (!is_spread_) return loop_.scattered(elements, step, table, offsets, count);
    constexpr int64_t kAtOnce = 64;
    for (int64_t begin = 0; begin < count; begin += kAtOnce) {
      const int64_t end = std::min(count, begin + kAtOnce);
      for (int64_t i = end; i < std::min(count, end + kAtOnce); ++i) __builtin_prefetch(table + offsets[i], 1);
      loop_.scattered(elements + begin * step, step, table, offsets + begin, end - begin);
    }
  }

  void move_indices(char* const* data, const Axis& axis, int64_t start, char** indices) const {
    for (size_t i = 2; i < operands_; ++i) indices[i - 2] = data[i] + start * axis.steps[i];
  }

  size_t operands_;
  size_t table_;
  const IndexedDims& dims_;
  IndexedLoop loop_;
  bool is_spread_ = false;  // whether indices span more than kNear
};

// Returns the part of `tensor` from `start` on along `dim`, with these sizes and strides.
Tensor piece(const Tensor& tensor, IntArrayRef sizes, IntArrayRef strides, size_t dim, int64_t start) {
  return as_strided(tensor, sizes, strides, tensor.storage_offset() + start * strides[dim]);
}

DimVector without(IntArrayRef strides, int64_t dim) {
  DimVector result(strides);
  result[static_cast<size_t>(dim)] = 0;
  return result;
}

IndexedDims along(const Tensor& table, int64_t dim, bool wraps) {
  return {{dim}, {table.size(dim)}, {table.stride(dim) * static_cast<int64_t>(table.element_size())}, wraps};
}

void check_has_elements(const Tensor& table, int64_t dim) {
  STRUCTURED_CHECK(table.size(dim) != 0, "expected no indices for dimension ", dim, " of size 0");
}

TensorIterator iterate(const Tensor& written, const Tensor& read, const Tensor& index) {
  TensorIteratorConfig config;
  config.check_memory_overlap(false).check_all_same_dtype(false).resize_outputs(false);
  return config.add_output(written).add_input(read).add_input(index).build();
}

}  // namespace

IndexedLoop load_loop(size_t item_size) { return move_loop<Load>(item_size); }
IndexedLoop store_loop(size_t item_size) { return move_loop<Store>(item_size); }

void run_indexed(const TensorIteratorBase& iterator, size_t table, const IndexedDims& dims, IndexedLoop loop,
                 IndexedOrder order) {
  if (iterator.numel() == 0) return;
  STRUCTURED_INTERNAL_ASSERT(iterator.ntensors() == dims.sizes.size() + 2 && dims.sizes.size() <= kMaxDims);
  const IndexedBlock block(iterator, table, dims, loop);
  if (order == IndexedOrder::any) {
    iterator.for_each(Loop2d(block));
  } else {
    iterator.serial_for_each(Loop2d(block), 0, iterator.numel());
  }
}

void load_along(const Tensor& elements, const Tensor& table, int64_t dim, const Tensor& index, bool wraps) {
  if (index.numel() == 0) return;
  check_has_elements(table, dim);
  const Tensor places = as_strided(table, index.sizes(), without(table.strides(), dim), table.storage_offset());
  const TensorIterator iterator = iterate(elements, places, index);
  run_indexed(iterator, 1, along(table, dim, wraps), load_loop(table.element_size()), IndexedOrder::any);
}

void run_along(const Tensor& table, int64_t dim, const Tensor& index, const Tensor& elements, IndexedLoop loop,
               bool wraps) {
  if (index.numel() == 0) return;
  check_has_elements(table, dim);
  const IndexedDims dims = along(table, dim, wraps);
  // Entries at different positions of other dimensions are distinct, so the longest other dimension can be split among
  // threads.
  size_t split = 0;
  int64_t longest = 0;
  for (size_t d = 0; d < index.sizes().size(); ++d) {
    if (static_cast<int64_t>(d) != dim && index.sizes()[d] > longest) {
      split = d;
      longest = index.sizes()[d];
    }
  }
  const DimVector strides = without(table.strides(), dim);
  const auto run = [&](int64_t begin, int64_t end) {
    DimVector sizes(index.sizes());
    if (longest != 0) sizes[split] = end - begin;
    const Tensor places = piece(table, sizes, strides, split, begin);
    const Tensor read = piece(elements, sizes, elements.strides(), split, begin);
    const Tensor told = piece(index, sizes, index.strides(), split, begin);
    const TensorIterator iterator = iterate(places, read, told);
    run_indexed(iterator, 0, dims, loop, IndexedOrder::in_order);
  };
  if (longest == 0) return run(0, 0);
  parallel_for(0, longest, std::max<int64_t>(1, kGrainSize / (index.numel() / longest)), run);
}

}  // namespace structured::kernels
