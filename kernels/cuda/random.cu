// Distributions of random numbers on CUDA: for a seed the numbers of PyTorch 2.13
// (ATen/native/cuda/DistributionTemplates.h). Elements are counted in the order of memory.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/guards.h>
#include <structured/kernel/overlap.h>
#include <structured/number/visit.h>
#include <structured/ops/expand.h>
#include <structured/ops/permute.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "cuda/element_loop.cuh"
#include "cuda/random_numbers.cuh"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

using cuda::detail::converted;

constexpr ScalarTypeSet kRandomTypes = kIntegralTypes | kBool | kAllFloatingTypes;

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

// Dimensions in the order of memory.
DimVector memory_order(const Tensor& tensor) {
  DimVector order(static_cast<std::size_t>(tensor.dim()), 0);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
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

/// Truth values with a probability each: a thread sets four neighbours.
template <class C>
struct BernoulliEach {
  Generator::Range range;
  bool* to;
  int64_t count;
  const C* probabilities;
  cuda::FaultReporter reporter;
  const char* text;
  __device__ void operator()(int64_t thread) const {
    const PhiloxBlock block = philox(range.seed, range.first, static_cast<uint64_t>(thread));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int64_t at = 4 * thread + i;
      if (at >= count) return;
      const C p = probabilities[at];
      if (!(p >= 0 && p <= 1)) reporter.report(text);
      to[at] = unit_number(block.words[i]) <= p;
    }
  }
};

}  // namespace

[[structured::kernel("uniform_", "CUDA")]]
Tensor& uniform_cuda_(Tensor& self, double from, double to, std::optional<Generator> generator) {
  STRUCTURED_CHECK(from <= to, "uniform_: expected `from` <= `to`, got ", from, " and ", to);
  fill_reals("uniform_", self, [&]<class T>(T* data, int64_t count) {
    using C = Computed<T>;
    const auto limit = static_cast<double>(std::numeric_limits<T>::max());
    STRUCTURED_CHECK(-limit <= from && to <= limit && to - from <= limit,
                     "uniform_: expected bounds whose difference dtype `", scalar_type_of<T>, "` can hold, got ", from,
                     " and ", to);
    const T first(static_cast<C>(from));
    const T last(static_cast<C>(to));
    const C range = static_cast<C>(T(static_cast<C>(last) - static_cast<C>(first)));
    draw_numbers<UniformNumbers<C>>(generator_for("uniform_", generator, self), data, count,
                                    Between<T, C>{first, last, range});
  });
  return self;
}

[[structured::kernel("normal_", "CUDA")]]
Tensor& normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  STRUCTURED_CHECK(std >= 0, "normal_: expected a standard deviation of 0 or more, got ", std);
  const double deviation = self.is_complex() ? std / std::numbers::sqrt2 : std;
  fill_reals("normal_", self, [&]<class T>(T* data, int64_t count) {
    using C = Computed<T>;
    draw_numbers<NormalNumbers<C>>(generator_for("normal_", generator, self), data, count,
                                   Scaled<T, C>{static_cast<C>(mean), static_cast<C>(deviation)});
  });
  return self;
}

[[structured::kernel("exponential_", "CUDA")]]
Tensor& exponential_cuda_(Tensor& self, double lambd, std::optional<Generator> generator) {
  STRUCTURED_CHECK(lambd > 0, "exponential_: expected a positive `lambd`, got ", lambd);
  fill_computed("exponential_", self, kAllFloatingTypes, [&]<class C>(C* data, int64_t count) {
    draw_numbers<UniformNumbers<C>>(generator_for("exponential_", generator, self), data, count,
                                    Exponential<C>{static_cast<C>(lambd)});
  });
  return self;
}

[[structured::kernel("cauchy_", "CUDA")]]
Tensor& cauchy_cuda_(Tensor& self, double median, double sigma, std::optional<Generator> generator) {
  STRUCTURED_CHECK(sigma > 0, "cauchy_: expected a positive `sigma`, got ", sigma);
  fill_computed("cauchy_", self, kAllFloatingTypes, [&]<class C>(C* data, int64_t count) {
    draw_numbers<UniformNumbers<C>>(generator_for("cauchy_", generator, self), data, count,
                                    Cauchy<C>{static_cast<C>(median), static_cast<C>(sigma)});
  });
  return self;
}

[[structured::kernel("geometric_", "CUDA")]]
Tensor& geometric_cuda_(Tensor& self, double p, std::optional<Generator> generator) {
  STRUCTURED_CHECK(p > 0 && p < 1, "geometric_: expected `p` between 0 and 1, got ", p);
  fill_computed("geometric_", self, kIntegralTypes | kAllFloatingTypes, [&]<class C>(C* data, int64_t count) {
    draw_numbers<UniformNumbers<C>>(generator_for("geometric_", generator, self), data, count,
                                    Geometric<C>{static_cast<C>(p)});
  });
  return self;
}

[[structured::kernel("log_normal_", "CUDA")]]
Tensor& log_normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  STRUCTURED_CHECK(std > 0, "log_normal_: expected a positive `std`, got ", std);
  fill_computed("log_normal_", self, kAllFloatingTypes, [&]<class C>(C* data, int64_t count) {
    draw_numbers<NormalNumbers<C>>(generator_for("log_normal_", generator, self), data, count,
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
      draw_numbers<UniformNumbers<double>>(drawn_from, data, dense.numel(), IsBelow<double>{p});
    } else {
      draw_numbers<UniformNumbers<float>>(drawn_from, data, dense.numel(), IsBelow<float>{static_cast<float>(p)});
    }
  });
  return self;
}

[[structured::kernel("bernoulli_.Tensor", "CUDA")]]
Tensor& bernoulli_tensor_cuda_(Tensor& self, const Tensor& p, std::optional<Generator> generator) {
  static constexpr char kText[] = "expected probabilities from 0 to 1";
  constexpr uint64_t reserved = 3;  // as PyTorch reserves; a block is used
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
Tensor& random_cuda_(Tensor& self, int64_t from, std::optional<int64_t> to, std::optional<Generator> generator) {
  visit<kRandomTypes>("random_", self.scalar_type(), [&]<class T>() {
    // Greatest integer up to which T represents all integers.
    using Limits = std::numeric_limits<T>;
    constexpr int64_t most = Limits::is_integer ? static_cast<int64_t>(Limits::max())
                                                : static_cast<int64_t>(uint64_t{1} << std::min(Limits::digits, 62));
    constexpr int64_t least = Limits::is_integer ? static_cast<int64_t>(Limits::min()) : -most;
    const int64_t last = to ? *to - (*to != INT64_MIN) : most;
    STRUCTURED_CHECK(!to || from < *to, "random_: expected `from` < `to`, got ", from, " and ", to.value_or(0));
    STRUCTURED_CHECK(least <= from && last <= most, "random_: expected bounds from ", least, " to ", most,
                     ", which dtype `", self.scalar_type(), "` can hold, got ", from, " and ", last);
    // A range of all 2^64 numbers has a count of 0.
    const uint64_t count = static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1;
    fill_as(self, kLong, [&](const Tensor& dense) {
      const Generator drawn_from = generator_for("random_", generator, self);
      auto* const data = dense.data_ptr<int64_t>();
      if (count != 0 && count < uint64_t{1} << 28) {
        draw_numbers<RandomWords<uint32_t>>(drawn_from, data, dense.numel(), RandomInteger{count, from});
      } else {
        draw_numbers<RandomWords<uint64_t>>(drawn_from, data, dense.numel(), RandomInteger{count, from});
      }
    });
  });
  return self;
}

}  // namespace structured::kernels
