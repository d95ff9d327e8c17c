#include "cpu/take.h"

#include <structured/iterator/stream.h>

#include <algorithm>
#include <limits>

namespace structured::kernels {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kPiece = 256;

template <class T>
void take_piece(T* out, const char* in, const int32_t* offsets, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = *reinterpret_cast<const T*>(in + offsets[i]);
}

}  // namespace

RowPlaces::RowPlaces(const int64_t* offsets, int64_t count, int64_t row_bytes)
    : offsets_(offsets, offsets + count), row_bytes_(row_bytes) {}

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
      take_piece(out + begin, in, offsets_.data() + begin, size);
      continue;
    }
    alignas(kLineBytes) T elements[kPiece];
    take_piece(elements, in, offsets_.data() + begin, size);
    detail::stream_bytes(out + begin, elements, static_cast<size_t>(size) * sizeof(T));
  }
}

void RowPlaces::take(size_t item_size, void* out, const void* in, const void* next, bool streams) const {
  if (item_size == sizeof(uint32_t)) {
    take_typed(static_cast<uint32_t*>(out), static_cast<const char*>(in), static_cast<const char*>(next), streams);
  } else {
    take_typed(static_cast<uint64_t*>(out), static_cast<const char*>(in), static_cast<const char*>(next), streams);
  }
}

}  // namespace structured::kernels
