// CPU kernels that combine real tensors into complex ones, or compute real numbers from complex ones.
#include <structured/core/tensor.h>
#include <structured/iterator/loops.h>
#include <structured/iterator/pointwise.h>
#include <structured/number/complex.h>
#include <structured/number/visit.h>

#include <cmath>

#include "math/accumulate_type.h"
#include "math/extrema.h"
#include "pointwise/angle.h"
#include "pointwise/arithmetic.h"

namespace structured::kernels {
namespace {

// Sets each element of the real output to a function of both parts of an element of `self`.
template <class Function>
void of_complex(const char* name, TensorIteratorBase& op, const Tensor& self, Function function) {
  visit<kAllComplexTypes>(name, self.scalar_type(), [&]<class Number>() {
    using T = typename Number::value_type;
    using C = AccumulateType<T>;
    cpu_kernel(op, [function](Number z) -> T {
      return static_cast<T>(function(static_cast<C>(z.real()), static_cast<C>(z.imag())));
    });
  });
}

}  // namespace

[[structured::impl("complex.out", "CPU")]]
void complex_cpu(TensorIteratorBase& op, const Tensor& real, [[maybe_unused]] const Tensor& imag,
                 [[maybe_unused]] const Tensor& out) {
  visit<kFloatingTypes | kHalf>("complex", real.scalar_type(),
                                [&]<class T>() { cpu_kernel(op, [](T re, T im) { return Complex<T>(re, im); }); });
}

[[structured::impl("polar.out", "CPU")]]
void polar_cpu(TensorIteratorBase& op, const Tensor& abs, [[maybe_unused]] const Tensor& angle,
               [[maybe_unused]] const Tensor& out) {
  visit<kFloatingTypes | kHalf>("polar", abs.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    cpu_kernel(op, [](T size, T turn) {
      const C length = static_cast<C>(size);
      const C radians = static_cast<C>(turn);
      return Complex<T>(static_cast<T>(length * std::cos(radians)), static_cast<T>(length * std::sin(radians)));
    });
  });
}

[[structured::impl("abs.out", "CPU")]]
void abs_cpu(TensorIteratorBase& op, const Tensor& self, [[maybe_unused]] const Tensor& out) {
  if (!self.is_complex()) {
    return pointwise_kernel<kRealTypes>("abs", op, [&]<class T>() { return [](T x) -> T { return abs<T>(x); }; });
  }
  of_complex("abs", op, self, [](auto re, auto im) { return std::hypot(re, im); });
}

[[structured::impl("angle.out", "CPU")]]
void angle_cpu(TensorIteratorBase& op, const Tensor& self, [[maybe_unused]] const Tensor& out) {
  if (!self.is_complex()) {
    return pointwise_kernel<kAllFloatingTypes>("angle", op,
                                               [&]<class T>() { return [](T x) -> T { return angle<T>(x); }; });
  }
  of_complex("angle", op, self,
             [](auto re, auto im) { return is_nan(re) || is_nan(im) ? re + im : std::atan2(im, re); });
}

}  // namespace structured::kernels
