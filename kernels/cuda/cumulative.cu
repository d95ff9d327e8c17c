// Cumulative sums, products, extrema and log-sum-exps on CUDA.
//
// Short rows are scanned by one thread each, as are all rows of a tensor with many. Other rows are split into tiles: a
// block scans a tile in chunks of its number of threads. Rows of several tiles take three steps: totals of tiles,
// carries into tiles, scans of tiles with their carries. The split depends on sizes only.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/number/visit.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "cuda/walk.h"
#include "math/accumulate_type.h"

namespace structured::kernels {
namespace {

constexpr unsigned kScanThreads = 256;

/// Operands of a scan: the input and one or two outputs. Steps within a row are in bytes.
struct ScanOperands {
  cuda::StridedWalk<3> rows;
  const char* in;
  char* out[2];
  int64_t steps[3];
  int64_t length;
  int64_t tile;    ///< elements of a tile
  uint32_t tiles;  ///< tiles of a row
};

template <class Op>
__device__ __forceinline__ typename Op::Accumulator lifted(const Op& op, const ScanOperands& operands,
                                                           const int64_t (&offsets)[3], int64_t i) {
  using Element = typename Op::Element;
  return op.lift(*reinterpret_cast<const Element*>(operands.in + offsets[0] + i * operands.steps[0]), i);
}
template <class Op>
__device__ __forceinline__ void stored(const Op& op, const ScanOperands& operands, const int64_t (&offsets)[3],
                                       int64_t i, const typename Op::Accumulator& value) {
  op.store(value, operands.out[0] + offsets[1] + i * operands.steps[1],
           operands.out[1] + offsets[2] + i * operands.steps[2]);
}

/// One thread scans a row.
template <class Op>
__global__ __launch_bounds__(kScanThreads) void scan_rows_kernel(const __grid_constant__ Op op,
                                                                 const __grid_constant__ ScanOperands operands) {
  const unsigned row = blockIdx.x * kScanThreads + threadIdx.x;
  if (row >= operands.rows.size) return;
  int64_t offsets[3] = {};
  operands.rows.add_offsets(row, offsets);
  typename Op::Accumulator sum = lifted(op, operands, offsets, 0);
  stored(op, operands, offsets, 0, sum);
#pragma unroll 1
  for (int64_t i = 1; i < operands.length; ++i) {
    sum = op.combine(sum, lifted(op, operands, offsets, i));
    stored(op, operands, offsets, i, sum);
  }
}

/// A block scans a tile, and stores results if `carries` is not null or the row has one tile, else the tile's total.
template <class Op>
__global__ __launch_bounds__(kScanThreads) void scan_tiles_kernel(const __grid_constant__ Op op,
                                                                  const __grid_constant__ ScanOperands operands,
                                                                  const typename Op::Accumulator* const carries,
                                                                  typename Op::Accumulator* const totals) {
  using Accumulator = typename Op::Accumulator;
  __shared__ alignas(16) unsigned char memory[2][kScanThreads * sizeof(Accumulator)];
  const unsigned row = blockIdx.x / operands.tiles;
  const unsigned tile = blockIdx.x % operands.tiles;
  int64_t offsets[3] = {};
  operands.rows.add_offsets(row, offsets);
  const int64_t begin = tile * operands.tile;
  const int64_t end = begin + operands.tile < operands.length ? begin + operands.tile : operands.length;
  bool has_carry = carries != nullptr && tile != 0;
  Accumulator carry;
  if (has_carry) carry = carries[blockIdx.x - 1];
#pragma unroll 1
  for (int64_t start = begin; start < end; start += kScanThreads) {
    const int64_t i = start + threadIdx.x;
    const auto count = static_cast<unsigned>(end - start < kScanThreads ? end - start : kScanThreads);
    auto* from = reinterpret_cast<Accumulator*>(memory[0]);
    auto* to = reinterpret_cast<Accumulator*>(memory[1]);
    Accumulator sum;
    if (threadIdx.x < count) {
      sum = lifted(op, operands, offsets, i);
      from[threadIdx.x] = sum;
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned step = 1; step < count; step *= 2) {
      if (threadIdx.x < count) {
        if (threadIdx.x >= step) sum = op.combine(from[threadIdx.x - step], sum);
        to[threadIdx.x] = sum;
      }
      __syncthreads();
      auto* const other = from;
      from = to;
      to = other;
    }
    const Accumulator total = from[count - 1];
    if (totals == nullptr && threadIdx.x < count) {
      stored(op, operands, offsets, i, has_carry ? op.combine(carry, sum) : sum);
    }
    carry = has_carry ? op.combine(carry, total) : total;
    has_carry = true;
    __syncthreads();
  }
  if (totals != nullptr && threadIdx.x == 0) totals[blockIdx.x] = carry;
}

/// Replaces the totals of the tiles of each row by their cumulative sums.
template <class Op>
__global__ __launch_bounds__(kScanThreads) void scan_totals_kernel(const __grid_constant__ Op op,
                                                                   typename Op::Accumulator* const totals,
                                                                   const unsigned rows, const unsigned tiles) {
  const unsigned row = blockIdx.x * kScanThreads + threadIdx.x;
  if (row >= rows) return;
  typename Op::Accumulator* const own = totals + int64_t{row} * tiles;
#pragma unroll 1
  for (unsigned tile = 1; tile < tiles; ++tile) own[tile] = op.combine(own[tile - 1], own[tile]);
}

/// Scans `self` along `dim`. Its elements are of type Op::Element. `second` may be null.
template <class Op>
void scan(const Op& op, const Tensor& self, int64_t dim, const Tensor& first, const Tensor* second = nullptr) {
  using Accumulator = typename Op::Accumulator;
  constexpr int64_t kShort = 32;
  constexpr uint32_t kManyRows = 1 << 15;
  constexpr int64_t kTile = 4096;
  constexpr int64_t kMaxTiles = 1024;
  if (self.numel() == 0) return;
  ScanOperands operands{};
  operands.rows = {};
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    const int64_t steps[3] = {byte_stride(self, d), byte_stride(first, d), second ? byte_stride(*second, d) : 0};
    if (d != dim) {
      operands.rows.add_dim(self.size(d), steps);
    } else {
      std::copy_n(steps, 3, operands.steps);
    }
  }
  operands.in = static_cast<const char*>(self.data());
  operands.out[0] = static_cast<char*>(first.data());
  operands.out[1] = second ? static_cast<char*>(second->data()) : nullptr;
  operands.length = self.dim() == 0 ? 1 : self.size(dim);
  cudaStream_t const stream = cuda::current_handle(self.device().index());
  const uint32_t rows = operands.rows.size;
  const unsigned blocks_of_rows = (rows + kScanThreads - 1) / kScanThreads;
  if (operands.length <= kShort || rows >= kManyRows) {
    scan_rows_kernel<Op><<<blocks_of_rows, kScanThreads, 0, stream>>>(op, operands);
    STRUCTURED_CUDA_CHECK(cudaGetLastError());
    return;
  }
  operands.tile = std::max(kTile, (operands.length + kMaxTiles - 1) / kMaxTiles);
  operands.tiles = static_cast<uint32_t>((operands.length + operands.tile - 1) / operands.tile);
  const unsigned blocks = rows * operands.tiles;
  if (operands.tiles == 1) {
    scan_tiles_kernel<Op><<<blocks, kScanThreads, 0, stream>>>(op, operands, nullptr, nullptr);
    STRUCTURED_CUDA_CHECK(cudaGetLastError());
    return;
  }
  const Tensor memory = empty({static_cast<int64_t>(sizeof(Accumulator) * blocks)}, self.options().dtype(kByte));
  auto* const totals = static_cast<Accumulator*>(memory.data());
  scan_tiles_kernel<Op><<<blocks, kScanThreads, 0, stream>>>(op, operands, nullptr, totals);
  scan_totals_kernel<Op><<<blocks_of_rows, kScanThreads, 0, stream>>>(op, totals, rows, operands.tiles);
  scan_tiles_kernel<Op><<<blocks, kScanThreads, 0, stream>>>(op, operands, totals, nullptr);
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
}

template <class T, bool kIsProduct>
struct Total {
  using Element = T;
  using Accumulator = AccumulateType<T>;
  __device__ Accumulator lift(T value, int64_t) const { return cuda::detail::converted<Accumulator>(value); }
  __device__ Accumulator combine(Accumulator a, Accumulator b) const { return kIsProduct ? a * b : a + b; }
  __device__ void store(Accumulator value, char* to, char*) const {
    *reinterpret_cast<T*>(to) = cuda::detail::converted<T>(value);
  }
};

/// Last maximum or minimum so far, and its index. NaN is better than every number.
template <class T, bool kIsMaximum>
struct RunningExtreme {
  using Element = T;
  using Compared = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;
  struct Accumulator {
    Compared value;
    int64_t index;
  };
  __device__ Accumulator lift(T value, int64_t index) const {
    return {cuda::detail::converted<Compared>(value), index};
  }
  __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) const {
    const bool replaces = b.value != b.value || (kIsMaximum ? b.value >= a.value : b.value <= a.value);
    return replaces ? b : a;
  }
  __device__ void store(const Accumulator& best, char* value, char* index) const {
    *reinterpret_cast<T*>(value) = cuda::detail::converted<T>(best.value);
    *reinterpret_cast<int64_t*>(index) = best.index;
  }
};

/// Logarithm of a sum of exponentials.
template <class T>
struct LogSumExp : Total<T, false> {
  using Accumulator = typename Total<T, false>::Accumulator;
  __device__ Accumulator combine(Accumulator a, Accumulator b) const {
    if (a != a || b != b) return a + b;
    const Accumulator greater = a < b ? b : a;
    if (isinf(greater)) return greater;
    return greater + ::log1p(::exp((a < b ? a : b) - greater));
  }
};

template <bool kIsProduct>
void accumulate(const char* name, const Tensor& self, int64_t dim, const Tensor& out) {
  Tensor in = self;
  if (self.scalar_type() != out.scalar_type()) {
    copy_into(out, self);
    in = out;
  }
  dim = wrap_dim(dim, self.dim());
  visit<kAllTypes>(name, out.scalar_type(), [&]<class T>() { scan(Total<T, kIsProduct>(), in, dim, out); });
}

}  // namespace

[[structured::impl("cumsum.out", "CUDA")]]
void cumsum_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] std::optional<ScalarType> dtype, const Tensor& out) {
  accumulate<false>("cumsum", self, dim, out);
}

[[structured::impl("cumprod.out", "CUDA")]]
void cumprod_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] std::optional<ScalarType> dtype,
                  const Tensor& out) {
  accumulate<true>("cumprod", self, dim, out);
}

[[structured::impl("cummax.out", "CUDA")]]
void cummax_cuda(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices) {
  dim = wrap_dim(dim, self.dim());
  visit<kRealTypes | kBool>("cummax", self.scalar_type(),
                            [&]<class T>() { scan(RunningExtreme<T, true>(), self, dim, values, &indices); });
}

[[structured::impl("cummin.out", "CUDA")]]
void cummin_cuda(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices) {
  dim = wrap_dim(dim, self.dim());
  visit<kRealTypes | kBool>("cummin", self.scalar_type(),
                            [&]<class T>() { scan(RunningExtreme<T, false>(), self, dim, values, &indices); });
}

[[structured::impl("logcumsumexp.out", "CUDA")]]
void logcumsumexp_cuda(const Tensor& self, int64_t dim, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  visit<kAllFloatingTypes>("logcumsumexp", self.scalar_type(),
                           [&]<class T>() { scan(LogSumExp<T>(), self, dim, out); });
}

}  // namespace structured::kernels
