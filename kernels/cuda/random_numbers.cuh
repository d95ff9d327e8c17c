#pragma once
// Random numbers on CUDA: for a seed those of PyTorch 2.13 (ATen/native/cuda/DistributionTemplates.h), which depend on
// how many threads a device runs at once. A launch has a thread for each number, but no more than the device runs at
// once. Round r of thread t draws the block philox(seed, first + r, t). A launch of n threads stores the k numbers of a
// block n elements apart: number i of round r of thread t at element (r * k + i) * n + t.
#include <structured/base/error.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/cuda/check.h>
#include <structured/cuda/device.h>
#include <structured/cuda/stream.h>
#include <structured/number/philox.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace structured::kernels {

inline constexpr unsigned kRandomThreads = 256;

/// Returns the generator of a call. Throws Error for one of another device type than that of `self`.
inline Generator generator_for(const char* op, const std::optional<Generator>& generator, const Tensor& self) {
  if (!generator) return default_generator(self.device());
  STRUCTURED_CHECK(generator->device().type() == self.device().type(), op, ": expected a generator for device `",
                   self.device(), "`, got one for `", generator->device(), "`");
  return *generator;
}

/// Words of 32 bits, or of 64 bits with the first word above.
template <class T>
struct RandomWords {
  using Type = T;
  static constexpr int kCount = sizeof(T) == 4 ? 4 : 2;
  static __device__ void draw(const PhiloxBlock& block, T (&numbers)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if constexpr (sizeof(T) == 4) {
        numbers[i] = block.words[i];
      } else {
        numbers[i] = uint64_t{block.words[2 * i]} << 32 | block.words[2 * i + 1];
      }
    }
  }
};

/// Number in (0, 1] of a word.
__device__ __forceinline__ float unit_number(uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }

/// Bits of two words, joined as cuRAND does.
__device__ __forceinline__ double joined_words(const PhiloxBlock& block, int i) {
  return static_cast<double>(uint64_t{block.words[2 * i]} ^ uint64_t{block.words[2 * i + 1]} << 21);
}

/// Uniform numbers in (0, 1].
template <class T>
struct UniformNumbers {
  using Type = T;
  static constexpr int kCount = std::is_same_v<T, double> ? 2 : 4;
  static __device__ void draw(const PhiloxBlock& block, T (&numbers)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if constexpr (std::is_same_v<T, double>) {
        numbers[i] = joined_words(block, i) * 0x1p-53 + 0x1p-54;
      } else {
        numbers[i] = unit_number(block.words[i]);
      }
    }
  }
};

/// Normal numbers by G. E. P. Box and M. E. Muller, "A Note on the Generation of Random Normal Deviates", 1958: the
/// sine first, with the fast functions of the hardware for float.
template <class T>
struct NormalNumbers {
  using Type = T;
  static constexpr int kCount = std::is_same_v<T, double> ? 2 : 4;
  static __device__ void draw(const PhiloxBlock& block, T (&numbers)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; i += 2) {
      T radius;
      if constexpr (std::is_same_v<T, double>) {
        radius = ::sqrt(-2 * ::log(joined_words(block, 0) * 0x1p-53 + 0x1p-54));
        ::sincospi(joined_words(block, 1) * 0x1p-52 + 0x1p-53, &numbers[i], &numbers[i + 1]);
      } else {
        constexpr float turn = 0x1p-32f * 6.2831855f;
        radius = ::sqrtf(-2.0f * ::logf(unit_number(block.words[i])));
        __sincosf(static_cast<float>(block.words[i + 1]) * turn + turn / 2, &numbers[i], &numbers[i + 1]);
      }
      numbers[i] *= radius;
      numbers[i + 1] *= radius;
    }
  }
};

/// Integers from `base` on, below `count` of them (0: all 2^64).
struct RandomInteger {
  uint64_t count;
  int64_t base;
  __device__ int64_t operator()(uint64_t word) const {
    const uint64_t step = count == 0 ? word : word % count;
    return static_cast<int64_t>(step + static_cast<uint64_t>(base));
  }
};

/// Type of the numbers that elements of type T are made of.
template <class T>
using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;

struct RandomLaunch {
  unsigned blocks;
  uint64_t rounds;  ///< blocks of the generator's sequence that a thread draws
};

/// Returns the launch for `count` numbers. A block of the sequence has `per_block` of them.
inline RandomLaunch random_launch(int64_t count, int per_block) {
  const cuda::DeviceProperties& device = cuda::device_properties(cuda::current_device());
  const auto resident = static_cast<int64_t>(device.multiprocessors) *
                        (device.threads_per_multiprocessor / static_cast<int>(kRandomThreads));
  const int64_t blocks = std::min((count + kRandomThreads - 1) / kRandomThreads, resident);
  return {static_cast<unsigned>(blocks),
          static_cast<uint64_t>((count - 1) / (blocks * kRandomThreads * per_block) + 1)};
}

template <class Raw, class T, class Distribution>
__global__ __launch_bounds__(kRandomThreads) void random_kernel(const __grid_constant__ Distribution distribution,
                                                                const Generator::Range range, T* to, int64_t count) {
  const int64_t thread = static_cast<int64_t>(blockIdx.x) * kRandomThreads + threadIdx.x;
  const int64_t threads = static_cast<int64_t>(gridDim.x) * kRandomThreads;
  uint64_t round = range.first;
  for (int64_t first = thread; first < count; first += Raw::kCount * threads, ++round) {
    typename Raw::Type numbers[Raw::kCount];
    Raw::draw(philox(range.seed, round, static_cast<uint64_t>(thread)), numbers);
#pragma unroll
    for (int i = 0; i < Raw::kCount; ++i) {
      const int64_t at = first + i * threads;
      if (at < count) to[at] = distribution(numbers[i]);
    }
  }
}

/// Sets `count` > 0 elements, in the order of memory, to numbers of a distribution: `Raw` draws numbers, which
/// `distribution` maps.
template <class Raw, class T, class Distribution>
void draw_numbers(const Generator& generator, T* to, int64_t count, const Distribution& distribution) {
  const RandomLaunch launch = random_launch(count, Raw::kCount);
  random_kernel<Raw><<<launch.blocks, kRandomThreads, 0, cuda::current_handle()>>>(
      distribution, generator.reserve(launch.rounds), to, count);
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
}

}  // namespace structured::kernels
