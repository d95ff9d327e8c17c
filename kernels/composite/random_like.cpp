// Factories of random tensors with the shape of another tensor, for every backend that implements the in-place
// samplers.
#include <structured/base/error.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/normal.h>
#include <structured/ops/random.h>
#include <structured/ops/uniform.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {

/// Tensor with the shape of `self` and samples from the uniform distribution on [0, 1). dtype and device default to
/// those of `self`; the dtype must be floating-point or complex.
[[structured::kernel("rand_like", "CompositeExplicitAutograd"), structured::variants("rand_like.out"),
  structured::not_differentiable, structured::tags("nondeterministic_seeded")]]
Tensor rand_like(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt,
                 std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::uniform_(result);
}

/// Tensor with the shape of `self` and samples from the uniform distribution on [0, 1), drawn from `generator`. dtype
/// and device default to those of `self`; the dtype must be floating-point or complex.
[[structured::kernel("rand_like.generator", "CompositeExplicitAutograd"),
  structured::variants("rand_like.generator_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor rand_like_generator(const Tensor& self, [[structured::kwonly]] std::optional<Generator> generator,
                           std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt,
                           std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt,
                           std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::uniform_(result, 0, 1, generator);
}

/// Tensor with the shape of `self` and samples from the standard normal distribution. dtype and device default to those
/// of `self`; the dtype must be floating-point or complex.
[[structured::kernel("randn_like", "CompositeExplicitAutograd"), structured::variants("randn_like.out"),
  structured::not_differentiable, structured::tags("nondeterministic_seeded")]]
Tensor randn_like(const Tensor& self, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                  std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                  std::optional<bool> pin_memory = std::nullopt,
                  std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::normal_(result);
}

/// Tensor with the shape of `self` and samples from the standard normal distribution, drawn from `generator`. dtype and
/// device default to those of `self`; the dtype must be floating-point or complex.
[[structured::kernel("randn_like.generator", "CompositeExplicitAutograd"),
  structured::variants("randn_like.generator_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor randn_like_generator(const Tensor& self, [[structured::kwonly]] std::optional<Generator> generator,
                            std::optional<ScalarType> dtype = std::nullopt, std::optional<Layout> layout = std::nullopt,
                            std::optional<Device> device = std::nullopt, std::optional<bool> pin_memory = std::nullopt,
                            std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::normal_(result, 0, 1, generator);
}

/// Tensor with the shape of `self` and integers drawn uniformly from [0, `high`). dtype and device default to those of
/// `self`; complex dtypes are not supported.
[[structured::kernel("randint_like", "CompositeExplicitAutograd"), structured::variants("randint_like.out"),
  structured::not_differentiable, structured::tags("nondeterministic_seeded")]]
Tensor randint_like(const Tensor& self, [[structured::symint]] int64_t high,
                    [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                    std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                    std::optional<bool> pin_memory = std::nullopt,
                    std::optional<MemoryFormat> memory_format = std::nullopt) {
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::random_(result, 0, high);
}

/// Tensor with the shape of `self` and integers drawn uniformly from [`low`, `high`). dtype and device default to those
/// of `self`; complex dtypes are not supported.
[[structured::kernel("randint_like.low_dtype", "CompositeExplicitAutograd"),
  structured::variants("randint_like.low_dtype_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor randint_like_low(const Tensor& self, [[structured::symint]] int64_t low, [[structured::symint]] int64_t high,
                        [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                        std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                        std::optional<bool> pin_memory = std::nullopt,
                        std::optional<MemoryFormat> memory_format = std::nullopt) {
  STRUCTURED_CHECK(low < high, "randint_like: expected `low` < `high`, got ", low, " and ", high);
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::random_(result, low, high);
}

/// Tensor with the shape of `self` and integers drawn uniformly from [`low`, `high`) by `generator`. dtype and device
/// default to those of `self`; complex dtypes are not supported.
[[structured::kernel("randint_like.low_generator_dtype", "CompositeExplicitAutograd"),
  structured::variants("randint_like.low_generator_dtype_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor randint_like_low_generator(
    const Tensor& self, [[structured::symint]] int64_t low, [[structured::symint]] int64_t high,
    [[structured::kwonly]] std::optional<Generator> generator, std::optional<ScalarType> dtype = std::nullopt,
    std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
    std::optional<bool> pin_memory = std::nullopt, std::optional<MemoryFormat> memory_format = std::nullopt) {
  STRUCTURED_CHECK(low < high, "randint_like: expected `low` < `high`, got ", low, " and ", high);
  Tensor result = structured::empty_like(self, dtype, layout, device, pin_memory, memory_format);
  return structured::random_(result, low, high, generator);
}

/// Tensor with the shape of `self` and integers drawn uniformly from [0, `high`) by `generator`. dtype and device
/// default to those of `self`; complex dtypes are not supported.
[[structured::kernel("randint_like.generator", "CompositeExplicitAutograd"),
  structured::variants("randint_like.generator_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor randint_like_generator(const Tensor& self, [[structured::symint]] int64_t high,
                              [[structured::kwonly]] std::optional<Generator> generator,
                              std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt,
                              std::optional<MemoryFormat> memory_format = std::nullopt) {
  return randint_like_low_generator(self, 0, high, generator, dtype, layout, device, pin_memory, memory_format);
}

/// Tensor with the shape of `self` and integers drawn uniformly from [0, `high`) by `generator`; `high` has one
/// element. dtype and device default to those of `self`; complex dtypes are not supported.
[[structured::kernel("randint_like.Tensor_generator", "CompositeExplicitAutograd"),
  structured::variants("randint_like.Tensor_generator_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor randint_like_tensor_generator(const Tensor& self, const Tensor& high,
                                     [[structured::kwonly]] std::optional<Generator> generator,
                                     std::optional<ScalarType> dtype = std::nullopt,
                                     std::optional<Layout> layout = std::nullopt,
                                     std::optional<Device> device = std::nullopt,
                                     std::optional<bool> pin_memory = std::nullopt,
                                     std::optional<MemoryFormat> memory_format = std::nullopt) {
  STRUCTURED_CHECK(high.numel() == 1, "randint_like: expected `high` to have 1 element, got sizes ", high.sizes());
  return randint_like_generator(self, high.item<int64_t>(), generator, dtype, layout, device, pin_memory,
                                memory_format);
}

/// Tensor with the shape of `self` and integers drawn uniformly from [0, `high`); `high` has one element. dtype and
/// device default to those of `self`; complex dtypes are not supported.
[[structured::kernel("randint_like.Tensor", "CompositeExplicitAutograd"),
  structured::variants("randint_like.Tensor_out"), structured::not_differentiable,
  structured::tags("nondeterministic_seeded")]]
Tensor randint_like_tensor(const Tensor& self, const Tensor& high,
                           [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                           std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                           std::optional<bool> pin_memory = std::nullopt,
                           std::optional<MemoryFormat> memory_format = std::nullopt) {
  return randint_like_tensor_generator(self, high, std::nullopt, dtype, layout, device, pin_memory, memory_format);
}

}  // namespace structured::kernels
