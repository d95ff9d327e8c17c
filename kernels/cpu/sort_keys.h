#pragma once
// Sort keys: elements of any real dtype as unsigned integers of the same order, with their positions. Positions break
// ties, so that every sorting algorithm is stable.
#include <structured/core/tensor.h>
#include <structured/number/scalar_type.h>

#include <cstdint>

namespace structured::kernels {

/// Key of up to 32 bits in the upper half, position in the lower half.
using PackedKey = uint64_t;

/// Key and position of 64 bits each.
struct WideKey {
  uint64_t key;
  int64_t position;

  friend bool operator<(const WideKey& a, const WideKey& b) {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  }
};

inline int64_t position_of(PackedKey item) { return static_cast<int64_t>(item & 0xffffffff); }
inline int64_t position_of(const WideKey& item) { return item.position; }
inline uint64_t key_of(PackedKey item) { return item >> 32; }
inline uint64_t key_of(const WideKey& item) { return item.key; }

/// Returns whether elements of `dtype` in rows of `length` need WideKey.
inline bool needs_wide_keys(ScalarType dtype, int64_t length) {
  return item_size_log2(dtype) == 3 || length > int64_t{0xffffffff};
}

/// Encodes elements [begin, end) of a row. NaN is greater than all numbers, and -0.0 equals 0.0. `is_descending`
/// reverses the order of keys, but not of positions.
template <class SortKey>
void encode_keys(ScalarType dtype, const char* row, int64_t begin, int64_t end, bool is_descending, SortKey* keys);

/// Sorts `count` keys of `key_bytes` bytes. `spare` has room for `count` keys.
template <class SortKey>
void sort_keys(SortKey* keys, SortKey* spare, int64_t count, int key_bytes);

/// Returns the key of rank `rank` in ascending order. Reorders `keys`; `spare` has room for `count` keys.
template <class SortKey>
SortKey nth_key(SortKey* keys, SortKey* spare, int64_t count, int64_t rank, int key_bytes);

/// Writes the `wanted` smallest keys of a row to the start of `keys`, in any order. `keys` has room for
/// selection_room() keys.
template <class SortKey>
void select_keys(ScalarType dtype, const char* row, int64_t length, bool is_descending, int64_t wanted, SortKey* keys);

/// Returns the number of keys for which select_keys needs room.
int64_t selection_room(int64_t length, int64_t wanted);

extern template void encode_keys(ScalarType, const char*, int64_t, int64_t, bool, PackedKey*);
extern template void encode_keys(ScalarType, const char*, int64_t, int64_t, bool, WideKey*);
extern template void sort_keys(PackedKey*, PackedKey*, int64_t, int);
extern template void sort_keys(WideKey*, WideKey*, int64_t, int);
extern template PackedKey nth_key(PackedKey*, PackedKey*, int64_t, int64_t, int);
extern template WideKey nth_key(WideKey*, WideKey*, int64_t, int64_t, int);
extern template void select_keys(ScalarType, const char*, int64_t, bool, int64_t, PackedKey*);
extern template void select_keys(ScalarType, const char*, int64_t, bool, int64_t, WideKey*);

/// Buffer of `count` keys from the caching allocator.
template <class SortKey>
class KeyBuffer {
 public:
  explicit KeyBuffer(int64_t count);
  SortKey* data() const { return static_cast<SortKey*>(block_.data()); }

 private:
  Tensor block_;
};
extern template class KeyBuffer<PackedKey>;
extern template class KeyBuffer<WideKey>;

/// Calls `function.operator()<SortKey>()` with the key type for elements of `dtype` in rows of `length`.
template <class Function>
void with_keys(ScalarType dtype, int64_t length, Function&& function) {
  if (needs_wide_keys(dtype, length)) {
    function.template operator()<WideKey>();
  } else {
    function.template operator()<PackedKey>();
  }
}

}  // namespace structured::kernels
