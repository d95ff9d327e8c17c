// Iteration over elements and the table entries that indices select: shared by gather, scatter and advanced indexing.
#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>
#include <structured/iterator/tensor_iterator.h>

#include <cstddef>
#include <cstdint>

#include "meta/indexed_dims.h"

namespace structured::kernels {

/// Loops that combine elements with entries of a table. Strides and offsets are in bytes. Elements are processed in
/// order, and no entry is accessed by two threads, unless the iteration permits it.
struct IndexedLoop {
  /// Entry i is at `table + offsets[i]`, element i at `elements + i * step`.
  void (*scattered)(char* elements, int64_t step, char* table, const int64_t* offsets, int64_t count);
  /// Entry i is at `table + i * table_step`.
  void (*row)(char* elements, int64_t step, char* table, int64_t table_step, int64_t count);
  /// Entry i is number `places[i]` of a table whose entries are adjacent.
  void (*numbered)(char* elements, int64_t step, char* table, const int64_t* places, int64_t count);
  int64_t item_size;  ///< bytes of an entry
};

/// Returns loops that copy table entries to elements. Throws Error unless `item_size` is 1, 2, 4, 8 or 16.
IndexedLoop load_loop(size_t item_size);
/// Returns loops that copy elements to table entries. Throws Error unless `item_size` is 1, 2, 4, 8 or 16.
IndexedLoop store_loop(size_t item_size);

enum class IndexedOrder : uint8_t {
  any,      ///< entries are distinct, or the order of writes does not matter: several threads
  in_order  ///< one thread
};

/// Runs `loop` over an iterator with elements, a table, and one Long index for each of `dims` (operands 2 and later).
/// Operand number `table` (0 or 1) is the table, with stride 0 along indexed dimensions. Throws Error for an index out
/// of range; elements before it may have been processed.
void run_indexed(const TensorIteratorBase& iterator, size_t table, const IndexedDims& dims, IndexedLoop loop,
                 IndexedOrder order);

/// Pairs `elements[i, j]` with `table[index[i, j], j]` if `dim` is 0, and accordingly for other dimensions and ranks.
/// `index` is Long and defines the shape; `elements` may be larger. Dimensions other than `dim` are distributed over
/// threads.
void load_along(const Tensor& elements, const Tensor& table, int64_t dim, const Tensor& index, bool wraps = false);
void run_along(const Tensor& table, int64_t dim, const Tensor& index, const Tensor& elements, IndexedLoop loop,
               bool wraps = false);

}  // namespace structured::kernels
