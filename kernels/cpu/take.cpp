#include "cpu/take.h"

#include <structured/device/simd_level.h>
#include <structured/iterator/non_temporal.h>
#include <structured/iterator/pointwise.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "cpu/vec.h"

namespace structured::kernels {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kPiece = 256;
constexpr int32_t kWordBytes = 4;
constexpr int32_t kWindowBytes = 8 * kWordBytes;
constexpr int64_t kManyRows = 16;

}  // namespace

RowPlaces::RowPlaces(size_t item_size, const int64_t* offsets, int64_t count, int64_t row_bytes, int64_t rows)
    : item_size_(item_size), offsets_(offsets, offsets + count), row_bytes_(row_bytes) {
#if defined(__x86_64__)
  if (rows >= kManyRows && simd_level() != SimdLevel::baseline) find_windows();
#else
  static_cast<void>(rows);
#endif
}

#if defined(__x86_64__)
void RowPlaces::find_windows() {
  const auto size = static_cast<int32_t>(item_size_);
  const auto items = static_cast<size_t>(kWindowBytes / size);
  if (offsets_.size() < items) return;
  const int32_t last_start = *std::max_element(offsets_.begin(), offsets_.end()) + size - kWindowBytes;
  for (size_t i = 0; i + items <= offsets_.size(); i += items) {
    const int32_t* const offsets = offsets_.data() + i;
    const auto [least, greatest] = std::minmax_element(offsets, offsets + items);
    Window window{std::min(*least, last_start), {}};
    if (window.start < 0 || *greatest + size - window.start > kWindowBytes) return windows_.clear();
    for (int32_t word = 0; word < 8; ++word) {
      const int32_t byte = word * kWordBytes;
      window.words[word] = static_cast<uint8_t>((offsets[byte / size] + byte % size - window.start) / kWordBytes);
    }
    windows_.push_back(window);
  }
}

STRUCTURED_TARGET_AVX2 void RowPlaces::take_windows(void* out, const char* in, const Window* windows, int64_t count) {
  using Words = Vec<int32_t, 8>;
  for (int64_t i = 0; i < count; ++i) {
    Words from;
    Words words;
    from.load(reinterpret_cast<const int32_t*>(in + windows[i].start));
    permute(words, from, windows[i].words);
    words.store(static_cast<int32_t*>(out) + i * Words::size);
  }
}

// Collects elements in vector registers: one store takes the place of several.
template <class T>
STRUCTURED_TARGET_AVX2 int64_t RowPlaces::take_vectors(T* out, const char* in, const int32_t* offsets, int64_t count) {
  const auto at = [=](int64_t i) { return *reinterpret_cast<const T*>(in + offsets[i]); };
  using Vector [[gnu::vector_size(16)]] = T;
  constexpr int64_t kItems = sizeof(Vector) / sizeof(T);
  int64_t i = 0;
  for (; i + kItems <= count; i += kItems) {
    const auto items = [&]<size_t... k>(std::index_sequence<k...>) {
      return Vector{at(i + static_cast<int64_t>(k))...};
    }(std::make_index_sequence<kItems>());
    std::memcpy(out + i, &items, sizeof(items));
  }
  return i;
}
#endif

template <class T>
void RowPlaces::take_piece(T* out, const char* in, int64_t begin, int64_t count) const {
  int64_t i = 0;
#if defined(__x86_64__)
  if (!windows_.empty()) {
    constexpr int64_t items = kWindowBytes / sizeof(T);
    take_windows(out, in, windows_.data() + begin / items, count / items);
    i = count / items * items;
  } else if (simd_level() != SimdLevel::baseline) {
    i = take_vectors(out, in, offsets_.data() + begin, count);
  }
#endif
  for (; i < count; ++i) out[i] = *reinterpret_cast<const T*>(in + offsets_[begin + i]);
}

bool RowPlaces::is_possible(size_t item_size, int64_t row_bytes) {
  return (item_size == sizeof(uint32_t) || item_size == sizeof(uint64_t)) &&
         row_bytes <= std::numeric_limits<int32_t>::max();
}

template <class T>
void RowPlaces::take_typed(T* out, const char* in, const char* next, bool streams) const {
  const auto count = static_cast<int64_t>(offsets_.size());
  const int64_t pieces = (count + kPiece - 1) / kPiece;
  const int64_t lines = (row_bytes_ + kLineBytes - 1) / kLineBytes;
  int64_t fetched = 0;
  for (int64_t begin = 0, k = 1; begin < count; begin += kPiece, ++k) {
    if (next != nullptr) {
      for (; fetched < lines * k / pieces; ++fetched) __builtin_prefetch(next + fetched * kLineBytes);
    }
    const int64_t size = std::min(kPiece, count - begin);
    if (!streams) {
      take_piece(out + begin, in, begin, size);
      continue;
    }
    alignas(kLineBytes) T elements[kPiece];
    take_piece(elements, in, begin, size);
    non_temporal_copy(out + begin, elements, static_cast<size_t>(size) * sizeof(T));
  }
}

void RowPlaces::take(void* out, const void* in, const void* next, bool streams) const {
  if (item_size_ == sizeof(uint32_t)) {
    take_typed(static_cast<uint32_t*>(out), static_cast<const char*>(in), static_cast<const char*>(next), streams);
  } else {
    take_typed(static_cast<uint64_t*>(out), static_cast<const char*>(in), static_cast<const char*>(next), streams);
  }
}

}  // namespace structured::kernels
