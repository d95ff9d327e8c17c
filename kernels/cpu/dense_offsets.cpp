#include "cpu/dense_offsets.h"

#include "cpu/leveled.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Unsigned arithmetic, since an index out of range may overflow before it is detected.
struct DenseOffsets {
  STRUCTURED_ALWAYS_INLINE static void run(const int64_t* index, int64_t below, uint64_t allowed, uint64_t stride,
                                           uint64_t table_step, int64_t count, int64_t* offsets, bool* is_inside) {
    uint64_t outside = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t value = index[i];
      outside |= static_cast<uint64_t>(value) + static_cast<uint64_t>(below) >= allowed ? 1 : 0;
      const auto place = static_cast<uint64_t>(value + (value < 0 ? below : 0));
      offsets[i] = static_cast<int64_t>(place * stride + static_cast<uint64_t>(i) * table_step);
    }
    *is_inside = outside == 0;
  }
};

struct Below {
  STRUCTURED_ALWAYS_INLINE static void run(const int64_t* index, int64_t count, uint64_t size, bool* are_all) {
    uint64_t outside = 0;
    for (int64_t i = 0; i < count; ++i) outside |= static_cast<uint64_t>(index[i]) >= size ? 1 : 0;
    *are_all = outside == 0;
  }
};

}  // namespace

bool find_dense_offsets(const int64_t* index, int64_t size, int64_t below, int64_t stride, int64_t table_step,
                        int64_t count, int64_t* offsets) {
  bool is_inside = true;
  run_leveled<DenseOffsets>(index, below, static_cast<uint64_t>(below) + static_cast<uint64_t>(size),
                            static_cast<uint64_t>(stride), static_cast<uint64_t>(table_step), count, offsets,
                            &is_inside);
  return is_inside;
}

bool are_below(const int64_t* index, int64_t count, int64_t size) {
  bool result = true;
  run_leveled<Below>(index, count, static_cast<uint64_t>(size), &result);
  return result;
}

}  // namespace structured::kernels
