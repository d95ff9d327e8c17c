#include "cpu/sort_keys.h"

#include <structured/core/factory.h>
#include <structured/iterator/leveled.h>
#include <structured/number/visit.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

template <size_t size>
using Unsigned =
    std::conditional_t<size == 1, uint8_t,
                       std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>;

// Bits of infinity, above which, sign aside, all bit patterns are NaN.
template <class T>
constexpr uint64_t kInfinity = std::is_same_v<T, Half>       ? 0x7c00
                               : std::is_same_v<T, BFloat16> ? 0x7f80
                               : sizeof(T) == 4              ? 0x7f800000
                                                             : 0x7ff0000000000000;

// Returns the sort key. The complement of the bits of negative floating-point numbers ascends; other numbers follow
// with the sign bit set.
template <class T>
auto key(T element) {
  using Key = Unsigned<sizeof(T)>;
  constexpr Key sign = static_cast<Key>(Key{1} << (8 * sizeof(T) - 1));
  if constexpr (std::is_same_v<T, bool>) {
    return static_cast<Key>(element);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<Key>(static_cast<Key>(element) ^ (std::is_signed_v<T> ? sign : Key{0}));
  } else {
    const Key bits = std::bit_cast<Key>(element);
    const Key magnitude = static_cast<Key>(bits & static_cast<Key>(~sign));
    const Key ordered =
        (bits & sign) != 0 && magnitude != 0 ? static_cast<Key>(~bits) : static_cast<Key>(magnitude | sign);
    return magnitude > static_cast<Key>(kInfinity<T>) ? static_cast<Key>(~Key{0}) : ordered;
  }
}

// Returns a mask that reverses the order of keys when combined with them by exclusive or.
template <class T>
Unsigned<sizeof(T)> flip_if(bool is_descending) {
  using Key = Unsigned<sizeof(T)>;
  return is_descending ? static_cast<Key>(~Key{0}) : Key{0};
}

template <class SortKey>
SortKey make_key(uint64_t key, int64_t position) {
  if constexpr (std::is_same_v<SortKey, WideKey>) {
    return {key, position};
  } else {
    return key << 32 | static_cast<uint64_t>(position);
  }
}

template <class SortKey, class T>
struct Encode {
  static void run(const T* row, int64_t begin, int64_t end, Unsigned<sizeof(T)> flip, SortKey* keys) {
    for (int64_t i = begin; i < end; ++i) keys[i - begin] = make_key<SortKey>(key(row[i]) ^ flip, i);
  }
};

// Keeps the smallest keys in order while scanning the row. Most elements do not qualify, which is tested for many at a
// time.
template <class SortKey, class T>
struct KeepLeast {
  static void run(const T* row, int64_t length, Unsigned<sizeof(T)> flip, int64_t wanted, SortKey* keys) {
    using Key = Unsigned<sizeof(T)>;
    constexpr int64_t kPiece = 128 / static_cast<int64_t>(sizeof(T));
    const auto key_at = [row, flip](int64_t i) { return static_cast<Key>(key(row[i]) ^ flip); };
    // The first of equal keys stays. The key at `end` is dropped.
    const auto insert = [keys](Key here, int64_t position, int64_t end) {
      int64_t to = end;
      for (; to > 0 && key_of(keys[to - 1]) > here; --to) keys[to] = keys[to - 1];
      keys[to] = make_key<SortKey>(here, position);
    };
    for (int64_t i = 0; i < wanted; ++i) insert(key_at(i), i, i);
    auto limit = static_cast<Key>(key_of(keys[wanted - 1]));
    const auto look_at = [&](int64_t i) {
      const Key here = key_at(i);
      if (here >= limit) return;
      insert(here, i, wanted - 1);
      limit = static_cast<Key>(key_of(keys[wanted - 1]));
    };
    int64_t start = wanted;
    for (; start + kPiece <= length; start += kPiece) {
      Key below = 0;
      for (int64_t lane = 0; lane < kPiece; ++lane) below |= static_cast<Key>(key_at(start + lane) < limit);
      if (below == 0) continue;
      for (int64_t lane = 0; lane < kPiece; ++lane) look_at(start + lane);
    }
    for (; start < length; ++start) look_at(start);
  }
};

template <class SortKey>
size_t digit(const SortKey& item, int place) {
  return key_of(item) >> (8 * place) & 0xff;
}

constexpr int64_t kFewKeys = 128;  // comparison sort is faster below this

// Radix sort by digits of 8 bits, the least significant first. Digits that all keys share are skipped.
template <class SortKey>
void sort_by_digits(SortKey* keys, SortKey* spare, int64_t count, int key_bytes) {
  int64_t counts[8][256];
  std::memset(counts, 0, sizeof counts[0] * static_cast<size_t>(key_bytes));
  for (int64_t i = 0; i < count; ++i) {
    for (int place = 0; place < key_bytes; ++place) ++counts[place][digit(keys[i], place)];
  }
  SortKey* from = keys;
  SortKey* to = spare;
  for (int place = 0; place < key_bytes; ++place) {
    int64_t* const starts = counts[place];
    if (starts[digit(from[0], place)] == count) continue;
    int64_t start = 0;
    for (size_t value = 0; value < 256; ++value) start += std::exchange(starts[value], start);
    for (int64_t i = 0; i < count; ++i) to[starts[digit(from[i], place)]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::memcpy(keys, from, static_cast<size_t>(count) * sizeof(SortKey));
}

constexpr int64_t kFewWanted = 64;  // insertion is faster below this

constexpr int64_t kSievePiece = 128;

bool is_sieved(int64_t length, int64_t wanted) { return wanted < length / 16 && length > 2 * kSievePiece; }

}  // namespace

template <class SortKey>
void encode_keys(ScalarType dtype, const char* row, int64_t begin, int64_t end, bool is_descending, SortKey* keys) {
  visit<kRealTypes | kBool>("sort", dtype, [&]<class T>() {
    run_leveled<Encode<SortKey, T>>(reinterpret_cast<const T*>(row), begin, end, flip_if<T>(is_descending), keys);
  });
}

template <class SortKey>
void sort_keys(SortKey* keys, SortKey* spare, int64_t count, int key_bytes) {
  if (count <= kFewKeys) {
    std::sort(keys, keys + count);
  } else {
    sort_by_digits(keys, spare, count, key_bytes);
  }
}

// Radix selection by digits of 8 bits, the most significant first, while many keys share the prefix of the wanted one.
template <class SortKey>
SortKey nth_key(SortKey* keys, SortKey* spare, int64_t count, int64_t rank, int key_bytes) {
  for (int place = key_bytes - 1; place >= 0 && count > 8 * kFewKeys; --place) {
    int64_t counts[256] = {};
    for (int64_t i = 0; i < count; ++i) ++counts[digit(keys[i], place)];
    size_t wanted = 0;
    while (rank >= counts[wanted]) rank -= counts[wanted++];
    if (counts[wanted] == count) continue;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
      spare[kept] = keys[i];
      kept += digit(keys[i], place) == wanted;
    }
    count = kept;
    std::swap(keys, spare);
  }
  std::nth_element(keys, keys + rank, keys + count);
  return keys[rank];
}

int64_t selection_room(int64_t length, int64_t wanted) {
  if (wanted <= kFewWanted) return wanted;
  return is_sieved(length, wanted) ? 2 * wanted + 2 * kSievePiece : length;
}

template <class SortKey>
void select_keys(ScalarType dtype, const char* row, int64_t length, bool is_descending, int64_t wanted, SortKey* keys) {
  if (wanted == 0) return;
  if (wanted <= kFewWanted) {
    visit<kRealTypes | kBool>("topk", dtype, [&]<class T>() {
      run_leveled<KeepLeast<SortKey, T>>(reinterpret_cast<const T*>(row), length, flip_if<T>(is_descending), wanted,
                                         keys);
    });
    return;
  }
  if (!is_sieved(length, wanted)) {
    encode_keys(dtype, row, 0, length, is_descending, keys);
    if (wanted < length) std::nth_element(keys, keys + wanted - 1, keys + length);
    return;
  }
  // Selects from the first keys, then collects only keys below the greatest selected one: few elements qualify.
  const int64_t room = selection_room(length, wanted);
  SortKey piece[kSievePiece];
  int64_t count = 0;
  int64_t start = 0;
  for (; start < length && count + kSievePiece <= room; start += kSievePiece) {  // at least `wanted` keys
    const int64_t end = std::min(start + kSievePiece, length);
    encode_keys(dtype, row, start, end, is_descending, keys + count);
    count += end - start;
  }
  std::nth_element(keys, keys + wanted - 1, keys + count);
  SortKey limit = keys[wanted - 1];
  count = wanted;
  for (; start < length; start += kSievePiece) {
    const int64_t end = std::min(start + kSievePiece, length);
    encode_keys(dtype, row, start, end, is_descending, piece);
    for (int64_t i = 0; i < end - start; ++i) {
      keys[count] = piece[i];
      count += piece[i] < limit;
    }
    if (count + kSievePiece >= room) {
      std::nth_element(keys, keys + wanted - 1, keys + count);
      limit = keys[wanted - 1];
      count = wanted;
    }
  }
  std::nth_element(keys, keys + wanted - 1, keys + count);
}

template <class SortKey>
KeyBuffer<SortKey>::KeyBuffer(int64_t count) : block_(empty(count * static_cast<int64_t>(sizeof(SortKey)), kByte)) {}

template void encode_keys(ScalarType, const char*, int64_t, int64_t, bool, PackedKey*);
template void encode_keys(ScalarType, const char*, int64_t, int64_t, bool, WideKey*);
template void sort_keys(PackedKey*, PackedKey*, int64_t, int);
template void sort_keys(WideKey*, WideKey*, int64_t, int);
template PackedKey nth_key(PackedKey*, PackedKey*, int64_t, int64_t, int);
template WideKey nth_key(WideKey*, WideKey*, int64_t, int64_t, int);
template void select_keys(ScalarType, const char*, int64_t, bool, int64_t, PackedKey*);
template void select_keys(ScalarType, const char*, int64_t, bool, int64_t, WideKey*);
template class KeyBuffer<PackedKey>;
template class KeyBuffer<WideKey>;

}  // namespace structured::kernels
