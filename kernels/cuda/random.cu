// Random numbers on CUDA. Every element has its own position in the generator's sequence, as on the CPU, so that
// results depend on the seed only. Integers and truth values equal those of the CPU.
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/core/philox.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/overlap.h>
#include <structured/kernel/resize.h>
#include <structured/ops/expand.h>
#include <structured/ops/sort.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>

#include "cuda/element_loop.cuh"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kRandomTypes = kIntegralTypes | kBool | kAllFloatingTypes;

Generator generator_for(const char* op, const std::optional<Generator>& generator, const Tensor& self) {
  if (!generator) return default_generator(self.device());
  STRUCTURED_CHECK(generator->device().type() == self.device().type(), op, ": expected a generator for device `",
                   self.device(), "`, got one for `", generator->device(), "`");
  return *generator;
}

__device__ __forceinline__ std::uint64_t word64(const PhiloxBlock& block, int index) {
  return std::uint64_t{block.words[2 * index + 1]} << 32 | block.words[2 * index];
}

template <class T>
inline constexpr bool kIsWide = std::is_same_v<T, double>;
template <class T>
inline constexpr int kPerBlock = kIsWide<T> ? 2 : 4;
template <class T>
using Computed = std::conditional_t<kIsWide<T>, double, float>;

/// Uniform numbers in [from, to), from multiples of the spacing of T just below 1.
template <class T, int kDigits>
struct Uniform {
  using Compute = Computed<T>;
  Generator::Range range;
  T* to;
  std::int64_t count;
  Compute base;
  Compute scale;
  Compute end;
  __device__ void operator()(std::int64_t block_number) const {
    const PhiloxBlock block = philox(range.seed, range.first + static_cast<std::uint64_t>(block_number));
#pragma unroll
    for (int i = 0; i < kPerBlock<T>; ++i) {
      const std::int64_t place = block_number * kPerBlock<T> + i;
      if (place >= count) return;
      Compute unit;
      if constexpr (kIsWide<T>) {
        unit = static_cast<double>(word64(block, i) >> (64 - kDigits)) * 0x1p-53;
      } else {
        unit = static_cast<float>(block.words[i] >> (32 - kDigits)) / static_cast<float>(std::uint32_t{1} << kDigits);
      }
      const T value = cuda::detail::converted<T>(unit * scale + base);
      const bool is_below = cuda::detail::converted<Compute>(value) < end;  // not rounded up to the end
      to[place] = is_below ? value : cuda::detail::converted<T>(base);
    }
  }
};

/// Normal numbers by G. E. P. Box and M. E. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
template <class T>
struct Normal {
  using Compute = Computed<T>;
  Generator::Range range;
  T* to;
  std::int64_t count;
  Compute mean;
  Compute deviation;
  __device__ void operator()(std::int64_t block_number) const {
    const PhiloxBlock block = philox(range.seed, range.first + static_cast<std::uint64_t>(block_number));
#pragma unroll
    for (int i = 0; i < kPerBlock<T>; i += 2) {
      Compute radius;
      Compute angle;
      if constexpr (kIsWide<T>) {
        radius = 1 - static_cast<double>(word64(block, 0) >> 11) * 0x1p-53;  // in (0, 1]
        angle = static_cast<double>(word64(block, 1) >> 11) * 0x1p-53;
      } else {
        radius = (static_cast<float>(block.words[i]) + 0.5f) * 0x1p-32f;
        angle = static_cast<float>(block.words[i + 1]) * 0x1p-32f;
      }
      radius = ::sqrt(-2 * ::log(radius < Compute(1) ? radius : Compute(1))) * deviation;
      angle *= 2 * std::numbers::pi_v<Compute>;
      const std::int64_t place = block_number * kPerBlock<T> + i;
      if (place < count) to[place] = cuda::detail::converted<T>(radius * ::cos(angle) + mean);
      if (place + 1 < count) to[place + 1] = cuda::detail::converted<T>(radius * ::sin(angle) + mean);
    }
  }
};

/// Truth values with a probability, or with one for each element.
struct Bernoulli {
  Generator::Range range;
  bool* to;
  std::int64_t count;
  double probability;
  const double* probabilities;  ///< may be null
  cuda::FaultReporter reporter;
  const char* text;
  __device__ void operator()(std::int64_t block_number) const {
    const PhiloxBlock block = philox(range.seed, range.first + static_cast<std::uint64_t>(block_number));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::int64_t place = 4 * block_number + i;
      if (place >= count) return;
      const double p = probabilities == nullptr ? probability : probabilities[place];
      if (!(p >= 0 && p <= 1)) reporter.report(text);
      to[place] = block.words[i] * 0x1p-32 < p;
    }
  }
};

/// Integers from `from` on, below `bound` numbers (0: all 2^64): D. Lemire, "Fast Random Integer Generation in an
/// Interval", 2019.
struct Integers {
  Generator::Range range;
  std::int64_t* to;
  std::int64_t count;
  std::int64_t from;
  std::uint64_t bound;
  __device__ void operator()(std::int64_t block_number) const {
    const PhiloxBlock block = philox(range.seed, range.first + static_cast<std::uint64_t>(block_number));
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const std::int64_t place = 2 * block_number + i;
      if (place >= count) return;
      const std::uint64_t bits = word64(block, i);
      const std::uint64_t step = bound == 0 ? bits : __umul64hi(bits, bound);
      to[place] = static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + step);
    }
  }
};

std::int64_t blocks_of(std::int64_t count, int per_block) { return count / per_block + (count % per_block != 0); }

// Calls `fill` with a contiguous tensor of `dtype` that is `self` or is copied to it.
template <class Fill>
void fill_as(const Tensor& self, ScalarType dtype, const Fill& fill) {
  assert_no_internal_overlap(self);
  if (self.numel() == 0) return;
  const DeviceGuard guard(self.device());
  const Tensor dense = writable(self, dtype);
  fill(dense);
  store(self, dense);
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

void fill_bernoulli(const Tensor& self, const std::optional<Generator>& generator, double p, const Tensor& each) {
  static constexpr char kText[] = "expected probabilities from 0 to 1";
  visit<kRandomTypes>("bernoulli_", self.scalar_type(), [&]<class T>() {});
  fill_as(self, kBool, [&](const Tensor& dense) {
    const std::int64_t blocks = blocks_of(dense.numel(), 4);
    const Generator::Range range =
        generator_for("bernoulli_", generator, self).reserve(static_cast<std::uint64_t>(blocks));
    for_each_element(blocks, Bernoulli{range, dense.data_ptr<bool>(), dense.numel(), p,
                                       each.defined() ? each.data_ptr<double>() : nullptr,
                                       cuda::fault_reporter("bernoulli_"), kText});
  });
}

}  // namespace

[[structured::kernel("uniform_", "CUDA")]]
Tensor& uniform_cuda_(Tensor& self, double from, double to, std::optional<Generator> generator) {
  STRUCTURED_CHECK(from <= to, "uniform_: expected `from` <= `to`, got ", from, " and ", to);
  fill_reals("uniform_", self, [&]<class T>(T* data, std::int64_t count) {
    using Compute = Computed<T>;
    const auto limit = static_cast<double>(std::numeric_limits<T>::max());
    STRUCTURED_CHECK(-limit <= from && to <= limit && to - from <= limit,
                     "uniform_: expected bounds whose difference dtype `", scalar_type_of<T>, "` can hold, got ", from,
                     " and ", to);
    const std::int64_t blocks = blocks_of(count, kPerBlock<T>);
    const Generator::Range range =
        generator_for("uniform_", generator, self).reserve(static_cast<std::uint64_t>(blocks));
    for_each_element(
        blocks, Uniform<T, std::numeric_limits<T>::digits>{range, data, count, static_cast<Compute>(from),
                                                           static_cast<Compute>(to - from), static_cast<Compute>(to)});
  });
  return self;
}

[[structured::kernel("normal_", "CUDA")]]
Tensor& normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  STRUCTURED_CHECK(std >= 0, "normal_: expected a standard deviation of 0 or more, got ", std);
  const double deviation = self.is_complex() ? std / std::numbers::sqrt2 : std;
  fill_reals("normal_", self, [&]<class T>(T* data, std::int64_t count) {
    using Compute = Computed<T>;
    const std::int64_t blocks = blocks_of(count, kPerBlock<T>);
    const Generator::Range range =
        generator_for("normal_", generator, self).reserve(static_cast<std::uint64_t>(blocks));
    for_each_element(blocks,
                     Normal<T>{range, data, count, static_cast<Compute>(mean), static_cast<Compute>(deviation)});
  });
  return self;
}

[[structured::kernel("bernoulli_.float", "CUDA")]]
Tensor& bernoulli_cuda_(Tensor& self, double p, std::optional<Generator> generator) {
  STRUCTURED_CHECK(p >= 0 && p <= 1, "bernoulli_: expected a probability from 0 to 1, got ", p);
  fill_bernoulli(self, generator, p, Tensor());
  return self;
}

[[structured::kernel("bernoulli_.Tensor", "CUDA")]]
Tensor& bernoulli_tensor_cuda_(Tensor& self, const Tensor& p, std::optional<Generator> generator) {
  STRUCTURED_CHECK(is_floating(p.scalar_type()), "bernoulli_: expected probabilities of a floating dtype, got `",
                   p.scalar_type(), "`");
  const Tensor expanded = structured::expand(p, self.sizes());
  const Tensor each = empty(self.sizes(), self.options().dtype(kDouble));
  copy_into(each, expanded);
  fill_bernoulli(self, generator, 0, each);
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
    const std::uint64_t bound = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(from) + 1;
    fill_as(self, kLong, [&](const Tensor& dense) {
      const std::int64_t blocks = blocks_of(dense.numel(), 2);
      const Generator::Range range =
          generator_for("random_", generator, self).reserve(static_cast<std::uint64_t>(blocks));
      for_each_element(blocks, Integers{range, dense.data_ptr<std::int64_t>(), dense.numel(), from, bound});
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
  // The order of random keys of 64 bits.
  const DeviceGuard guard(out.device());
  const Tensor keys = empty(sizes, out.options().dtype(kLong));
  const std::int64_t blocks = blocks_of(n, 2);
  const Generator::Range range = generator_for("randperm", generator, out).reserve(static_cast<std::uint64_t>(blocks));
  for_each_element(blocks, Integers{range, keys.data_ptr<std::int64_t>(), n, 0, 0});
  copy_into(out, std::get<1>(structured::sort(keys)));
  return out;
}

}  // namespace structured::kernels
