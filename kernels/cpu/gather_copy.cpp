#include "cpu/gather_copy.h"

#include <structured/base/error.h>
#include <structured/iterator/non_temporal.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cpu/take.h"

namespace structured::kernels {
namespace {

struct Bytes16 {
  uint64_t parts[2];
};

// Strides in bytes.
struct Steps {
  int64_t batch;
  int64_t channel;
  int64_t positions[3];
};

Steps steps_of(const Tensor& tensor) {
  const IntArrayRef strides = tensor.strides();
  const auto size = static_cast<int64_t>(tensor.element_size());
  Steps steps{strides[0] * size, strides[1] * size, {0, 0, 0}};
  const size_t missing = 5 - strides.size();
  for (size_t d = 2; d < strides.size(); ++d) steps.positions[d - 2 + missing] = strides[d] * size;
  return steps;
}

// Copies rows along the last dimension of `positions`, in pieces of `unit` bytes.
class RowMap {
 public:
  RowMap(const int64_t* positions, int64_t size, int64_t unit, int64_t step, int64_t in_step, int64_t rows)
      : size_(size), unit_(unit), step_(step), in_step_(in_step) {
    int64_t* const offsets = offsets_.reset(size);
    for (int64_t i = 0; i < size; ++i) offsets[i] = positions[i] * in_step;
    find_run(positions);
    const int64_t in_bytes = size == 0 ? 0 : (*std::max_element(positions, positions + size) + 1) * in_step;
    if (step == unit && in_step > 0 && size >= kLong && 2 * (run_end_ - run_begin_) < size &&
        RowPlaces::is_possible(static_cast<size_t>(unit), in_bytes)) {
      places_.emplace(static_cast<size_t>(unit), offsets, size, in_bytes, rows);
    }
  }

  /// Copies a row; prefetches the row at `next` unless it is null. With `streams`, stores bypass the caches
  /// (iterator/non_temporal.h).
  void copy(char* out, const char* in, const char* next, bool streams) const {
    if (places_) return places_->take(out, in, next, streams);
    copy_scattered(out, in, 0, run_begin_);
    if (run_begin_ != run_end_) {
      std::memcpy(out + run_begin_ * step_, in + offsets_.data()[run_begin_],
                  static_cast<size_t>((run_end_ - run_begin_) * unit_));
    }
    copy_scattered(out, in, run_end_, size_);
  }

  /// Returns the size of a row in bytes if it has no gaps, otherwise 0.
  int64_t dense_bytes() const { return step_ == unit_ ? size_ * unit_ : 0; }

 private:
  // Finds the longest run of adjacent positions, which is copied as one piece.
  void find_run(const int64_t* positions) {
    if (step_ != unit_ || in_step_ != unit_) return;
    for (int64_t begin = 0; begin < size_;) {
      int64_t end = begin + 1;
      while (end < size_ && positions[end] == positions[end - 1] + 1) ++end;
      if (end - begin > run_end_ - run_begin_) {
        run_begin_ = begin;
        run_end_ = end;
      }
      begin = end;
    }
    if (run_end_ - run_begin_ < kShortest) run_begin_ = run_end_ = 0;
  }
  static constexpr int64_t kShortest = 8;
  static constexpr int64_t kLong = 64;

  void copy_scattered(char* out, const char* in, int64_t begin, int64_t end) const {
    switch (unit_) {
      case 1:
        return copy_typed<uint8_t>(out, in, begin, end);
      case 2:
        return copy_typed<uint16_t>(out, in, begin, end);
      case 4:
        return copy_typed<uint32_t>(out, in, begin, end);
      case 8:
        return copy_typed<uint64_t>(out, in, begin, end);
      case 16:
        return copy_typed<Bytes16>(out, in, begin, end);
      default:
        for (int64_t i = begin; i < end; ++i) {
          std::memcpy(out + i * step_, in + offsets_.data()[i], static_cast<size_t>(unit_));
        }
    }
  }

  template <class T>
  void copy_typed(char* out, const char* in, int64_t begin, int64_t end) const {
    const int64_t* const offsets = offsets_.data();
    if (step_ == sizeof(T)) {
      T* const elements = reinterpret_cast<T*>(out);
      for (int64_t i = begin; i < end; ++i) std::memcpy(elements + i, in + offsets[i], sizeof(T));
      return;
    }
    for (int64_t i = begin; i < end; ++i) std::memcpy(out + i * step_, in + offsets[i], sizeof(T));
  }

  int64_t size_;
  int64_t unit_;
  int64_t step_;
  int64_t in_step_;
  int64_t run_begin_ = 0;
  int64_t run_end_ = 0;
  Positions offsets_;
  std::optional<RowPlaces> places_;  // for rows without a long run
};

}  // namespace

void gather_copy(const Tensor& self, const Tensor& out, ArrayRef<Positions> positions) {
  STRUCTURED_INTERNAL_ASSERT(out.sizes().size() == positions.size() + 2 && positions.size() <= 3);
  if (out.numel() == 0) return;
  const size_t missing = 3 - positions.size();
  constexpr int64_t kNoMove[] = {0};
  int64_t sizes[3] = {1, 1, 1};
  const int64_t* maps[3] = {kNoMove, kNoMove, kNoMove};
  for (size_t d = missing; d < 3; ++d) {
    sizes[d] = out.sizes()[d - missing + 2];
    maps[d] = positions[d - missing].data();
  }
  Steps to = steps_of(out);
  Steps from = steps_of(self);
  auto unit = static_cast<int64_t>(out.element_size());
  int64_t channels = out.sizes()[1];
  if (channels > 1 && to.channel == unit && from.channel == unit) {  // channels-last: a position has all channels
    unit *= channels;
    channels = 1;
  }
  const int64_t rows = out.sizes()[0] * channels * sizes[0] * sizes[1];
  const RowMap row(maps[2], sizes[2], unit, to.positions[2], from.positions[2], rows);
  const auto start_in = static_cast<const char*>(self.data());
  const auto start_out = static_cast<char*>(out.data());
  const bool streams = uses_non_temporal_stores(out.nbytes());
  const int64_t to_next = sizes[1] > 1 ? from.positions[1] : from.channel;
  const auto copy_rows = [&](int64_t begin, int64_t end) {
    int64_t h = begin % sizes[1];
    int64_t d = begin / sizes[1] % sizes[0];
    int64_t c = begin / (sizes[1] * sizes[0]) % channels;
    int64_t n = begin / (sizes[1] * sizes[0] * channels);
    const char* before = nullptr;
    const char* out_before = nullptr;
    for (int64_t i = begin; i < end; ++i) {
      const char* const in = start_in + n * from.batch + c * from.channel + maps[0][d] * from.positions[0] +
                             maps[1][h] * from.positions[1];
      char* const result = start_out + n * to.batch + c * to.channel + d * to.positions[0] + h * to.positions[1];
      // After non-temporal stores the previous row is not in the cache.
      if (in == before && row.dense_bytes() != 0 && !streams) {
        std::memcpy(result, out_before, static_cast<size_t>(row.dense_bytes()));
      } else {
        row.copy(result, in, in + to_next, streams);
      }
      before = in;
      out_before = result;
      if (++h < sizes[1]) continue;
      h = 0;
      if (++d < sizes[0]) continue;
      d = 0;
      if (++c < channels) continue;
      c = 0;
      ++n;
    }
    if (streams) non_temporal_fence();
  };
  const int64_t elements = std::max<int64_t>(1, out.numel() / rows);
  parallel_for(0, rows, std::max<int64_t>(1, kGrainSize / elements), copy_rows);
}

}  // namespace structured::kernels
