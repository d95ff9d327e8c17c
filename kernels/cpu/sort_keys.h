#pragma once
// Elements of any real dtype as unsigned numbers in the same order, together with their positions: what sorting and
// selecting work on. Equal elements are told apart by their positions, so that any method of sorting keeps their order.
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels {

/// A key of up to 32 bits above a position of 32 bits.
using PackedKey = uint64_t;

/// For keys and positions of 64 bits.
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

/// Whether elements of `dtype` in rows of `length` need WideKey.
inline bool needs_wide_keys(ScalarType dtype, int64_t length) {
  return item_size_log2(dtype) == 3 || length > int64_t{0xffffffff};
}

/// Elements [begin, end) of a row as items. NaN comes after all numbers, and the two zeros are one. With
/// `is_descending` the order of keys is the opposite one; that of positions is not.
template <class SortKey>
void encode_keys(ScalarType dtype, const char* row, int64_t begin, int64_t end, bool is_descending, SortKey* items);

/// Sorts `count` items. `spare` has room for as many. Keys have `key_bytes` bytes.
template <class SortKey>
void sort_keys(SortKey* items, SortKey* spare, int64_t count, int key_bytes);

/// SortKey number `rank` in ascending order. Items are moved about; `spare` has room for as many.
template <class SortKey>
SortKey nth_key(SortKey* items, SortKey* spare, int64_t count, int64_t rank, int key_bytes);

/// Puts the `wanted` least of the items of a row first into `items`, which has room for `selection_room` items; in any
/// order.
template <class SortKey>
void select_keys(ScalarType dtype, const char* row, int64_t length, bool is_descending, int64_t wanted, SortKey* items);

/// Items that select_keys needs room for.
int64_t selection_room(int64_t length, int64_t wanted);

extern template void encode_keys(ScalarType, const char*, int64_t, int64_t, bool, PackedKey*);
extern template void encode_keys(ScalarType, const char*, int64_t, int64_t, bool, WideKey*);
extern template void sort_keys(PackedKey*, PackedKey*, int64_t, int);
extern template void sort_keys(WideKey*, WideKey*, int64_t, int);
extern template PackedKey nth_key(PackedKey*, PackedKey*, int64_t, int64_t, int);
extern template WideKey nth_key(WideKey*, WideKey*, int64_t, int64_t, int);
extern template void select_keys(ScalarType, const char*, int64_t, bool, int64_t, PackedKey*);
extern template void select_keys(ScalarType, const char*, int64_t, bool, int64_t, WideKey*);

/// Memory for `count` items, from the allocator that keeps blocks for the next call.
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

/// Calls `function.operator()<SortKey>()` with the item that elements of `dtype` in rows of `length` need.
template <class Function>
void with_keys(ScalarType dtype, int64_t length, Function&& function) {
  if (needs_wide_keys(dtype, length)) {
    function.template operator()<WideKey>();
  } else {
    function.template operator()<PackedKey>();
  }
}

}  // namespace structured::kernels
