// Walking over elements beside those that indices tell: what gathering, scattering and advanced indexing share.
#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>
#include <structured/iterator/tensor_iterator.h>

#include <cstddef>
#include <cstdint>

#include "meta/indexed_dims.h"

namespace structured::kernels {

/// What is done to elements and their places in a table. All steps and offsets are in bytes. It is done in the order of
/// the arguments, and never twice at once for one place, unless an iteration says that it may be.
struct IndexedLoop {
  /// The element at `elements + i * step` belongs to the place `table + offsets[i]`.
  void (*scattered)(char* elements, int64_t step, char* table, const int64_t* offsets, int64_t count);
  /// The element at `elements + i * step` belongs to the place `table + i * table_step`.
  void (*row)(char* elements, int64_t step, char* table, int64_t table_step, int64_t count);
  /// The element at `elements + i * step` belongs to place number `places[i]` of the table, whose places are next to
  /// each other.
  void (*numbered)(char* elements, int64_t step, char* table, const int64_t* places, int64_t count);
  int64_t item_size;  ///< of places
};

/// Sets elements of this many bytes to what the table has. Throws Error unless they are 1, 2, 4, 8 or 16.
IndexedLoop load_loop(size_t item_size);
/// Sets places of the table to elements of this many bytes. Throws Error unless they are 1, 2, 4, 8 or 16.
IndexedLoop store_loop(size_t item_size);

enum class IndexedOrder : uint8_t {
  any,      ///< no place is met twice, or it does not matter if it is: on several threads
  in_order  ///< on this thread
};

/// Runs `loop` over an iteration of elements, a table and one Long index for each of `dims`, which are operands 2 and
/// on. Operand number `table` (0 or 1) is the table, with stride 0 where indices move through it; the other one of the
/// two are the elements. Throws Error for an index out of range; elements before it may be done then.
void run_indexed(const TensorIteratorBase& iterator, size_t table, const IndexedDims& dims, IndexedLoop loop,
                 IndexedOrder order);

/// The element at index [i, j] of `elements` belongs to [index[i, j], j] of `table`, if `dim` is 0, and so on for other
/// dimensions and ranks. `index`, Long, has the shape; `elements` may have more in each dimension. Pieces along other
/// dimensions than `dim` run on several threads.
void load_along(const Tensor& elements, const Tensor& table, int64_t dim, const Tensor& index, bool wraps = false);
void run_along(const Tensor& table, int64_t dim, const Tensor& index, const Tensor& elements, IndexedLoop loop,
               bool wraps = false);

/// `index` [n] (or of rank 0) as Long, and expanded to `sizes`, which has n elements along `dim`.
Tensor expand_index(const Tensor& index, IntArrayRef sizes, int64_t dim);

/// A tensor of rank 0 as one of rank 1; others as they are.
Tensor with_dimension(const Tensor& tensor);

}  // namespace structured::kernels
