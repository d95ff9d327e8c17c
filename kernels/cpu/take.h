// Gathers elements at arbitrary offsets from each of many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace structured::kernels {

/// Byte offsets of the elements to gather from each row. Immutable and shared between threads.
class RowPlaces {
 public:
  /// Prepares to gather at the first `count` of `offsets`, elements of `item_size` bytes in rows of `row_bytes`.
  /// Requires is_possible(). Preparation is more thorough if there are many `rows`.
  RowPlaces(size_t item_size, const int64_t* offsets, int64_t count, int64_t row_bytes, int64_t rows);

  static bool is_possible(size_t item_size, int64_t row_bytes);

  /// Writes the elements of the row at `in` to `out`, densely, and prefetches the row at `next` unless it is null. With
  /// `streams`, stores bypass the caches (iterator/non_temporal.h).
  void take(void* out, const void* in, const void* next, bool streams) const;

 private:
  // Eight adjacent output words of four bytes, selected from eight adjacent input words.
  struct Window {
    int32_t start;
    uint8_t words[8];
  };

  void find_windows();
  template <class T>
  void take_typed(T* out, const char* in, const char* next, bool streams) const;
  template <class T>
  void take_piece(T* out, const char* in, int64_t begin, int64_t count) const;
  // Returns how many elements were written: those of whole vectors.
  template <class T>
  static int64_t take_vectors(T* out, const char* in, const int32_t* offsets, int64_t count);
  static void take_windows(void* out, const char* in, const Window* windows, int64_t count);

  size_t item_size_;
  std::vector<int32_t> offsets_;
  std::vector<Window> windows_;  // for all elements but the last few; empty if offsets are too far apart
  int64_t row_bytes_;
};

}  // namespace structured::kernels
