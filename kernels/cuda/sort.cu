// Sorting and order statistics on CUDA.
//
// An element becomes an item: an unsigned key in the order of the elements, and its position, so that no two items are
// equal and every sort is stable. Rows of up to kSortTile items are sorted in shared memory by a bitonic network (K. E.
// Batcher, Sorting networks and their applications, 1968). Items of longer rows are sorted all at once, by CUB's radix
// sort: by their keys, and then by their rows. Elements are copied by their positions last.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/number/visit.h>
#include <structured/ops/fill.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/tuple>
#include <limits>
#include <optional>
#include <type_traits>

#include "cuda/element_loop.cuh"
#include "cuda/visit_size.cuh"
#include "cuda/walk.h"

namespace structured::kernels {
namespace {

/// Item of an element of up to 32 bits: the key in the upper half, the position in the lower one. The lowest bits of
/// the position are the place in the row, those above are the number of the row.
using SmallItem = unsigned long long;
/// Item of an element of 64 bits.
struct LargeItem {
  uint64_t key;
  uint64_t position;
};

__device__ __forceinline__ bool is_before(SmallItem a, SmallItem b) { return a < b; }
__device__ __forceinline__ bool is_before(const LargeItem& a, const LargeItem& b) {
  return a.key != b.key ? a.key < b.key : a.position < b.position;
}
__device__ __forceinline__ uint64_t key_of(SmallItem item) { return item >> 32; }
__device__ __forceinline__ uint64_t key_of(const LargeItem& item) { return item.key; }
__device__ __forceinline__ int64_t position_of(SmallItem item) { return static_cast<int64_t>(item & 0xffffffff); }
__device__ __forceinline__ int64_t position_of(const LargeItem& item) { return static_cast<int64_t>(item.position); }
template <class Item>
__device__ __forceinline__ Item make_item(uint64_t key, uint64_t position) {
  if constexpr (std::is_same_v<Item, SmallItem>) {
    return key << 32 | position;
  } else {
    return {key, position};
  }
}

template <class T>
using ItemOf = std::conditional_t<sizeof(T) == 8, LargeItem, SmallItem>;
template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 1, uint8_t,
    std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;

/// Key of NaN, greater than that of every number.
template <class T>
inline constexpr uint64_t kGreatestKey = static_cast<Bits<T>>(~Bits<T>(0));

/// Returns an unsigned number in the order of elements. NaN is the greatest; -0 and 0 are equal.
template <class T>
__device__ uint64_t key_from(T value) {
  constexpr Bits<T> kSign = Bits<T>(Bits<T>(1) << (8 * sizeof(T) - 1));
  auto bits = __builtin_bit_cast(Bits<T>, value);
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, uint8_t>) {
    return bits;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<Bits<T>>(bits ^ kSign);
  } else {
    const auto number = cuda::detail::converted<std::conditional_t<sizeof(T) == 8, double, float>>(value);
    if (number != number) return kGreatestKey<T>;
    if (number == 0) bits = 0;
    return static_cast<Bits<T>>((bits & kSign) != 0 ? ~bits : bits | kSign);
  }
}

/// Rows of items, padded with items that come last.
template <class T>
struct MakeItems {
  cuda::StridedWalk<1> rows;
  const char* in;
  int64_t step;
  int64_t length;
  int64_t padded;
  int place_bits;
  bool is_descending;
  ItemOf<T>* items;
  __device__ void operator()(int64_t i) const {
    const int64_t row = i / padded;
    const int64_t place = i % padded;
    if (place >= length) {
      items[i] = make_item<ItemOf<T>>(~uint64_t{0}, ~uint64_t{0});
      return;
    }
    int64_t offset[1] = {place * step};
    rows.add_offsets(static_cast<uint32_t>(row), offset);
    const uint64_t key = key_from(*reinterpret_cast<const T*>(in + offset[0]));
    items[i] = make_item<ItemOf<T>>(is_descending ? kGreatestKey<T> - key : key,
                                    static_cast<uint64_t>(row << place_bits | place));
  }
};

constexpr unsigned kSortThreads = 256;
constexpr int64_t kSortTile = 2 * kSortThreads;  // items in shared memory

/// Orders two items for the stage in which runs of `run` items are merged.
template <class Item>
__device__ __forceinline__ void order(Item& a, Item& b, bool is_ascending) {
  if (is_before(b, a) != is_ascending) return;
  const Item first = a;
  a = b;
  b = first;
}

/// Sorts rows of `padded` items, a power of two. A block sorts a row.
template <class Item>
__global__ __launch_bounds__(kSortThreads) void sort_tile_kernel(Item* const items, const int padded) {
  __shared__ Item shared[kSortTile];
  Item* const own = items + static_cast<int64_t>(blockIdx.x) * padded;
  for (int i = threadIdx.x; i < padded; i += blockDim.x) shared[i] = own[i];
#pragma unroll 1
  for (int run = 2; run <= padded; run *= 2) {
#pragma unroll 1
    for (int distance = run / 2; distance != 0; distance /= 2) {
      __syncthreads();
      for (int pair = threadIdx.x; pair < padded / 2; pair += blockDim.x) {
        const int low = pair / distance * 2 * distance + pair % distance;
        order(shared[low], shared[low + distance], (low & run) == 0);
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < padded; i += blockDim.x) own[i] = shared[i];
}

struct KeyOfItem {
  __host__ __device__ ::cuda::std::tuple<uint64_t&> operator()(LargeItem& item) const { return {item.key}; }
};
struct PositionOfItem {
  __host__ __device__ ::cuda::std::tuple<uint64_t&> operator()(LargeItem& item) const { return {item.position}; }
};

// Calls a function of CUB, which tells in the first call how much memory it needs.
template <class Call>
void call_cub(Device device, const Call& call) {
  std::size_t bytes = 0;
  STRUCTURED_CUDA_CHECK(call(nullptr, bytes));
  const Tensor memory = empty({static_cast<int64_t>(bytes)}, TensorOptions(kByte, device));
  STRUCTURED_CUDA_CHECK(call(memory.data(), bytes));
}

/// Sorts `count` items of `rows` rows by `key_bits` of their keys, and then by their rows. Every sort is stable.
template <class Item>
void sort_all(Device device, cub::DoubleBuffer<Item>& items, int64_t count, int64_t rows, int key_bits,
              int place_bits) {
  cudaStream_t const stream = cuda::current_handle(device.index());
  const auto size = static_cast<uint32_t>(count);
  const int row_bits = std::bit_width(static_cast<uint64_t>(rows - 1));
  call_cub(device, [&](void* memory, std::size_t& bytes) {
    if constexpr (std::is_same_v<Item, SmallItem>) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, items, size, 32, 32 + key_bits, stream);
    } else {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, items, size, KeyOfItem(), 0, key_bits, stream);
    }
  });
  if (row_bits == 0) return;
  call_cub(device, [&](void* memory, std::size_t& bytes) {
    if constexpr (std::is_same_v<Item, SmallItem>) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, items, size, place_bits, place_bits + row_bits, stream);
    } else {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, items, size, PositionOfItem(), place_bits,
                                            place_bits + row_bits, stream);
    }
  });
}

/// Sorted rows of a tensor.
struct SortedRows {
  Tensor memory;
  const void* items = nullptr;  ///< in `memory`
  int64_t rows = 0;
  int64_t length = 0;
  int64_t padded = 0;
  int64_t place_mask = 0;  ///< bits of a position that are the place in the row
  bool is_large = false;
  bool has_nan = false;  ///< whether the dtype has NaN, whose key is `nan`
  uint64_t nan = 0;
};

SortedRows sort_rows(const char* name, const Tensor& self, int64_t dim, bool is_descending) {
  SortedRows result;
  result.length = self.dim() == 0 ? 1 : self.size(dim);
  result.rows = self.numel() / result.length;
  const bool is_short = result.length <= kSortTile;
  const int place_bits = std::bit_width(static_cast<uint64_t>(result.length - 1));
  result.place_mask = (int64_t{1} << place_bits) - 1;
  result.padded = is_short ? int64_t{1} << place_bits : result.length;
  STRUCTURED_CHECK(result.length < cuda::kMaxWalk, name, ": expected rows of fewer than ", cuda::kMaxWalk,
                   " elements, got ", result.length);
  cuda::StridedWalk<1> rows;
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    if (d != dim) rows.add_dim(self.size(d), {byte_stride(self, d)});
  }
  const int64_t count = result.rows * result.padded;
  visit<kRealTypes | kBool>(name, self.scalar_type(), [&]<class T>() {
    using Item = ItemOf<T>;
    result.is_large = std::is_same_v<Item, LargeItem>;
    result.has_nan = is_floating(self.scalar_type());
    result.nan = kGreatestKey<T>;
    const int64_t buffers = is_short ? 1 : 2;
    result.memory = empty({buffers * count * static_cast<int64_t>(sizeof(Item))}, self.options().dtype(kByte));
    auto* const items = static_cast<Item*>(result.memory.data());
    result.items = items;
    const auto* const in = static_cast<const char*>(self.data());
    const int64_t step = self.dim() == 0 ? 0 : byte_stride(self, dim);
    for_each_element(count,
                     MakeItems<T>{rows, in, step, result.length, result.padded, place_bits, is_descending, items});
    if (is_short) {
      const auto padded = static_cast<int>(result.padded);
      sort_tile_kernel<Item><<<static_cast<unsigned>(result.rows), static_cast<unsigned>(std::max(1, padded / 2)), 0,
                               cuda::current_handle()>>>(items, padded);
      STRUCTURED_CUDA_CHECK(cudaGetLastError());
    } else {
      cub::DoubleBuffer<Item> both(items, items + count);
      sort_all(self.device(), both, count, result.rows, 8 * static_cast<int>(sizeof(T)), place_bits);
      result.items = both.Current();
    }
  });
  return result;
}

/// Which items of a sorted row are results.
enum class Chosen : uint8_t { first, ranked, median, number_median, mode };

/// Copies `count` chosen elements of each row, and their positions. Walks have the steps of the input, values and
/// indices of a row.
template <class W, class Item>
struct Choose {
  cuda::StridedWalk<3> rows;
  int64_t steps[3];
  const char* in;
  char* values;
  char* indices;
  const Item* items;
  int64_t length;
  int64_t padded;
  int64_t place_mask;
  int64_t count;
  int64_t rank;
  bool has_nan;
  uint64_t nan;
  Chosen chosen;

  __device__ int64_t rank_in(const Item* row) const {
    if (chosen == Chosen::ranked) return rank;
    if (chosen == Chosen::mode) {
      int64_t best = 0;
      int64_t most = 0;
      int64_t run = 0;
      for (int64_t i = 0; i < length; ++i) {
        const uint64_t key = key_of(row[i]);
        ++run;
        if (i + 1 < length && key_of(row[i + 1]) == key && !(has_nan && key == nan)) continue;
        if (run > most) {
          most = run;
          best = i;
        }
        run = 0;
      }
      return best;
    }
    if (!has_nan) return (length - 1) / 2;
    int64_t numbers = 0;  // before the first NaN
    for (int64_t left = length; left > 0;) {
      const int64_t half = left / 2;
      if (key_of(row[numbers + half]) < nan) {
        numbers += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    if (numbers == length || (chosen == Chosen::number_median && numbers == 0)) return (length - 1) / 2;
    return chosen == Chosen::number_median ? (numbers - 1) / 2 : numbers;
  }

  __device__ void operator()(int64_t i) const {
    const int64_t row = i / count;
    const int64_t place = i % count;
    int64_t offsets[3] = {};
    rows.add_offsets(static_cast<uint32_t>(row), offsets);
    const Item* const own = items + row * padded;
    const int64_t position = position_of(own[chosen == Chosen::first ? place : rank_in(own)]) & place_mask;
    *reinterpret_cast<W*>(values + offsets[1] + place * steps[1]) =
        *reinterpret_cast<const W*>(in + offsets[0] + position * steps[0]);
    *reinterpret_cast<int64_t*>(indices + offsets[2] + place * steps[2]) = position;
  }
};

// Copies chosen elements of `self`. `values` and `indices` have the rank of `self`, or lack the dimension `dim`.
void choose(const SortedRows& sorted, const Tensor& self, int64_t dim, Chosen chosen, int64_t rank,
            const Tensor& values, const Tensor& indices) {
  cuda::StridedWalk<3> rows;
  int64_t steps[3] = {};
  const bool keeps = values.dim() == self.dim();
  int64_t to = values.dim() - 1;
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    if (d != dim) {
      rows.add_dim(self.size(d), {byte_stride(self, d), byte_stride(values, to), byte_stride(indices, to)});
      --to;
      continue;
    }
    steps[0] = byte_stride(self, d);
    if (!keeps) continue;
    steps[1] = byte_stride(values, to);
    steps[2] = byte_stride(indices, to);
    --to;
  }
  const int64_t count = values.numel() / sorted.rows;
  const auto run = [&]<class W, class Item>() {
    for_each_element(values.numel(), Choose<W, Item>{rows,
                                                     {steps[0], steps[1], steps[2]},
                                                     static_cast<const char*>(self.data()),
                                                     static_cast<char*>(values.data()),
                                                     static_cast<char*>(indices.data()),
                                                     static_cast<const Item*>(sorted.items),
                                                     sorted.length,
                                                     sorted.padded,
                                                     sorted.place_mask,
                                                     count,
                                                     rank,
                                                     sorted.has_nan,
                                                     sorted.nan,
                                                     chosen});
  };
  if (sorted.is_large) return run.template operator()<uint64_t, LargeItem>();
  visit_size(item_size_log2(self.scalar_type()), [&]<class W>() {
    if constexpr (sizeof(W) <= 4) run.template operator()<W, SmallItem>();
  });
}

void choose_one(const char* name, const Tensor& self, int64_t dim, Chosen chosen, int64_t rank, const Tensor& values,
                const Tensor& indices) {
  if (self.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  choose(sort_rows(name, self, dim, false), self, dim, chosen, rank, values, indices);
}

Tensor median_of_all(const char* name, const Tensor& self, Chosen chosen) {
  STRUCTURED_CHECK(kRealTypes.contains(self.scalar_type()), name, ": expected `self` of dtype ", kRealTypes, ", got ",
                   self.scalar_type());
  const DeviceGuard guard(self.device());
  Tensor value = empty({}, self.options());
  if (self.numel() == 0) {
    visit<kRealTypes>(name, self.scalar_type(), [&]<class T>() {
      if constexpr (std::is_integral_v<T>) {
        structured::fill_(value, std::numeric_limits<T>::min());  // result of converting NaN to an integer
      } else {
        structured::fill_(value, std::numeric_limits<double>::quiet_NaN());
      }
    });
    return value;
  }
  Tensor row = self;
  if (!self.is_contiguous()) {
    row = empty(self.sizes(), self.options());
    copy_into(row, self);
  }
  row = as_strided(row, row.numel(), 1, row.storage_offset());
  choose_one(name, row, 0, chosen, 0, value, empty({}, value.options().dtype(kLong)));
  return value;
}

}  // namespace

[[structured::impl("sort.values_stable", "CUDA")]]
void sort_cuda(const Tensor& self, [[maybe_unused]] std::optional<bool> stable, int64_t dim, bool descending,
               const Tensor& values, const Tensor& indices) {
  if (self.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  choose(sort_rows("sort", self, dim, descending), self, dim, Chosen::first, 0, values, indices);
}

[[structured::impl("topk.values", "CUDA")]]
void topk_cuda(const Tensor& self, [[maybe_unused]] int64_t k, int64_t dim, bool largest, [[maybe_unused]] bool sorted,
               const Tensor& values, const Tensor& indices) {
  if (values.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  choose(sort_rows("topk", self, dim, largest), self, dim, Chosen::first, 0, values, indices);
}

[[structured::impl("kthvalue.values", "CUDA")]]
void kthvalue_cuda(const Tensor& self, int64_t k, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
                   const Tensor& indices) {
  choose_one("kthvalue", self, dim, Chosen::ranked, k - 1, values, indices);
}

[[structured::impl("median.dim_values", "CUDA")]]
void median_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
                 const Tensor& indices) {
  choose_one("median", self, dim, Chosen::median, 0, values, indices);
}

[[structured::impl("nanmedian.dim_values", "CUDA")]]
void nanmedian_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
                    const Tensor& indices) {
  choose_one("nanmedian", self, dim, Chosen::number_median, 0, values, indices);
}

[[structured::kernel("median", "CUDA")]]
Tensor median_all_cuda(const Tensor& self) {
  return median_of_all("median", self, Chosen::median);
}

[[structured::kernel("nanmedian", "CUDA")]]
Tensor nanmedian_all_cuda(const Tensor& self) {
  return median_of_all("nanmedian", self, Chosen::number_median);
}

[[structured::impl("mode.values", "CUDA")]]
void mode_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool keepdim, const Tensor& values,
               const Tensor& indices) {
  choose_one("mode", self, dim, Chosen::mode, 0, values, indices);
}

}  // namespace structured::kernels
