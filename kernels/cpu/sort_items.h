#pragma once
// Elements of any real dtype as unsigned numbers in the same order, together with their positions: what sorting and
// selecting work on. Equal elements are told apart by their positions, so that any method of sorting keeps their order.
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels {

/// A key of up to 32 bits above a position of 32 bits.
using PackedItem = uint64_t;

/// For keys and positions of 64 bits.
struct WideItem {
  uint64_t key;
  int64_t position;

  friend bool operator<(const WideItem& a, const WideItem& b) {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  }
};

inline int64_t position_of(PackedItem item) { return static_cast<int64_t>(item & 0xffffffff); }
inline int64_t position_of(const WideItem& item) { return item.position; }
inline uint64_t key_of(PackedItem item) { return item >> 32; }
inline uint64_t key_of(const WideItem& item) { return item.key; }

/// Whether elements of `dtype` in rows of `length` need WideItem.
inline bool needs_wide_items(ScalarType dtype, int64_t length) {
  return item_size_log2(dtype) == 3 || length > int64_t{0xffffffff};
}

/// Elements [begin, end) of a row as items. NaN comes after all numbers, and the two zeros are one. With
/// `is_descending` the order of keys is the opposite one; that of positions is not.
template <class Item>
void encode_items(ScalarType dtype, const char* row, int64_t begin, int64_t end, bool is_descending, Item* items);

/// Sorts `count` items. `spare` has room for as many. Keys have `key_bytes` bytes.
template <class Item>
void sort_items(Item* items, Item* spare, int64_t count, int key_bytes);

/// Item number `rank` in ascending order. Items are moved about; `spare` has room for as many.
template <class Item>
Item nth_item(Item* items, Item* spare, int64_t count, int64_t rank, int key_bytes);

/// Puts the `wanted` least of the items of a row first into `items`, which has room for `selection_room` items; in any
/// order.
template <class Item>
void select_items(ScalarType dtype, const char* row, int64_t length, bool is_descending, int64_t wanted, Item* items);

/// Items that select_items needs room for.
int64_t selection_room(int64_t length, int64_t wanted);

extern template void encode_items(ScalarType, const char*, int64_t, int64_t, bool, PackedItem*);
extern template void encode_items(ScalarType, const char*, int64_t, int64_t, bool, WideItem*);
extern template void sort_items(PackedItem*, PackedItem*, int64_t, int);
extern template void sort_items(WideItem*, WideItem*, int64_t, int);
extern template PackedItem nth_item(PackedItem*, PackedItem*, int64_t, int64_t, int);
extern template WideItem nth_item(WideItem*, WideItem*, int64_t, int64_t, int);
extern template void select_items(ScalarType, const char*, int64_t, bool, int64_t, PackedItem*);
extern template void select_items(ScalarType, const char*, int64_t, bool, int64_t, WideItem*);

/// Memory for `count` items, from the allocator that keeps blocks for the next call.
template <class Item>
class ItemBuffer {
 public:
  explicit ItemBuffer(int64_t count);
  Item* data() const { return static_cast<Item*>(block_.data()); }

 private:
  Tensor block_;
};
extern template class ItemBuffer<PackedItem>;
extern template class ItemBuffer<WideItem>;

/// Calls `function.operator()<Item>()` with the item that elements of `dtype` in rows of `length` need.
template <class Function>
void with_items(ScalarType dtype, int64_t length, Function&& function) {
  if (needs_wide_items(dtype, length)) {
    function.template operator()<WideItem>();
  } else {
    function.template operator()<PackedItem>();
  }
}

}  // namespace structured::kernels
