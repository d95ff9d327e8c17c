#pragma once
// Gradients of pointwise operators: loops that compute `weight * derivative` for each element, and their nodes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/iterator/pointwise.h"
#include "structured/iterator/tensor_iterator.h"
#include "structured/number/dual.h"
#include "structured/number/scalar.h"

namespace structured::autograd {

namespace impl {

template <class T>
struct PlainNumber {
  using Type = T;
};
template <class T>
struct PlainNumber<Dual<T>> : PlainNumber<T> {};

template <class T, std::size_t>
using Repeated = T;

}  // namespace impl

/// Return a number as a T, which may be a dual number: Scalar::to and Scalar::converted.
template <class T>
T constant(const Scalar& number) {
  return T(number.to<typename impl::PlainNumber<T>::Type>());
}
template <class T>
T converted_constant(const Scalar& number) {
  return T(number.converted<typename impl::PlainNumber<T>::Type>());
}
template <class T>
std::optional<T> constant(const std::optional<Scalar>& number) {
  return number ? std::optional<T>(constant<T>(*number)) : std::nullopt;
}
template <class T>
std::optional<T> converted_constant(const std::optional<Scalar>& number) {
  return number ? std::optional<T>(converted_constant<T>(*number)) : std::nullopt;
}

namespace impl {

using RunGradient = void (*)(const void* make, const TensorIteratorBase& iterator);

/// Loops that compute a gradient from its weight and `count` inputs. With as many inputs as an elementwise function may
/// have, they compute it for the weight 1.
struct GradientLoops {
  std::size_t count;
  RunGradient first;
  std::array<RunGradient, kMaxPointwiseInputs> second;  ///< derivatives of the gradient by each input
  std::shared_ptr<const void> (*copy)(const void* make);
};

/// The gradient with this weight. Recorded if the weight or an input requires gradients.
STRUCTURED_API Tensor compute_gradient(const char* name, const GradientLoops& loops, const void* make,
                                       const Tensor& weight, ArrayRef<const Tensor*> inputs);

/// `weight` times the derivative of a function of dual numbers with respect to argument number `input`.
template <std::size_t input, class T, class F, class Arguments>
struct Slope;
template <std::size_t input, class T, class F, std::size_t... I>
struct Slope<input, T, F, std::index_sequence<I...>> {
  F function;

  STRUCTURED_HOST_DEVICE T operator()(T weight, Repeated<T, I>... arguments) const {
    return slope_times(function(Dual<T>(arguments, T(I == input))...).derivative, weight);
  }
};

/// Makes Slopes for the element type T, of the function that `make` returns for Dual<T>.
template <std::size_t input, std::size_t count, class Make>
struct MakeSlope {
  Make make;

  template <class T>
  auto operator()() const {
    auto function = make.template operator()<Dual<T>>();
    return Slope<input, T, decltype(function), std::make_index_sequence<count>>{std::move(function)};
  }
};

/// Makes a gradient with the weight 1.
template <class Make>
struct MakeUnweighted {
  Make make;

  template <class T>
  auto operator()() const {
    return [gradient = make.template operator()<T>()](auto... arguments) -> T { return gradient(T(1), arguments...); };
  }
};

/// A function of numbers whose type names each parameter, as PointwiseFunction requires.
template <class T, class F, class Arguments>
struct Elementwise;
template <class T, class F, std::size_t... I>
struct Elementwise<T, F, std::index_sequence<I...>> {
  static constexpr std::size_t kOperands = sizeof...(I) + 1;
  F function;

  STRUCTURED_HOST_DEVICE T operator()(Repeated<T, I>... arguments) const { return function(arguments...); }

  /// A loop that is not vectorized, to save code.
  static void small_loop(const void* closure, void* out, const void* a, const void* b, const void* c, int64_t size) {
    const Elementwise& self = *static_cast<const Elementwise*>(closure);
    const void* const in[] = {a, b, c};
    for (int64_t i = 0; i < size; ++i) {
      static_cast<T*>(out)[i] = self(static_cast<const T*>(in[I])[i]...);
      asm volatile("");
    }
  }
};

/// The dense loops of F: `for_speed`, one for each instruction set, with at most 256-bit vectors of double.
template <class F, class T, bool for_speed>
constexpr structured::detail::PointwiseLoop gradient_loop() {
  structured::detail::PointwiseLoop loop{};
  for (std::size_t i = 0; i < F::kOperands; ++i) {
    loop.types[i] = scalar_type_of<T>;
    loop.sizes[i] = sizeof(T);
  }
  loop.operands = F::kOperands;
  for (int level = 0; level < kSimdLevels; ++level) {
    if constexpr (for_speed) {
      constexpr SimdLevel highest = std::is_same_v<T, double> ? SimdLevel::avx2 : SimdLevel::avx512;
      const SimdLevel wanted = static_cast<SimdLevel>(level);
      loop.dense[level] = structured::detail::PointwiseFunction<F>::dense(wanted < highest ? wanted : highest);
    } else {
      loop.dense[level] = &F::small_loop;
    }
  }
  return loop;
}

template <std::size_t operands, bool for_speed, class T, class Make>
void run_gradient_loop(const TensorIteratorBase& iterator, const Make& make) {
  auto made = make.template operator()<T>();
  using F = Elementwise<T, decltype(made), std::make_index_sequence<operands>>;
  static constexpr structured::detail::PointwiseLoop loop = gradient_loop<F, T, for_speed>();
  const F function{std::move(made)};
  structured::detail::run_pointwise(iterator, loop, &function, kGrainSize);
}

template <std::size_t count, bool for_speed, class Make>
void run_gradient(const TensorIteratorBase& iterator, const Make& make) {
  const auto run = [&]<class T>() {
    if constexpr (count < kMaxPointwiseInputs) {
      run_gradient_loop<count + 1, for_speed, T>(iterator, make);
    } else {
      run_gradient_loop<count, for_speed, T>(iterator, MakeUnweighted<Make>{make});
    }
  };
  if (!for_speed || iterator.common_dtype() == ScalarType::Double) {
    run.template operator()<double>();
  } else {
    run.template operator()<float>();
  }
}

template <std::size_t count, class Make>
struct LoopsOf {
  static void first(const void* make, const TensorIteratorBase& iterator) {
    run_gradient<count, true>(iterator, *static_cast<const Make*>(make));
  }
  template <std::size_t input>
  static void second(const void* make, const TensorIteratorBase& iterator) {
    using Unweighted = MakeUnweighted<Make>;
    const MakeSlope<input, count, Unweighted> slope{Unweighted{*static_cast<const Make*>(make)}};
    run_gradient<count, false>(iterator, slope);
  }
  static std::shared_ptr<const void> copy(const void* make) {
    return std::make_shared<const Make>(*static_cast<const Make*>(make));
  }
  static constexpr GradientLoops make() {
    GradientLoops result{count, &first, {&second<0>}, &copy};
    if constexpr (count > 1) result.second[1] = &second<1>;
    if constexpr (count > 2) result.second[2] = &second<2>;
    return result;
  }
  static constexpr GradientLoops loops = make();
};

}  // namespace impl

/// Gradient of a pointwise operator by a scalar function that the author wrote: `make.operator()<T>()` returns a
/// function of the gradient, in which it is linear, and of elements of `inputs`.
template <class Make, class... Tensors>
Tensor written_gradient(const char* name, const Make& make, const Tensor& grad, const Tensors&... inputs) {
  const Tensor* const pointers[] = {&inputs...};
  return impl::compute_gradient(name, impl::LoopsOf<sizeof...(inputs), Make>::loops, &make, grad, pointers);
}

/// Gradient of a pointwise operator for its tensor number `input`: `grad` times the derivative of its scalar function.
/// `make.operator()<T>()` returns the scalar function for T, a dual number.
template <std::size_t input, class Make, class... Tensors>
Tensor derived_gradient(const char* name, const Make& make, const Tensor& grad, const Tensors&... inputs) {
  return written_gradient(name, impl::MakeSlope<input, sizeof...(inputs), Make>{make}, grad, inputs...);
}

}  // namespace structured::autograd
