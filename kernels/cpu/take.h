// Elements of a row at any places, row after row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace structured::kernels {

/// Where elements are taken from in a row: offsets in bytes. Made once, and shared by threads.
class RowPlaces {
 public:
  /// `offsets[i]` for `i` below `count` are in a row of `row_bytes`, which is_possible.
  RowPlaces(const int64_t* offsets, int64_t count, int64_t row_bytes);

  static bool is_possible(size_t item_size, int64_t row_bytes);

  /// Sets the `count` elements of `item_size` bytes at `out`, dense, to those of the row at `in`, while the row of the
  /// same length at `next` is fetched into the cache, unless that is null. With `streams` they go past the caches, see
  /// iterator/stream.h.
  void take(size_t item_size, void* out, const void* in, const void* next, bool streams) const;

 private:
  template <class T>
  void take_typed(T* out, const char* in, const char* next, bool streams) const;

  std::vector<int32_t> offsets_;
  int64_t row_bytes_;
};

}  // namespace structured::kernels
