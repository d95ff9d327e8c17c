// Factories of evenly spaced numbers: arange, range, linspace and logspace.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>
#include <structured/ops/arange.h>
#include <structured/ops/linspace.h>
#include <structured/ops/logspace.h>
#include <structured/ops/range.h>

#include <optional>

namespace structured::kernels {
namespace {

// Integer arguments give Long unless a dtype is given.
Tensor arange_of(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options) {
  if (!options.dtype_opt() && start.is_integral(true) && end.is_integral(true) && step.is_integral(true)) {
    options = options.dtype(kLong);
  }
  Tensor out = empty(0, options);
  return structured::arange_out(out, start, end, step);
}

// Uninitialized vector of `steps` elements; complex if a bound is complex.
Tensor spaced_output(const char* name, const Scalar& start, const Scalar& end, int64_t steps, TensorOptions options) {
  STRUCTURED_CHECK(steps >= 0, name, ": expected `steps` of 0 or more, got ", steps);
  if (start.is_complex() || end.is_complex()) {
    const ScalarType dtype = options.dtype_opt().value_or(to_complex(default_dtype()));
    STRUCTURED_CHECK(is_complex(dtype), name, ": expected a complex `dtype` for complex bounds, got ", dtype);
    options = options.dtype(dtype);
  }
  return empty(steps, options);
}

// Returns the element of the bound `argument`, a scalar tensor.
Scalar number_of(const char* name, const char* argument, const Tensor& bound) {
  STRUCTURED_CHECK(bound.dim() == 0, name, ": expected `", argument, "` to have no dimensions, got ", bound.dim());
  return bound.item();
}

}  // namespace

/// Numbers 0, 1, 2, ... less than `end`: a vector. Without `dtype`, an integer `end` gives Long, otherwise the default
/// dtype.
[[structured::kernel("arange", "CompositeExplicitAutograd")]]
Tensor arange(const Scalar& end, [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
              std::optional<bool> pin_memory = std::nullopt) {
  return arange_of(0, end, 1, {dtype, layout, device, pin_memory});
}

/// Numbers `start`, `start` + 1, ... less than `end`: a vector. Without `dtype`, integer arguments give Long, otherwise
/// the default dtype.
[[structured::kernel("arange.start", "CompositeExplicitAutograd")]]
Tensor arange_start(const Scalar& start, const Scalar& end,
                    [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                    std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                    std::optional<bool> pin_memory = std::nullopt) {
  return arange_of(start, end, 1, {dtype, layout, device, pin_memory});
}

/// Numbers `start`, `start` + `step`, ... before `end`, which is excluded: a vector. Without `dtype`, integer arguments
/// give Long, otherwise the default dtype. `step` must lead from `start` towards `end`.
[[structured::kernel("arange.start_step", "CompositeExplicitAutograd"), structured::no_cpp_default("step")]]
Tensor arange_start_step(const Scalar& start, const Scalar& end, const Scalar& step = 1,
                         [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                         std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                         std::optional<bool> pin_memory = std::nullopt) {
  return arange_of(start, end, step, {dtype, layout, device, pin_memory});
}

/// Writes the numbers 0, 1, 2, ... less than `end` to `out`, which is resized to a vector unless it has as many
/// elements. Bool and complex inputs are not supported.
[[structured::kernel("arange.out", "CompositeExplicitAutograd")]]
Tensor& arange_end_out(const Scalar& end, Tensor& out) {
  return structured::arange_out(out, 0, end, 1);
}

/// Numbers `start`, `start` + `step`, ... up to and including `end`: a vector. `dtype` defaults to the default dtype.
/// `step` must lead from `start` towards `end`.
[[structured::kernel("range.step", "CompositeExplicitAutograd"), structured::no_cpp_default("step")]]
Tensor range_step(const Scalar& start, const Scalar& end, const Scalar& step = 1,
                  [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                  std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                  std::optional<bool> pin_memory = std::nullopt) {
  Tensor out = structured::empty(0, {dtype, layout, device, pin_memory});
  return structured::range_out(out, start, end, step);
}

/// Numbers `start`, `start` + 1, ... up to and including `end`: a vector. `dtype` defaults to the default dtype.
[[structured::kernel("range", "CompositeExplicitAutograd")]]
Tensor range(const Scalar& start, const Scalar& end,
             [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
             std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
             std::optional<bool> pin_memory = std::nullopt) {
  Tensor out = structured::empty(0, {dtype, layout, device, pin_memory});
  return structured::range_out(out, start, end, 1);
}

/// `steps` evenly spaced numbers from `start` to `end`, inclusive: a vector. `dtype` defaults to the default dtype, or
/// its complex counterpart for complex bounds.
[[structured::kernel("linspace", "CompositeExplicitAutograd")]]
Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps,
                [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  Tensor out = spaced_output("linspace", start, end, steps, {dtype, layout, device, pin_memory});
  return structured::linspace_out(out, start, end, steps);
}

/// `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive: a vector. `dtype` defaults to the
/// default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("logspace", "CompositeExplicitAutograd")]]
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base = 10.0,
                [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                std::optional<bool> pin_memory = std::nullopt) {
  Tensor out = spaced_output("logspace", start, end, steps, {dtype, layout, device, pin_memory});
  return structured::logspace_out(out, start, end, steps, base);
}

/// `steps` evenly spaced numbers from `start` to `end`, inclusive: a vector. `start` and `end` are scalar tensors.
/// `dtype` defaults to the default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("linspace.Tensor_Tensor", "CompositeExplicitAutograd")]]
Tensor linspace_tensor_tensor(const Tensor& start, const Tensor& end, int64_t steps,
                              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt) {
  return kernels::linspace(number_of("linspace", "start", start), number_of("linspace", "end", end), steps, dtype,
                           layout, device, pin_memory);
}

/// Writes `steps` evenly spaced numbers from `start` to `end`, inclusive to `out`, which is resized to a vector unless
/// it has as many elements. `start` and `end` are scalar tensors.
[[structured::kernel("linspace.Tensor_Tensor_out", "CompositeExplicitAutograd")]]
Tensor& linspace_tensor_tensor_out(const Tensor& start, const Tensor& end, int64_t steps, Tensor& out) {
  return structured::linspace_out(out, number_of("linspace", "start", start), number_of("linspace", "end", end), steps);
}

/// `steps` evenly spaced numbers from `start` to `end`, inclusive: a vector. `start` is a scalar tensor. `dtype`
/// defaults to the default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("linspace.Tensor_Scalar", "CompositeExplicitAutograd")]]
Tensor linspace_tensor_scalar(const Tensor& start, const Scalar& end, int64_t steps,
                              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt) {
  return kernels::linspace(number_of("linspace", "start", start), end, steps, dtype, layout, device, pin_memory);
}

/// Writes `steps` evenly spaced numbers from `start` to `end`, inclusive to `out`, which is resized to a vector unless
/// it has as many elements. `start` is a scalar tensor.
[[structured::kernel("linspace.Tensor_Scalar_out", "CompositeExplicitAutograd")]]
Tensor& linspace_tensor_scalar_out(const Tensor& start, const Scalar& end, int64_t steps, Tensor& out) {
  return structured::linspace_out(out, number_of("linspace", "start", start), end, steps);
}

/// `steps` evenly spaced numbers from `start` to `end`, inclusive: a vector. `end` is a scalar tensor. `dtype` defaults
/// to the default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("linspace.Scalar_Tensor", "CompositeExplicitAutograd")]]
Tensor linspace_scalar_tensor(const Scalar& start, const Tensor& end, int64_t steps,
                              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt) {
  return kernels::linspace(start, number_of("linspace", "end", end), steps, dtype, layout, device, pin_memory);
}

/// Writes `steps` evenly spaced numbers from `start` to `end`, inclusive to `out`, which is resized to a vector unless
/// it has as many elements. `end` is a scalar tensor.
[[structured::kernel("linspace.Scalar_Tensor_out", "CompositeExplicitAutograd")]]
Tensor& linspace_scalar_tensor_out(const Scalar& start, const Tensor& end, int64_t steps, Tensor& out) {
  return structured::linspace_out(out, start, number_of("linspace", "end", end), steps);
}

/// `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive: a vector. `start` and `end` are
/// scalar tensors. `dtype` defaults to the default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("logspace.Tensor_Tensor", "CompositeExplicitAutograd")]]
Tensor logspace_tensor_tensor(const Tensor& start, const Tensor& end, int64_t steps, double base = 10.0,
                              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt) {
  return kernels::logspace(number_of("logspace", "start", start), number_of("logspace", "end", end), steps, base, dtype,
                           layout, device, pin_memory);
}

/// Writes `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive to `out`, which is resized
/// to a vector unless it has as many elements. `start` and `end` are scalar tensors.
[[structured::kernel("logspace.Tensor_Tensor_out", "CompositeExplicitAutograd")]]
Tensor& logspace_tensor_tensor_out(const Tensor& start, const Tensor& end, int64_t steps,
                                   [[structured::schema_default("10.0")]] double base, Tensor& out) {
  return structured::logspace_out(out, number_of("logspace", "start", start), number_of("logspace", "end", end), steps,
                                  base);
}

/// `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive: a vector. `start` is a scalar
/// tensor. `dtype` defaults to the default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("logspace.Tensor_Scalar", "CompositeExplicitAutograd")]]
Tensor logspace_tensor_scalar(const Tensor& start, const Scalar& end, int64_t steps, double base = 10.0,
                              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt) {
  return kernels::logspace(number_of("logspace", "start", start), end, steps, base, dtype, layout, device, pin_memory);
}

/// Writes `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive to `out`, which is resized
/// to a vector unless it has as many elements. `start` is a scalar tensor.
[[structured::kernel("logspace.Tensor_Scalar_out", "CompositeExplicitAutograd")]]
Tensor& logspace_tensor_scalar_out(const Tensor& start, const Scalar& end, int64_t steps,
                                   [[structured::schema_default("10.0")]] double base, Tensor& out) {
  return structured::logspace_out(out, number_of("logspace", "start", start), end, steps, base);
}

/// `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive: a vector. `end` is a scalar
/// tensor. `dtype` defaults to the default dtype, or its complex counterpart for complex bounds.
[[structured::kernel("logspace.Scalar_Tensor", "CompositeExplicitAutograd")]]
Tensor logspace_scalar_tensor(const Scalar& start, const Tensor& end, int64_t steps, double base = 10.0,
                              [[structured::kwonly]] std::optional<ScalarType> dtype = std::nullopt,
                              std::optional<Layout> layout = std::nullopt, std::optional<Device> device = std::nullopt,
                              std::optional<bool> pin_memory = std::nullopt) {
  return kernels::logspace(start, number_of("logspace", "end", end), steps, base, dtype, layout, device, pin_memory);
}

/// Writes `steps` numbers `base ** x` with x evenly spaced from `start` to `end`, inclusive to `out`, which is resized
/// to a vector unless it has as many elements. `end` is a scalar tensor.
[[structured::kernel("logspace.Scalar_Tensor_out", "CompositeExplicitAutograd")]]
Tensor& logspace_scalar_tensor_out(const Scalar& start, const Tensor& end, int64_t steps,
                                   [[structured::schema_default("10.0")]] double base, Tensor& out) {
  return structured::logspace_out(out, start, number_of("logspace", "end", end), steps, base);
}

}  // namespace structured::kernels
