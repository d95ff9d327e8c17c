// Dropout on CUDA: for a seed the mask of PyTorch 2.13 (ATen/native/cuda/Dropout.cu).
#include <structured/base/error.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/guards.h>
#include <structured/number/philox.h>
#include <structured/number/visit.h>
#include <structured/ops/clone.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/zeros_like.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "cuda/random_numbers.cuh"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

using cuda::detail::converted;

/// Dropout: a thread computes `width` neighbours a round, or elements as far apart as there are threads if `width`
/// is 1.
template <class T, int width>
__global__ __launch_bounds__(kRandomThreads) void dropout_kernel(const T* from, T* to, bool* mask, int64_t count,
                                                                 Computed<T> kept, Computed<T> scale,
                                                                 const Generator::Range range) {
  using C = Computed<T>;
  constexpr int per_round = width == 1 ? 4 : width;
  constexpr int blocks = (per_round + 3) / 4;
  const int64_t thread = static_cast<int64_t>(blockIdx.x) * kRandomThreads + threadIdx.x;
  const int64_t threads = static_cast<int64_t>(gridDim.x) * kRandomThreads;
  const int64_t step = width == 1 ? threads : 1;
  uint64_t round = range.first;
  for (int64_t first = thread * width; first < count; first += per_round * threads) {
#pragma unroll
    for (int b = 0; b < blocks; ++b, ++round) {
      const PhiloxBlock block = philox(range.seed, round, static_cast<uint64_t>(thread));
#pragma unroll
      for (int i = 0; i < std::min(per_round, 4); ++i) {
        const int64_t at = first + (4 * b + i) * step;
        if (at >= count) continue;
        const bool is_kept = unit_number(block.words[i]) < kept;
        to[at] = converted<T>(converted<C>(from[at]) * static_cast<C>(is_kept) * scale);
        mask[at] = is_kept;
      }
    }
  }
}

// Number of neighbours that a thread of PyTorch's dropout loads at once: as many as fit into 16 bytes, are aligned, and
// divide the number of elements.
template <class T>
int dropout_width(const T* from, int64_t count, bool is_dense) {
  int width = is_dense ? static_cast<int>(16 / sizeof(T)) : 1;
  while (width > 1 && (reinterpret_cast<std::uintptr_t>(from) % (static_cast<std::size_t>(width) * sizeof(T)) != 0 ||
                       count % width != 0)) {
    width /= 2;
  }
  return width;
}

template <class T>
void drop(const Tensor& from, const Tensor& to, const Tensor& mask, double kept, bool is_dense) {
  const int64_t count = from.numel();
  const RandomLaunch launch = random_launch(count, 4);
  const Generator::Range range = default_generator(from.device()).reserve(launch.rounds);
  const auto probability = static_cast<Computed<T>>(kept);
  const auto scale = static_cast<Computed<T>>(1.0 / probability);
  const auto start = [&](auto kernel) {
    kernel<<<launch.blocks, kRandomThreads, 0, cuda::current_handle()>>>(
        from.data_ptr<T>(), to.data_ptr<T>(), mask.data_ptr<bool>(), count, probability, scale, range);
    STRUCTURED_CUDA_CHECK(cudaGetLastError());
  };
  const int width = dropout_width(from.data_ptr<T>(), count, is_dense);
  if constexpr (sizeof(T) <= 2) {
    if (width == 8) return start(dropout_kernel<T, 8>);
  }
  if constexpr (sizeof(T) <= 4) {
    if (width == 4) return start(dropout_kernel<T, 4>);
  }
  start(width == 2 ? dropout_kernel<T, 2> : dropout_kernel<T, 1>);
}

}  // namespace

[[structured::kernel("native_dropout", "CUDA")]]
std::tuple<Tensor, Tensor> native_dropout_cuda(const Tensor& input, double p, std::optional<bool> train) {
  const TensorOptions truth = input.options().dtype(kBool);
  if (!train.value_or(true)) return {structured::clone(input), structured::ones_like(input, truth)};
  STRUCTURED_CHECK(p >= 0 && p <= 1, "native_dropout: expected a probability from 0 to 1, got ", p);
  check_dtype("native_dropout", input.scalar_type(), kAllFloatingTypes);
  if (p == 1) return {structured::zeros_like(input), structured::zeros_like(input, truth)};
  Tensor result = structured::empty_like(input);
  Tensor mask = structured::empty_like(input, truth);
  if (input.numel() == 0) return {result, mask};
  const DeviceGuard guard(input.device());
  const bool is_dense = input.is_non_overlapping_and_dense();
  const Tensor from = is_dense ? input : dense(input, input.scalar_type());
  const Tensor to = is_dense ? result : writable(result, input.scalar_type());
  const Tensor kept = is_dense ? mask : writable(mask, kBool);
  visit<kAllFloatingTypes>("native_dropout", input.scalar_type(),
                           [&]<class T>() { drop<T>(from, to, kept, 1 - p, is_dense); });
  store(result, to);
  store(mask, kept);
  return {result, mask};
}

}  // namespace structured::kernels
