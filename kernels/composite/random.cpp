// Factories of random tensors, for every backend that implements the in-place samplers.
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/kernel/resize.h>
#include <structured/ops/bernoulli.h>
#include <structured/ops/empty.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/normal.h>
#include <structured/ops/random.h>
#include <structured/ops/randperm.h>
#include <structured/ops/uniform.h>

#include <optional>

namespace structured::kernels {

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

/// Tensor with the shape of `self` and samples from the uniform distribution on [0, 1). dtype and device default to
/// those of `self`; the dtype must be floating-point or complex.
[[structured::kernel("rand_like", "CompositeExplicitAutograd"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor rand_like(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt,
                 std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::uniform_(result);
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
  structured::tags("nondeterministic_seeded")]]
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
[[structured::kernel("randint.low", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor randint_low(int64_t low, int64_t high, IntArrayRef size,
                   [[structured::kwonly]] std::optional<ScalarType> dtype = kLong,
                   std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                   std::optional<bool> pin_memory = std::nullopt) {
  return randint_low_generator(low, high, size, std::nullopt, dtype, layout, device, pin_memory);
}

/// Tensor of shape `size` with integers drawn uniformly from [0, `high`) by `generator`. `dtype` defaults to Long;
/// complex dtypes are not supported.
[[structured::kernel("randint.generator", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
Tensor randint_generator(int64_t high, IntArrayRef size, [[structured::kwonly]] std::optional<Generator> generator,
                         std::optional<ScalarType> dtype = kLong, std::optional<Layout> layout = std::nullopt,
                         std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt) {
  return randint_low_generator(0, high, size, generator, dtype, layout, device, pin_memory);
}

/// Tensor of shape `size` with integers drawn uniformly from [0, `high`). `dtype` defaults to Long; complex dtypes are
/// not supported.
[[structured::kernel("randint", "CompositeExplicitAutograd"), structured::tags("nondeterministic_seeded")]]
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

}  // namespace structured::kernels
