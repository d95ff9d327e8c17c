// Factories of random tensors, for every backend that implements the in-place samplers.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/shape.h>
#include <structured/kernel/resize.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/add.h>
#include <structured/ops/amax.h>
#include <structured/ops/amin.h>
#include <structured/ops/bernoulli.h>
#include <structured/ops/ceil.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/copy.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/div.h>
#include <structured/ops/empty.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/exp.h>
#include <structured/ops/exponential.h>
#include <structured/ops/log1p.h>
#include <structured/ops/mul.h>
#include <structured/ops/multinomial.h>
#include <structured/ops/neg.h>
#include <structured/ops/normal.h>
#include <structured/ops/random.h>
#include <structured/ops/randperm.h>
#include <structured/ops/searchsorted.h>
#include <structured/ops/slice.h>
#include <structured/ops/sub.h>
#include <structured/ops/tan.h>
#include <structured/ops/to.h>
#include <structured/ops/topk.h>
#include <structured/ops/uniform.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <tuple>

#include "composite/store_result.h"

namespace structured::kernels {
namespace {

// Uniform samples in [0, 1) for the elements of `self`, in Double if `self` is not of a dtype of at least 32 bits.
Tensor uniform_samples(const char* name, const Tensor& self, ScalarTypeSet types,
                       const std::optional<Generator>& generator) {
  check_dtype(name, self.scalar_type(), types);
  Tensor samples = empty(self.sizes(), self.options().dtype(self.scalar_type() == kFloat ? kFloat : kDouble));
  return structured::uniform_(samples, 0, 1, generator);
}

}  // namespace

/// Tensor of shape `size` with samples from the uniform distribution on [0, 1), drawn from `generator`. `dtype` is
/// floating-point or complex and defaults to the default dtype.
[[structured::kernel("rand.generator", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor rand_generator(IntArrayRef size, [[structured::kwonly]] std::optional<Generator> generator,
                      std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt,
                      std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::uniform_(result, 0, 1, generator);
}

/// Tensor of shape `size` with samples from the uniform distribution on [0, 1). `dtype` is floating-point or complex
/// and defaults to the default dtype.
[[structured::kernel("rand", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor rand(IntArrayRef size, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
            std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
            std::optional<bool> pin_memory = std::nullopt) {
  return rand_generator(size, std::nullopt, dtype, layout, device, pin_memory);
}

/// Resizes `out` to shape `size` and fills it with samples from the uniform distribution on [0, 1), drawn from
/// `generator`. Floating-point and complex dtypes only.
[[structured::kernel("rand.generator_out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor& rand_generator_out(IntArrayRef size, [[structured::kwonly]] std::optional<Generator> generator, Tensor& out) {
  resize_output(out, size);
  return structured::uniform_(out, 0, 1, generator);
}

/// Resizes `out` to shape `size` and fills it with samples from the uniform distribution on [0, 1). Floating-point and
/// complex dtypes only.
[[structured::kernel("rand.out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor& rand_out(IntArrayRef size, Tensor& out) {
  return rand_generator_out(size, std::nullopt, out);
}

/// Tensor of shape `size` with samples from the standard normal distribution, drawn from `generator`. `dtype` is
/// floating-point or complex and defaults to the default dtype.
[[structured::kernel("randn.generator", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor randn_generator(IntArrayRef size, [[structured::kwonly]] std::optional<Generator> generator,
                       std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt,
                       std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::normal_(result, 0, 1, generator);
}

/// Tensor of shape `size` with samples from the standard normal distribution. `dtype` is floating-point or complex and
/// defaults to the default dtype.
[[structured::kernel("randn", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor randn(IntArrayRef size, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
             std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
             std::optional<bool> pin_memory = std::nullopt) {
  return randn_generator(size, std::nullopt, dtype, layout, device, pin_memory);
}

/// Resizes `out` to shape `size` and fills it with samples from the standard normal distribution, drawn from
/// `generator`. Floating-point and complex dtypes only.
[[structured::kernel("randn.generator_out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor& randn_generator_out(IntArrayRef size, [[structured::kwonly]] std::optional<Generator> generator, Tensor& out) {
  resize_output(out, size);
  return structured::normal_(out, 0, 1, generator);
}

/// Resizes `out` to shape `size` and fills it with samples from the standard normal distribution. Floating-point and
/// complex dtypes only.
[[structured::kernel("randn.out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor& randn_out(IntArrayRef size, Tensor& out) {
  return randn_generator_out(size, std::nullopt, out);
}

/// Tensor of shape `size` with integers drawn uniformly from [`low`, `high`) by `generator`. `dtype` defaults to Long;
/// complex dtypes are not supported.
[[structured::kernel("randint.low_generator", "CompositeExplicitAutograd"),
  structured::variants("randint.low_generator_out"), structured::tags("nondeterministic_seeded")]]
Tensor randint_low_generator(int64_t low, int64_t high, IntArrayRef size,
                             [[structured::kwonly]] std::optional<Generator> generator,
                             std::optional<ScalarType> dtype = kLong, std::optional<Layout> layout = std::nullopt,
                             std::optional<Device> device = std::nullopt,
                             std::optional<bool> pin_memory = std::nullopt) {
  STRUCTURED_CHECK(low < high, "randint: expected `low` < `high`, got ", low, " and ", high);
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::random_(result, low, high, generator);
}

/// Tensor of shape `size` with integers drawn uniformly from [`low`, `high`). `dtype` defaults to Long; complex dtypes
/// are not supported.
[[structured::kernel("randint.low", "CompositeExplicitAutograd"), structured::variants("randint.low_out"),
  structured::tags("nondeterministic_seeded")]]
Tensor randint_low(int64_t low, int64_t high, IntArrayRef size,
                   [[structured::kwonly]] std::optional<ScalarType> dtype = kLong,
                   std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                   std::optional<bool> pin_memory = std::nullopt) {
  return randint_low_generator(low, high, size, std::nullopt, dtype, layout, device, pin_memory);
}

/// Tensor of shape `size` with integers drawn uniformly from [0, `high`) by `generator`. `dtype` defaults to Long;
/// complex dtypes are not supported.
[[structured::kernel("randint.generator", "CompositeExplicitAutograd"), structured::variants("randint.generator_out"),
  structured::tags("nondeterministic_seeded")]]
Tensor randint_generator(int64_t high, IntArrayRef size, [[structured::kwonly]] std::optional<Generator> generator,
                         std::optional<ScalarType> dtype = kLong, std::optional<Layout> layout = std::nullopt,
                         std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) {
  return randint_low_generator(0, high, size, generator, dtype, layout, device, pin_memory);
}

/// Tensor of shape `size` with integers drawn uniformly from [0, `high`). `dtype` defaults to Long; complex dtypes are
/// not supported.
[[structured::kernel("randint", "CompositeExplicitAutograd"), structured::variants("randint.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor randint(int64_t high, IntArrayRef size, [[structured::kwonly]] std::optional<ScalarType> dtype = kLong,
               std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
               std::optional<bool> pin_memory = std::nullopt) {
  return randint_low_generator(0, high, size, std::nullopt, dtype, layout, device, pin_memory);
}

/// Random permutation of the integers 0 to `n` - 1, drawn from `generator`: [n]. `dtype` defaults to Long; Bool and
/// complex dtypes are not supported.
[[structured::kernel("randperm.generator", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor randperm_generator(int64_t n, [[structured::kwonly]] std::optional<Generator> generator,
                          std::optional<ScalarType> dtype = kLong, std::optional<Layout> layout = std::nullopt,
                          std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) {
  STRUCTURED_CHECK(n >= 0, "randperm: expected a number of 0 or more, got ", n);
  const int64_t sizes[] = {n};
  Tensor result = structured::empty(sizes, dtype, layout, device, pin_memory, std::nullopt);
  return structured::randperm_out(result, n, generator);
}

/// Random permutation of the integers 0 to `n` - 1: [n]. `dtype` defaults to Long; Bool and complex dtypes are not
/// supported.
[[structured::kernel("randperm", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor randperm(int64_t n, [[structured::kwonly]] std::optional<ScalarType> dtype = kLong,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  return randperm_generator(n, std::nullopt, dtype, layout, device, pin_memory);
}

/// Writes a random permutation of the integers 0 to `n` - 1 to `out`, which is resized to [n]. Bool and complex dtypes
/// are not supported.
[[structured::kernel("randperm.out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor& randperm_out(int64_t n, Tensor& out) {
  return structured::randperm_out(out, n, std::optional<Generator>());
}

/// Samples 1 with the probability given by each element of `self`, otherwise 0. The result has the shape and dtype of
/// `self`, which must be floating-point with elements in [0, 1].
[[structured::kernel("bernoulli", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor bernoulli(const Tensor& self, [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  Tensor result = structured::empty_like(self);
  return structured::bernoulli_(result, self, generator);
}

/// Samples 1 with the probability given by each element of `self`, otherwise 0, and writes the samples to `out`, which
/// is resized. `self` must be floating-point with elements in [0, 1].
[[structured::kernel("bernoulli.out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor& bernoulli_out(const Tensor& self,
                      [[structured::kwonly, structured::schema_default("None")]] std::optional<Generator> generator,
                      Tensor& out) {
  resize_output(out, self.sizes());
  return structured::bernoulli_(out, self, generator);
}

/// Samples 1 with probability `p`, otherwise 0, for each element of a tensor with the shape and dtype of `self`.
[[structured::kernel("bernoulli.p", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor bernoulli_p(const Tensor& self, double p,
                   [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  Tensor result = structured::empty_like(self);
  return structured::bernoulli_(result, p, generator);
}

/// Samples 1 with probability `p`, otherwise 0, for each element of `self`, and writes the samples to `out`, which is
/// resized.
[[structured::kernel("bernoulli.float_out", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded"),
  structured::no_cpp_default("p")]]
Tensor& bernoulli_float_out(const Tensor& self, [[structured::schema_default("0.5")]] double p,
                            [[structured::kwonly,
                              structured::schema_default("None")]] std::optional<Generator> generator,
                            Tensor& out) {
  resize_output(out, self.sizes());
  return structured::bernoulli_(out, p, generator);
}

/// Fills `self` with integers drawn uniformly from 0 to the maximum of an integer dtype, or to the largest number up to
/// which a floating-point dtype represents all integers. Complex dtypes are not supported.
[[structured::composite("random_"), structured::variants("random", "random.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& random_all(Tensor& self, [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  return structured::random_(self, 0, std::nullopt, generator);
}

/// Fills `self` with integers drawn uniformly from [0, `to`). Complex dtypes are not supported.
[[structured::composite("random_.to"), structured::variants("random.to", "random.to_out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& random_to(Tensor& self, int64_t to, [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  return structured::random_(self, 0, to, generator);
}

/// Fills `self` with samples from the exponential distribution with rate `lambd` > 0, whose mean is 1 / `lambd`.
/// Floating-point dtypes only.
[[structured::kernel("exponential_", "CompositeExplicitAutograd"),
  structured::variants("exponential", "exponential.out"), structured::tags("nondeterministic_seeded")]]
Tensor& exponential_(Tensor& self, double lambd = 1,
                     [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(lambd > 0, "exponential_: expected a positive `lambd`, got ", lambd);
  Tensor samples = uniform_samples("exponential_", self, kAllFloatingTypes, generator);
  structured::log1p_(structured::neg_(samples));
  return structured::copy_(self, structured::div_(samples, -lambd));
}

/// Fills `self` with samples from the Cauchy distribution with median `median` and scale `sigma` > 0. Floating-point
/// dtypes only.
[[structured::kernel("cauchy_", "CompositeExplicitAutograd"), structured::variants("cauchy", "cauchy.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& cauchy_(Tensor& self, double median = 0, double sigma = 1,
                [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(sigma > 0, "cauchy_: expected a positive `sigma`, got ", sigma);
  Tensor samples = uniform_samples("cauchy_", self, kAllFloatingTypes, generator);
  structured::tan_(structured::mul_(structured::sub_(samples, 0.5), std::numbers::pi));
  return structured::copy_(self, structured::add_(structured::mul_(samples, sigma), median));
}

/// Fills `self` with samples from the geometric distribution: the number of trials up to the first success, which has
/// probability `p` in (0, 1). Bool and complex dtypes are not supported.
[[structured::kernel("geometric_", "CompositeExplicitAutograd"), structured::variants("geometric", "geometric.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& geometric_(Tensor& self, double p, [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(p > 0 && p < 1, "geometric_: expected `p` between 0 and 1, got ", p);
  Tensor samples = uniform_samples("geometric_", self, kRealTypes, generator);
  structured::log1p_(structured::neg_(samples));
  structured::ceil_(structured::div_(samples, std::log1p(-p)));
  return structured::copy_(self, structured::clamp_min_(samples, 1));  // the sample of 0 is 1, too
}

/// Fills `self` with samples whose logarithms have the normal distribution with mean `mean` and standard deviation
/// `std` > 0. Floating-point dtypes only.
[[structured::kernel("log_normal_", "CompositeExplicitAutograd"), structured::variants("log_normal", "log_normal.out"),
  structured::tags("nondeterministic_seeded")]]
Tensor& log_normal_(Tensor& self, double mean = 1, double std = 2,
                    [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(std > 0, "log_normal_: expected a positive `std`, got ", std);
  check_dtype("log_normal_", self.scalar_type(), kAllFloatingTypes);
  structured::normal_(self, mean, std, generator);
  return structured::exp_(self);
}

/// Samples from normal distributions with the means `mean` and standard deviations `std`, which are broadcast and must
/// not be negative. The result has the dtype of `mean`.
[[structured::kernel("normal.Tensor_Tensor", "CompositeExplicitAutograd"),
  structured::variants("normal.Tensor_Tensor_out"), structured::tags("nondeterministic_seeded")]]
Tensor normal_of_tensors(const Tensor& mean, const Tensor& std,
                         [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(!std.is_complex(), "normal: expected real standard deviations, got ", std.scalar_type());
  Tensor result = empty(broadcast_shape(mean.sizes(), std.sizes()), mean.options());
  structured::normal_(result, 0, 1, generator);
  return structured::add_(structured::mul_(result, std), mean);
}

/// Samples from normal distributions with the means `mean` and the standard deviation `std`, which must not be
/// negative. The result has the dtype and shape of `mean`.
[[structured::kernel("normal.Tensor_float", "CompositeExplicitAutograd"),
  structured::variants("normal.Tensor_float_out"), structured::tags("nondeterministic_seeded")]]
Tensor normal_of_means(const Tensor& mean, double std = 1,
                       [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  Tensor result = structured::empty_like(mean);
  return structured::add_(structured::normal_(result, 0, std, generator), mean);
}

/// Samples from normal distributions with the mean `mean` and standard deviations `std`, which must not be negative.
/// The result has the dtype and shape of `std`.
[[structured::kernel("normal.float_Tensor", "CompositeExplicitAutograd"),
  structured::variants("normal.float_Tensor_out"), structured::tags("nondeterministic_seeded")]]
Tensor normal_of_deviations(double mean, const Tensor& std,
                            [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  Tensor result = structured::empty_like(std);
  return structured::add_(structured::mul_(structured::normal_(result, 0, 1, generator), std), mean);
}

/// Tensor of shape `size` with samples from the normal distribution with mean `mean` and standard deviation `std`,
/// which must not be negative. `dtype` is floating-point or complex and defaults to the default dtype.
[[structured::kernel("normal.float_float", "CompositeExplicitAutograd"), structured::variants("normal.float_float_out"),
  structured::tags("nondeterministic_seeded")]]
Tensor normal_of_numbers(double mean, double std, [[structured::symint]] IntArrayRef size,
                         [[structured::kwonly]] std::optional<Generator> generator = std::nullopt,
                         std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt,
                         std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) {
  Tensor result = structured::empty(size, dtype, layout, device, pin_memory, std::nullopt);
  return structured::normal_(result, mean, std, generator);
}

/// Indices (Long) of `num_samples` categories for each row of weights `self` [C] or [N, C]: [num_samples] or [N,
/// num_samples]. Weights must be finite, not negative and not all 0. Without `replacement`, no category occurs twice.
/// Floating-point dtypes only.
///
/// Without replacement, the categories with the largest quotients of their weight and an exponential sample are chosen
/// (P. S. Efraimidis and P. G. Spirakis, "Weighted random sampling with a reservoir", 2006).
[[structured::kernel("multinomial", "CompositeExplicitAutograd"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor multinomial(const Tensor& self, [[structured::symint]] int64_t num_samples, bool replacement = false,
                   [[structured::kwonly]] std::optional<Generator> generator = std::nullopt) {
  STRUCTURED_CHECK(self.dim() == 1 || self.dim() == 2, "multinomial: expected `self` to be a vector or matrix, got ",
                   self.dim(), " dimensions");
  check_dtype("multinomial", self.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(num_samples > 0, "multinomial: expected a positive `num_samples`, got ", num_samples);
  STRUCTURED_CHECK(replacement || num_samples <= self.size(-1), "multinomial: expected at most ", self.size(-1),
                   " samples without replacement, got ", num_samples);
  DimVector sizes(self.sizes());
  sizes[sizes.size() - 1] = num_samples;
  if (self.is_meta() || self.numel() == 0) return empty(sizes, self.options().dtype(kLong));
  const ScalarType wide = self.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor weights = structured::to(self, wide);
  const Tensor totals = structured::cumsum(weights, -1);
  const Tensor ends = structured::slice(totals, -1, self.size(-1) - 1);
  STRUCTURED_CHECK(
      structured::amin(weights).item<double>() >= 0 && std::isfinite(structured::amax(ends).item<double>()),
      "multinomial: expected finite weights of 0 or more");
  STRUCTURED_CHECK(structured::amin(ends).item<double>() > 0, "multinomial: expected a positive weight in each row");
  if (replacement) {
    Tensor samples = empty(sizes, self.options().dtype(wide));
    structured::mul_(structured::uniform_(samples, 0, 1, generator), ends);
    return structured::searchsorted(totals, samples, false, true);
  }
  Tensor samples = empty(self.sizes(), self.options().dtype(wide));
  structured::exponential_(samples, 1, generator);
  return std::get<1>(structured::topk(structured::div(weights, samples), num_samples));
}

/// Writes indices (Long) of `num_samples` categories for each row of weights `self` [C] or [N, C], as `multinomial`
/// draws them, to `out` (Long), which is resized.
[[structured::kernel("multinomial.out", "CompositeExplicitAutograd"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor& multinomial_out(const Tensor& self, [[structured::symint]] int64_t num_samples,
                        [[structured::schema_default("False")]] bool replacement,
                        [[structured::kwonly, structured::schema_default("None")]] std::optional<Generator> generator,
                        Tensor& out) {
  return store_result("multinomial", structured::multinomial(self, num_samples, replacement, generator), out);
}

}  // namespace structured::kernels
