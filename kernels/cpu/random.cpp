// Random numbers. Every element has its own position in the generator's sequence, so that results depend neither on the
// number of threads nor on strides.
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/iterator/parallel.h>
#include <structured/kernel/overlap.h>
#include <structured/kernel/resize.h>
#include <structured/number/convert.h>
#include <structured/number/philox.h>
#include <structured/number/visit.h>
#include <structured/ops/expand.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kRealFloatingTypes = kFloatingTypes | kHalf | kBFloat16;

Generator generator_for(const char* op, const std::optional<Generator>& generator, const Tensor& self) {
  if (!generator) {
    return default_generator(self.device());
  }
  STRUCTURED_CHECK(generator->device().type() == self.device().type(), op, ": expected a generator for device `",
                   self.device(), "`, got one for `", generator->device(), "`");
  return *generator;
}

uint64_t word64(const PhiloxBlock& block, int index) {
  return uint64_t{block.words[2 * index + 1]} << 32 | block.words[2 * index];
}

// Uniform numbers in [0, 1): multiples of the spacing of T just below 1, so that conversion never rounds up to 1.
template <class T>
struct UnitInterval {
  static constexpr int digits = std::numeric_limits<T>::digits;
  static constexpr bool is_wide = digits > 24;
  static constexpr int per_block = is_wide ? 2 : 4;
  using Compute = std::conditional_t<is_wide, double, float>;

  static Compute get(const PhiloxBlock& block, int index) {
    if constexpr (is_wide) {
      return static_cast<double>(word64(block, index) >> (64 - digits)) * 0x1p-53;
    } else {
      return static_cast<float>(block.words[index] >> (32 - digits)) / static_cast<float>(uint32_t{1} << digits);
    }
  }
};

// Sets elements [i * PerBlock, (i + 1) * PerBlock) of `data` to the `values` that `make(block i, values)` stores.
template <int PerBlock, class T, class Make>
void fill_from_blocks(T* data, int64_t count, const Generator& generator, const Make& make) {
  const int64_t blocks = count / PerBlock + (count % PerBlock != 0);
  const Generator::Range range = generator.reserve(static_cast<uint64_t>(blocks));
  parallel_for(0, blocks, kGrainSize / 16, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      T values[PerBlock];
      make(philox(range.seed, range.first + static_cast<uint64_t>(i)), values);
      std::copy_n(values, std::min<int64_t>(PerBlock, count - i * PerBlock), data + i * PerBlock);
    }
  });
}

// Calls `fill` with `self` if it is contiguous, otherwise with a temporary that is copied to it.
template <class Fill>
void fill_contiguous(const Tensor& self, const Fill& fill) {
  assert_no_internal_overlap(self);
  if (self.is_meta() || self.numel() == 0) {
    return;
  }
  if (self.is_contiguous()) {
    return fill(self);
  }
  const Tensor dense = empty(self.sizes(), self.options());
  fill(dense);
  copy_into(self, dense);
}

// Calls `fill.operator()<T>(data, count)` with real numbers; complex elements are pairs of them.
template <class Fill>
void fill_reals(const char* op, const Tensor& self, const Fill& fill) {
  constexpr ScalarTypeSet types = kRealFloatingTypes | kComplexFloat | kComplexDouble;
  visit<types>(op, self.scalar_type(), [&]<class T>() {
    fill_contiguous(self, [&](const Tensor& dense) {
      if constexpr (requires { typename T::value_type; }) {
        using Part = typename T::value_type;
        fill.template operator()<Part>(static_cast<Part*>(dense.impl()->data()), 2 * dense.numel());
      } else {
        fill.template operator()<T>(dense.data_ptr<T>(), dense.numel());
      }
    });
  });
}

void check_probability(const char* op, double p) {
  STRUCTURED_CHECK(p >= 0 && p <= 1, op, ": expected a probability from 0 to 1, got ", p);
}

constexpr ScalarTypeSet kBernoulliTypes = kIntegralTypes | kBool | kRealFloatingTypes;

// Sets element i to 1 if its random number is below `probability(i)`, otherwise to 0.
template <class Probability>
void fill_bernoulli(const char* op, const Tensor& self, const Generator& generator, const Probability& probability) {
  visit<kBernoulliTypes>(op, self.scalar_type(), [&]<class T>() {
    fill_contiguous(self, [&](const Tensor& dense) {
      const int64_t count = dense.numel();
      const int64_t blocks = count / 4 + (count % 4 != 0);
      const Generator::Range range = generator.reserve(static_cast<uint64_t>(blocks));
      T* const data = dense.data_ptr<T>();
      parallel_for(0, blocks, kGrainSize / 16, [&](int64_t first, int64_t last) {
        for (int64_t b = first; b < last; ++b) {
          const PhiloxBlock block = philox(range.seed, range.first + static_cast<uint64_t>(b));
          for (int64_t i = 4 * b; i < std::min(4 * b + 4, count); ++i) {
            data[i] = convert<T>(block.words[i - 4 * b] * 0x1p-32 < probability(i));
          }
        }
      });
    });
  });
}

// Returns a number below `bound` from 64 random bits, the upper half of the product of `bits` and `bound`: D. Lemire,
// "Fast Random Integer Generation in an Interval", 2019. The bias, which rejection would remove, is below bound / 2^64.
uint64_t below(uint64_t bits, uint64_t bound) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(bits) * bound >> 64);
}

}  // namespace

/// Fills `self` with samples from the uniform distribution on [`from`, `to`). Real and imaginary parts of complex
/// numbers are sampled independently. Floating-point and complex dtypes only.
[[structured::kernel("uniform_", "CPU", "Meta"), structured::variants("uniform", "uniform.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& uniform_(Tensor& self, double from = 0, double to = 1,
                 [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(from <= to, "uniform_: expected `from` <= `to`, got ", from, " and ", to);
  fill_reals("uniform_", self, [&]<class T>(T* data, int64_t count) {
    using Unit = UnitInterval<T>;
    using Compute = typename Unit::Compute;
    const double limit = static_cast<double>(std::numeric_limits<T>::max());
    STRUCTURED_CHECK(-limit <= from && to <= limit && to - from <= limit,
                     "uniform_: expected bounds whose difference dtype `", scalar_type_of<T>, "` can hold, got ", from,
                     " and ", to);
    const auto base = static_cast<Compute>(from);
    const auto scale = static_cast<Compute>(to - from);
    const T end(static_cast<Compute>(to));
    fill_from_blocks<Unit::per_block>(data, count, generator_for("uniform_", generator, self),
                                      [=](const PhiloxBlock& block, T* values) {
                                        for (int i = 0; i < Unit::per_block; ++i) {
                                          const T value(Unit::get(block, i) * scale + base);
                                          values[i] = value < end ? value : T(base);  // rounded up to the end
                                        }
                                      });
  });
  return self;
}

/// Fills `self` with samples from the normal distribution with mean `mean` and standard deviation `std`. Real and
/// imaginary parts of complex numbers are independent, each with mean `mean` and standard deviation `std` / sqrt(2).
/// Floating-point and complex dtypes only. Source: G. E. P. Box and M. E. Muller, "A Note on the Generation of Random
/// Normal Deviates", 1958.
[[structured::kernel("normal_", "CPU", "Meta"), structured::variants("normal_functional", "normal.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& normal_(Tensor& self, double mean = 0, double std = 1,
                [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(std >= 0, "normal_: expected a standard deviation of 0 or more, got ", std);
  if (is_complex(self.scalar_type())) {
    std /= std::numbers::sqrt2;
  }
  fill_reals("normal_", self, [&]<class T>(T* data, int64_t count) {
    constexpr int per_block = UnitInterval<T>::per_block;
    using Compute = typename UnitInterval<T>::Compute;
    fill_from_blocks<per_block>(
        data, count, generator_for("normal_", generator, self), [=](const PhiloxBlock& block, T* values) {
          for (int i = 0; i < per_block; i += 2) {
            Compute radius, angle;
            if constexpr (per_block == 2) {
              radius = 1 - static_cast<double>(word64(block, 0) >> 11) * 0x1p-53;  // in (0, 1]
              angle = static_cast<double>(word64(block, 1) >> 11) * 0x1p-53;
            } else {
              radius = (static_cast<Compute>(block.words[i]) + Compute{0.5}) * Compute{0x1p-32};
              angle = static_cast<Compute>(block.words[i + 1]) * Compute{0x1p-32};
            }
            radius = std::sqrt(-2 * std::log(std::min(radius, Compute{1}))) * static_cast<Compute>(std);
            angle *= 2 * std::numbers::pi_v<Compute>;
            values[i] = T(radius * std::cos(angle) + static_cast<Compute>(mean));
            values[i + 1] = T(radius * std::sin(angle) + static_cast<Compute>(mean));
          }
        });
  });
  return self;
}

/// Fills `self` with samples that are 1 with probability `p`, otherwise 0. Complex dtypes are not supported.
[[structured::kernel("bernoulli_.float", "CPU", "Meta"), structured::tags("nondeterministic_seeded")]]
Tensor& bernoulli_(Tensor& self, double p = 0.5,
                   [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  check_probability("bernoulli_", p);
  if (!self.is_meta()) {
    fill_bernoulli("bernoulli_", self, generator_for("bernoulli_", generator, self), [p](int64_t) { return p; });
  }
  return self;
}

/// Fills `self` with samples that are 1 with the probability given by `p`, otherwise 0. `p` is floating-point, with
/// elements in [0, 1], and broadcast to `self`. Complex dtypes are not supported for `self`.
[[structured::kernel("bernoulli_.Tensor", "CPU", "Meta"),
  structured::variants("bernoulli.Tensor", "bernoulli.Tensor_out"), structured::tags("nondeterministic_seeded")]]
Tensor& bernoulli_tensor_(Tensor& self, const Tensor& p,
                          [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(is_floating(p.scalar_type()), "bernoulli_: expected probabilities of a floating dtype, got `",
                   p.scalar_type(), "`");
  const Tensor expanded = structured::expand(p, self.sizes());
  if (self.is_meta()) {
    return self;
  }
  const Tensor probabilities = empty(self.sizes(), expanded.options().dtype(kDouble));
  copy_into(probabilities, expanded);
  const double* const values = probabilities.data_ptr<double>();
  for (int64_t i = 0; i < probabilities.numel(); ++i) {
    check_probability("bernoulli_", values[i]);
  }
  fill_bernoulli("bernoulli_", self, generator_for("bernoulli_", generator, self),
                 [values](int64_t i) { return values[i]; });
  return self;
}

/// Fills `self` with integers drawn uniformly from [`from`, `to`). Without `to`, the largest value is the maximum of an
/// integer dtype, or the largest number up to which a floating-point dtype represents all integers. Complex dtypes are
/// not supported.
[[structured::kernel("random_.from", "CPU", "Meta"), structured::variants("random.from", "random.from_out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& random_(Tensor& self, int64_t from, std::optional<int64_t> to,
                [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  constexpr ScalarTypeSet types = kBernoulliTypes;
  visit<types>("random_", self.scalar_type(), [&]<class T>() {
    // Greatest integer up to which T represents all integers.
    constexpr int64_t most = std::numeric_limits<T>::is_integer
                                 ? static_cast<int64_t>(std::numeric_limits<T>::max())
                                 : static_cast<int64_t>((uint64_t{1} << std::min(std::numeric_limits<T>::digits, 62)));
    constexpr int64_t least =
        std::numeric_limits<T>::is_integer ? static_cast<int64_t>(std::numeric_limits<T>::min()) : -most;
    const int64_t last = to ? *to - (*to != INT64_MIN) : most;
    STRUCTURED_CHECK(!to || from < *to, "random_: expected `from` < `to`, got ", from, " and ", to.value_or(0));
    STRUCTURED_CHECK(least <= from && last <= most, "random_: expected bounds from ", least, " to ", most,
                     ", which dtype `", self.scalar_type(), "` can hold, got ", from, " and ", last);
    // A range of all 2^64 numbers has a count of 0.
    const uint64_t count = static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1;
    fill_contiguous(self, [&](const Tensor& dense) {
      fill_from_blocks<2>(dense.data_ptr<T>(), dense.numel(), generator_for("random_", generator, self),
                          [=](const PhiloxBlock& block, T* values) {
                            for (int i = 0; i < 2; ++i) {
                              const uint64_t bits = word64(block, i);
                              const uint64_t step = count == 0 ? bits : below(bits, count);
                              values[i] = convert<T>(static_cast<int64_t>(static_cast<uint64_t>(from) + step));
                            }
                          });
    });
  });
  return self;
}

/// Writes a random permutation of the integers 0 to `n` - 1, drawn from `generator`, to `out`, which is resized to [n].
/// Bool and complex dtypes are not supported. Algorithm: Fisher-Yates shuffle.
[[structured::kernel("randperm.generator_out", "CPU", "Meta"), structured::tags("nondeterministic_seeded")]]
Tensor& randperm_generator_out(int64_t n, [[structured::kwonly]] std::optional<Generator> generator, Tensor& out) {
  STRUCTURED_CHECK(n >= 0, "randperm: expected a number of 0 or more, got ", n);
  const int64_t sizes[] = {n};
  resize_output(out, sizes);
  visit<kIntegralTypes | kRealFloatingTypes>("randperm", out.scalar_type(), [&]<class T>() {
    const double most = std::numeric_limits<T>::is_integer ? static_cast<double>(std::numeric_limits<T>::max())
                                                           : std::ldexp(1.0, std::numeric_limits<T>::digits);
    STRUCTURED_CHECK(n == 0 || static_cast<double>(n - 1) <= most, "randperm: expected a number that dtype `",
                     out.scalar_type(), "` can count to, got ", n);
    fill_contiguous(out, [&](const Tensor& dense) {
      T* const data = dense.data_ptr<T>();
      for (int64_t i = 0; i < n; ++i) {
        data[i] = convert<T>(i);
      }
      const Generator::Range range = generator_for("randperm", generator, out).reserve(static_cast<uint64_t>(n));
      for (int64_t i = n - 1; i > 0; --i) {
        const PhiloxBlock block = philox(range.seed, range.first + static_cast<uint64_t>(i));
        std::swap(data[i], data[below(word64(block, 0), static_cast<uint64_t>(i) + 1)]);
      }
    });
  });
  return out;
}

}  // namespace structured::kernels
