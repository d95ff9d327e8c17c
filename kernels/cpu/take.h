// Elements of a row at any places, row after row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace structured::kernels {

/// Where elements are taken from in a row: offsets in bytes. Made once, and shared by threads.
class RowPlaces {
 public:
  /// `offsets[i]` for `i` below `count` are those of items of `item_size` bytes in a row of `row_bytes`, which
  /// is_possible. It is worth some preparation if there are many such rows.
  RowPlaces(size_t item_size, const int64_t* offsets, int64_t count, int64_t row_bytes, int64_t rows);

  static bool is_possible(size_t item_size, int64_t row_bytes);

  /// Sets the `count` items at `out`, dense, to those of the row at `in`, while the row of the same length at `next` is
  /// fetched into the cache, unless that is null. With `streams` they go past the caches, see iterator/non_temporal.h.
  void take(void* out, const void* in, const void* next, bool streams) const;

 private:
  // Neighbours of a result that are near to each other in the row too: eight words of four bytes, out of eight that
  // start there.
  struct Window {
    int32_t start;
    uint8_t words[8];
  };

  void find_windows();
  template <class T>
  void take_typed(T* out, const char* in, const char* next, bool streams) const;
  template <class T>
  void take_piece(T* out, const char* in, int64_t begin, int64_t count) const;
  static void take_windows(void* out, const char* in, const Window* windows, int64_t count);

  size_t item_size_;
  std::vector<int32_t> offsets_;
  std::vector<Window> windows_;  // of all items, but for the last ones that fill none; or empty
  int64_t row_bytes_;
};

}  // namespace structured::kernels
