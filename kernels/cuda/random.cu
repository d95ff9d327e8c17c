// Random numbers on CUDA: for a seed those of PyTorch 2.13 (ATen/native/cuda/DistributionTemplates.h, Randperm.cu),
// which depend on how many threads a device runs at once. A launch has a thread for each number, but no more than the
// device runs at once. Round r of thread t draws the block philox(seed, first + r, t). A launch of n threads stores the
// k numbers of a block n elements apart: number i of round r of thread t at element (r * k + i) * n + t. Elements are
// counted in the order of memory.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/core/philox.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/cuda/device.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/overlap.h>
#include <structured/kernel/resize.h>
#include <structured/ops/clone.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/expand.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/permute.h>
#include <structured/ops/sort.h>
#include <structured/ops/zeros_like.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>

#include "cuda/element_loop.cuh"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

using cuda::detail::converted;

constexpr ScalarTypeSet kRandomTypes = kIntegralTypes | kBool | kAllFloatingTypes;

Generator generator_for(const char* op, const std::optional<Generator>& generator, const Tensor& self) {
  if (!generator) return default_generator(self.device());
  STRUCTURED_CHECK(generator->device().type() == self.device().type(), op, ": expected a generator for device `",
                   self.device(), "`, got one for `", generator->device(), "`");
  return *generator;
}

// ----------------------------------------------------------------------------------------- numbers of a Philox block

/// Words of 32 bits, or of 64 bits with the first word above.
template <class T>
struct Words {
  using Type = T;
  static constexpr int kCount = sizeof(T) == 4 ? 4 : 2;
  static __device__ void draw(const PhiloxBlock& block, T (&numbers)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if constexpr (sizeof(T) == 4) {
        numbers[i] = block.words[i];
      } else {
        numbers[i] = std::uint64_t{block.words[2 * i]} << 32 | block.words[2 * i + 1];
      }
    }
  }
};

/// Number in (0, 1] of a word.
__device__ __forceinline__ float unit(std::uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }

/// Bits of two words, joined as cuRAND does.
__device__ __forceinline__ double joined(const PhiloxBlock& block, int i) {
  return static_cast<double>(std::uint64_t{block.words[2 * i]} ^ std::uint64_t{block.words[2 * i + 1]} << 21);
}

/// Uniform numbers in (0, 1].
template <class T>
struct Uniform {
  using Type = T;
  static constexpr int kCount = std::is_same_v<T, double> ? 2 : 4;
  static __device__ void draw(const PhiloxBlock& block, T (&numbers)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if constexpr (std::is_same_v<T, double>) {
        numbers[i] = joined(block, i) * 0x1p-53 + 0x1p-54;
      } else {
        numbers[i] = unit(block.words[i]);
      }
    }
  }
};

/// Normal numbers by G. E. P. Box and M. E. Muller, "A Note on the Generation of Random Normal Deviates", 1958: the
/// sine first, with the fast functions of the hardware for float.
template <class T>
struct Normal {
  using Type = T;
  static constexpr int kCount = std::is_same_v<T, double> ? 2 : 4;
  static __device__ void draw(const PhiloxBlock& block, T (&numbers)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; i += 2) {
      T radius;
      if constexpr (std::is_same_v<T, double>) {
        radius = ::sqrt(-2 * ::log(joined(block, 0) * 0x1p-53 + 0x1p-54));
        ::sincospi(joined(block, 1) * 0x1p-52 + 0x1p-53, &numbers[i], &numbers[i + 1]);
      } else {
        constexpr float turn = 0x1p-32f * 6.2831855f;
        radius = ::sqrtf(-2.0f * ::logf(unit(block.words[i])));
        __sincosf(static_cast<float>(block.words[i + 1]) * turn + turn / 2, &numbers[i], &numbers[i + 1]);
      }
      numbers[i] *= radius;
      numbers[i + 1] *= radius;
    }
  }
};

// -------------------------------------------------------------------------------------------------- distributions

/// Uniform numbers in [from, to): those that are rounded to `to` become `from`.
template <class T, class C>
struct Between {
  T from;
  T to;
  C range;
  __device__ T operator()(C number) const {
    const T value = converted<T>(number * range + converted<C>(from));
    return converted<C>(value) == converted<C>(to) ? from : value;
  }
};

template <class T, class C>
struct Scaled {
  C mean;
  C deviation;
  __device__ T operator()(C number) const { return converted<T>(number * deviation + mean); }
};

template <class C>
struct IsBelow {
  C probability;
  __device__ bool operator()(C number) const { return number < probability; }
};

/// Integers from `base` on, below `count` of them (0: all 2^64).
struct Integer {
  std::uint64_t count;
  std::int64_t base;
  __device__ std::int64_t operator()(std::uint64_t word) const {
    const std::uint64_t step = count == 0 ? word : word % count;
    return static_cast<std::int64_t>(step + static_cast<std::uint64_t>(base));
  }
};

/// Keys whose bits outside of `mask` are 0.
struct Key {
  Integer integer;
  std::int64_t mask;
  __device__ std::int64_t operator()(std::uint64_t word) const { return integer(word) & mask; }
};

// PyTorch computes these functions of float by the fast functions of the hardware.
__device__ __forceinline__ float fast_log(float x) { return __logf(x); }
__device__ __forceinline__ double fast_log(double x) { return ::log(x); }
__device__ __forceinline__ float fast_log1p(float x) { return __logf(1.0f + x); }
__device__ __forceinline__ double fast_log1p(double x) { return ::log1p(x); }
__device__ __forceinline__ float fast_exp(float x) { return __expf(x); }
__device__ __forceinline__ double fast_exp(double x) { return ::exp(x); }
__device__ __forceinline__ float fast_tan(float x) { return __tanf(x); }
__device__ __forceinline__ double fast_tan(double x) { return ::tan(x); }

template <class C>
struct Exponential {
  C rate;
  __device__ C operator()(C number) const {
    constexpr C least = std::numeric_limits<C>::epsilon() / 2;  // never 0
    const C log = number >= 1 - least ? -least : fast_log(number);
    return C(-1) / rate * log;
  }
};

template <class C>
struct Cauchy {
  C median;
  C scale;
  __device__ C operator()(C number) const {
    if constexpr (std::is_same_v<C, float>) {  // the fast tangent overflows near 0 and 1
      constexpr C margin = std::numeric_limits<C>::epsilon();
      number = number > 1 - margin ? 1 - margin : number < margin ? margin : number;
    }
    return median + scale * fast_tan(std::numbers::pi_v<C> * (number - C(0.5)));
  }
};

template <class C>
struct Geometric {
  C probability;
  __device__ C operator()(C number) const {
    return ::fmax(::ceil(fast_log(number) / fast_log1p(-probability)), C(1));  // PyTorch: 0 for a number of 1
  }
};

template <class C>
struct LogNormal {
  C mean;
  C deviation;
  __device__ C operator()(C number) const { return fast_exp(number * deviation + mean); }
};

// --------------------------------------------------------------------------------------------------------- launches

constexpr unsigned kThreads = 256;

/// A launch for `count` numbers. A block of the sequence has `per_block` of them.
struct Launch {
  unsigned blocks;
  std::uint64_t rounds;  ///< blocks of the generator's sequence that a thread draws
};

Launch launch_for(std::int64_t count, int per_block) {
  const cuda::DeviceProperties& device = cuda::device_properties(cuda::current_device());
  const auto resident = static_cast<std::int64_t>(device.multiprocessors) *
                        (device.threads_per_multiprocessor / static_cast<int>(kThreads));
  const std::int64_t blocks = std::min((count + kThreads - 1) / kThreads, resident);
  return {static_cast<unsigned>(blocks), static_cast<std::uint64_t>((count - 1) / (blocks * kThreads * per_block) + 1)};
}

template <class Raw, class T, class Distribution>
__global__ __launch_bounds__(kThreads) void random_kernel(const __grid_constant__ Distribution distribution,
                                                          const Generator::Range range, T* to, std::int64_t count) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * kThreads;
  std::uint64_t round = range.first;
  for (std::int64_t first = thread; first < count; first += Raw::kCount * threads, ++round) {
    typename Raw::Type numbers[Raw::kCount];
    Raw::draw(philox(range.seed, round, static_cast<std::uint64_t>(thread)), numbers);
#pragma unroll
    for (int i = 0; i < Raw::kCount; ++i) {
      const std::int64_t at = first + i * threads;
      if (at < count) to[at] = distribution(numbers[i]);
    }
  }
}

// Sets `count` > 0 elements to numbers of a distribution: `Raw` draws numbers, which `distribution` maps.
template <class Raw, class T, class Distribution>
void draw(const Generator& generator, T* to, std::int64_t count, const Distribution& distribution) {
  const Launch launch = launch_for(count, Raw::kCount);
  random_kernel<Raw><<<launch.blocks, kThreads, 0, cuda::current_handle()>>>(
      distribution, generator.reserve(launch.rounds), to, count);
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
}

// Dimensions in the order of memory.
DimVector memory_order(const Tensor& tensor) {
  DimVector order(static_cast<std::size_t>(tensor.dim()), 0);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return tensor.strides()[static_cast<std::size_t>(a)] > tensor.strides()[static_cast<std::size_t>(b)];
  });
  return order;
}

// Calls `fill` with a contiguous tensor of `dtype` that is `self`, with its dimensions in the order of memory, or is
// copied to it.
template <class Fill>
void fill_as(const Tensor& self, ScalarType dtype, const Fill& fill) {
  assert_no_internal_overlap(self);
  if (self.numel() == 0) return;
  const DeviceGuard guard(self.device());
  const Tensor ordered = self.is_contiguous() ? self : structured::permute(self, memory_order(self));
  const Tensor dense = writable(ordered, dtype);
  fill(dense);
  store(ordered, dense);
}

// Calls `fill.operator()<T>(data, count)` with real numbers; complex elements are pairs of them.
template <class Fill>
void fill_reals(const char* op, const Tensor& self, const Fill& fill) {
  visit<kAllFloatingTypes | kComplexTypes>(op, self.scalar_type(), [&]<class T>() {
    fill_as(self, self.scalar_type(), [&](const Tensor& dense) {
      if constexpr (is_complex_v<T>) {
        using Part = typename T::value_type;
        fill.template operator()<Part>(static_cast<Part*>(dense.data()), 2 * dense.numel());
      } else {
        fill.template operator()<T>(dense.data_ptr<T>(), dense.numel());
      }
    });
  });
}

template <class T>
using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;

// Calls `fill.operator()<C>(data, count)` with C double for Double, and float for other dtypes of `types`.
template <class Fill>
void fill_computed(const char* op, const Tensor& self, ScalarTypeSet types, const Fill& fill) {
  check_dtype(op, self.scalar_type(), types);
  const auto fill_with = [&]<class C>() {
    fill_as(self, scalar_type_of<C>,
            [&](const Tensor& dense) { fill.template operator()<C>(dense.data_ptr<C>(), dense.numel()); });
  };
  if (self.scalar_type() == kDouble) {
    fill_with.template operator()<double>();
  } else {
    fill_with.template operator()<float>();
  }
}

// ------------------------------------------------------------------------- kernels whose threads store neighbours

/// Truth values with a probability each: a thread sets four neighbours.
template <class C>
struct BernoulliEach {
  Generator::Range range;
  bool* to;
  std::int64_t count;
  const C* probabilities;
  cuda::FaultReporter reporter;
  const char* text;
  __device__ void operator()(std::int64_t thread) const {
    const PhiloxBlock block = philox(range.seed, range.first, static_cast<std::uint64_t>(thread));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::int64_t at = 4 * thread + i;
      if (at >= count) return;
      const C p = probabilities[at];
      if (!(p >= 0 && p <= 1)) reporter.report(text);
      to[at] = unit(block.words[i]) <= p;
    }
  }
};

/// Dropout: a thread computes `width` neighbours a round, or elements as far apart as there are threads if `width`
/// is 1.
template <class T, int width>
__global__ __launch_bounds__(kThreads) void dropout_kernel(const T* from, T* to, bool* mask, std::int64_t count,
                                                           Computed<T> kept, Computed<T> scale,
                                                           const Generator::Range range) {
  using C = Computed<T>;
  constexpr int per_round = width == 1 ? 4 : width;
  constexpr int blocks = (per_round + 3) / 4;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * kThreads;
  const std::int64_t step = width == 1 ? threads : 1;
  std::uint64_t round = range.first;
  for (std::int64_t first = thread * width; first < count; first += per_round * threads) {
#pragma unroll
    for (int b = 0; b < blocks; ++b, ++round) {
      const PhiloxBlock block = philox(range.seed, round, static_cast<std::uint64_t>(thread));
#pragma unroll
      for (int i = 0; i < std::min(per_round, 4); ++i) {
        const std::int64_t at = first + (4 * b + i) * step;
        if (at >= count) continue;
        const bool is_kept = unit(block.words[i]) < kept;
        to[at] = converted<T>(converted<C>(from[at]) * static_cast<C>(is_kept) * scale);
        mask[at] = is_kept;
      }
    }
  }
}

// Number of neighbours that a thread of PyTorch's dropout loads at once: as many as fit into 16 bytes, are aligned, and
// divide the number of elements.
template <class T>
int dropout_width(const T* from, std::int64_t count, bool is_dense) {
  int width = is_dense ? static_cast<int>(16 / sizeof(T)) : 1;
  while (width > 1 && (reinterpret_cast<std::uintptr_t>(from) % (static_cast<std::size_t>(width) * sizeof(T)) != 0 ||
                       count % width != 0)) {
    width /= 2;
  }
  return width;
}

template <class T>
void drop(const Tensor& from, const Tensor& to, const Tensor& mask, double kept, bool is_dense) {
  const std::int64_t count = from.numel();
  const Launch launch = launch_for(count, 4);
  const Generator::Range range = default_generator(from.device()).reserve(launch.rounds);
  const auto probability = static_cast<Computed<T>>(kept);
  const auto scale = static_cast<Computed<T>>(1.0 / probability);
  const auto start = [&](auto kernel) {
    kernel<<<launch.blocks, kThreads, 0, cuda::current_handle()>>>(
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

/// Shuffles the elements whose keys are equal: D. E. Knuth, "The Art of Computer Programming", volume 2, algorithm P.
struct ShuffleEqualKeys {
  Generator::Range range;
  const std::int64_t* keys;
  std::int64_t* order;
  std::int64_t count;
  // An index that the compiler does not know would put the words into memory.
  static __device__ std::uint32_t word_of(const PhiloxBlock& block, std::uint64_t i) {
    return i < 2 ? (i == 0 ? block.words[0] : block.words[1]) : (i == 2 ? block.words[2] : block.words[3]);
  }
  __device__ void operator()(std::int64_t first) const {
    if (keys[first] != keys[first + 1] || (first != 0 && keys[first - 1] == keys[first])) return;
    std::int64_t last = first + 1;
    while (last + 1 < count && keys[last + 1] == keys[first]) ++last;
    PhiloxBlock block;
    std::uint64_t drawn = 0;
    for (std::int64_t i = last - first; i > 0; --i, ++drawn) {
      if (drawn % 4 == 0) block = philox(range.seed, range.first + drawn / 4, static_cast<std::uint64_t>(first));
      const std::int64_t other = word_of(block, drawn % 4) % static_cast<std::uint32_t>(i + 1);
      const std::int64_t moved = order[first + i];
      order[first + i] = order[first + other];
      order[first + other] = moved;
    }
  }
};

}  // namespace

[[structured::kernel("uniform_", "CUDA")]]
Tensor& uniform_cuda_(Tensor& self, double from, double to, std::optional<Generator> generator) {
  STRUCTURED_CHECK(from <= to, "uniform_: expected `from` <= `to`, got ", from, " and ", to);
  fill_reals("uniform_", self, [&]<class T>(T* data, std::int64_t count) {
    using C = Computed<T>;
    const auto limit = static_cast<double>(std::numeric_limits<T>::max());
    STRUCTURED_CHECK(-limit <= from && to <= limit && to - from <= limit,
                     "uniform_: expected bounds whose difference dtype `", scalar_type_of<T>, "` can hold, got ", from,
                     " and ", to);
    const T first(static_cast<C>(from));
    const T last(static_cast<C>(to));
    const C range = static_cast<C>(T(static_cast<C>(last) - static_cast<C>(first)));
    draw<Uniform<C>>(generator_for("uniform_", generator, self), data, count, Between<T, C>{first, last, range});
  });
  return self;
}

[[structured::kernel("normal_", "CUDA")]]
Tensor& normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  STRUCTURED_CHECK(std >= 0, "normal_: expected a standard deviation of 0 or more, got ", std);
  const double deviation = self.is_complex() ? std / std::numbers::sqrt2 : std;
  fill_reals("normal_", self, [&]<class T>(T* data, std::int64_t count) {
    using C = Computed<T>;
    draw<Normal<C>>(generator_for("normal_", generator, self), data, count,
                    Scaled<T, C>{static_cast<C>(mean), static_cast<C>(deviation)});
  });
  return self;
}

[[structured::kernel("exponential_", "CUDA")]]
Tensor& exponential_cuda_(Tensor& self, double lambd, std::optional<Generator> generator) {
  STRUCTURED_CHECK(lambd > 0, "exponential_: expected a positive `lambd`, got ", lambd);
  fill_computed("exponential_", self, kAllFloatingTypes, [&]<class C>(C* data, std::int64_t count) {
    draw<Uniform<C>>(generator_for("exponential_", generator, self), data, count,
                     Exponential<C>{static_cast<C>(lambd)});
  });
  return self;
}

[[structured::kernel("cauchy_", "CUDA")]]
Tensor& cauchy_cuda_(Tensor& self, double median, double sigma, std::optional<Generator> generator) {
  STRUCTURED_CHECK(sigma > 0, "cauchy_: expected a positive `sigma`, got ", sigma);
  fill_computed("cauchy_", self, kAllFloatingTypes, [&]<class C>(C* data, std::int64_t count) {
    draw<Uniform<C>>(generator_for("cauchy_", generator, self), data, count,
                     Cauchy<C>{static_cast<C>(median), static_cast<C>(sigma)});
  });
  return self;
}

[[structured::kernel("geometric_", "CUDA")]]
Tensor& geometric_cuda_(Tensor& self, double p, std::optional<Generator> generator) {
  STRUCTURED_CHECK(p > 0 && p < 1, "geometric_: expected `p` between 0 and 1, got ", p);
  fill_computed("geometric_", self, kIntegralTypes | kAllFloatingTypes, [&]<class C>(C* data, std::int64_t count) {
    draw<Uniform<C>>(generator_for("geometric_", generator, self), data, count, Geometric<C>{static_cast<C>(p)});
  });
  return self;
}

[[structured::kernel("log_normal_", "CUDA")]]
Tensor& log_normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  STRUCTURED_CHECK(std > 0, "log_normal_: expected a positive `std`, got ", std);
  fill_computed("log_normal_", self, kAllFloatingTypes, [&]<class C>(C* data, std::int64_t count) {
    draw<Normal<C>>(generator_for("log_normal_", generator, self), data, count,
                    LogNormal<C>{static_cast<C>(mean), static_cast<C>(std)});
  });
  return self;
}

[[structured::kernel("bernoulli_.float", "CUDA")]]
Tensor& bernoulli_cuda_(Tensor& self, double p, std::optional<Generator> generator) {
  STRUCTURED_CHECK(p >= 0 && p <= 1, "bernoulli_: expected a probability from 0 to 1, got ", p);
  check_dtype("bernoulli_", self.scalar_type(), kRandomTypes);
  fill_as(self, kBool, [&](const Tensor& dense) {
    const Generator drawn_from = generator_for("bernoulli_", generator, self);
    bool* const data = dense.data_ptr<bool>();
    if (self.scalar_type() == kDouble) {
      draw<Uniform<double>>(drawn_from, data, dense.numel(), IsBelow<double>{p});
    } else {
      draw<Uniform<float>>(drawn_from, data, dense.numel(), IsBelow<float>{static_cast<float>(p)});
    }
  });
  return self;
}

[[structured::kernel("bernoulli_.Tensor", "CUDA")]]
Tensor& bernoulli_tensor_cuda_(Tensor& self, const Tensor& p, std::optional<Generator> generator) {
  static constexpr char kText[] = "expected probabilities from 0 to 1";
  constexpr std::uint64_t reserved = 3;  // as PyTorch reserves; a block is used
  STRUCTURED_CHECK(is_floating(p.scalar_type()), "bernoulli_: expected probabilities of a floating dtype, got `",
                   p.scalar_type(), "`");
  check_dtype("bernoulli_", self.scalar_type(), kRandomTypes);
  const Tensor expanded = structured::permute(structured::expand(p, self.sizes()), memory_order(self));
  fill_as(self, kBool, [&](const Tensor& result) {
    const Generator::Range range = generator_for("bernoulli_", generator, self).reserve(reserved);
    const auto fill = [&]<class C>() {
      const Tensor each = dense(expanded, scalar_type_of<C>);
      for_each_element((result.numel() + 3) / 4,
                       BernoulliEach<C>{range, result.data_ptr<bool>(), result.numel(), each.data_ptr<C>(),
                                        cuda::fault_reporter("bernoulli_"), kText});
    };
    if (self.scalar_type() == kDouble) {
      fill.template operator()<double>();
    } else {
      fill.template operator()<float>();
    }
  });
  return self;
}

[[structured::kernel("random_.from", "CUDA")]]
Tensor& random_cuda_(Tensor& self, std::int64_t from, std::optional<std::int64_t> to,
                     std::optional<Generator> generator) {
  visit<kRandomTypes>("random_", self.scalar_type(), [&]<class T>() {
    // Greatest integer up to which T represents all integers.
    using Limits = std::numeric_limits<T>;
    constexpr std::int64_t most = Limits::is_integer
                                      ? static_cast<std::int64_t>(Limits::max())
                                      : static_cast<std::int64_t>(std::uint64_t{1} << std::min(Limits::digits, 62));
    constexpr std::int64_t least = Limits::is_integer ? static_cast<std::int64_t>(Limits::min()) : -most;
    const std::int64_t last = to ? *to - (*to != INT64_MIN) : most;
    STRUCTURED_CHECK(!to || from < *to, "random_: expected `from` < `to`, got ", from, " and ", to.value_or(0));
    STRUCTURED_CHECK(least <= from && last <= most, "random_: expected bounds from ", least, " to ", most,
                     ", which dtype `", self.scalar_type(), "` can hold, got ", from, " and ", last);
    // A range of all 2^64 numbers has a count of 0.
    const std::uint64_t count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(from) + 1;
    fill_as(self, kLong, [&](const Tensor& dense) {
      const Generator drawn_from = generator_for("random_", generator, self);
      auto* const data = dense.data_ptr<std::int64_t>();
      if (count != 0 && count < std::uint64_t{1} << 28) {
        draw<Words<std::uint32_t>>(drawn_from, data, dense.numel(), Integer{count, from});
      } else {
        draw<Words<std::uint64_t>>(drawn_from, data, dense.numel(), Integer{count, from});
      }
    });
  });
  return self;
}

[[structured::kernel("randperm.generator_out", "CUDA")]]
Tensor& randperm_cuda(std::int64_t n, std::optional<Generator> generator, Tensor& out) {
  STRUCTURED_CHECK(n >= 0, "randperm: expected a number of 0 or more, got ", n);
  const std::int64_t sizes[] = {n};
  resize_output(out, sizes);
  visit<kIntegralTypes | kAllFloatingTypes>("randperm", out.scalar_type(), [&]<class T>() {
    const double most = std::numeric_limits<T>::is_integer ? static_cast<double>(std::numeric_limits<T>::max())
                                                           : std::ldexp(1.0, std::numeric_limits<T>::digits);
    STRUCTURED_CHECK(n == 0 || static_cast<double>(n - 1) <= most, "randperm: expected a number that dtype `",
                     out.scalar_type(), "` can count to, got ", n);
  });
  if (n == 0) return out;
  // The order of random keys with so many bits that all are different with a probability of 0.9. Keys of 32 and 64 bits
  // are compared with their signs.
  const DeviceGuard guard(out.device());
  const auto number = static_cast<double>(n);
  const int bits =
      std::min(64, static_cast<int>(std::ceil(std::log2(number - (6 * number * number + 1) / (12 * std::log(0.9))))));
  const Integer integer = bits <= 32 ? Integer{UINT32_MAX, INT32_MIN} : Integer{UINT64_MAX, INT64_MIN};
  const std::int64_t mask = bits % 32 == 0 ? -1 : (std::int64_t{1} << bits) - 1;
  const Generator drawn_from = generator_for("randperm", generator, out);
  const Tensor keys = empty(sizes, out.options().dtype(kLong));
  draw<Words<std::uint64_t>>(drawn_from, keys.data_ptr<std::int64_t>(), n, Key{integer, mask});
  const auto [sorted, order] = structured::sort(keys);
  for_each_element(n - 1, ShuffleEqualKeys{drawn_from.reserve(static_cast<std::uint64_t>((n + 3) / 4)),
                                           sorted.data_ptr<std::int64_t>(), order.data_ptr<std::int64_t>(), n});
  copy_into(out, order);
  return out;
}

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
