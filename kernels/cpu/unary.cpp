// Pointwise operators of one tensor on the CPU.
#include <structured/core/visit.h>
#include <structured/iterator/loops.h>

#include <cmath>
#include <complex>

namespace structured::kernels {
namespace {

// Runs `function`, a generic callable, on elements of floating and complex types. 16-bit types are computed in float,
// complex ones in std::complex, of which <cmath>'s functions have overloads.
template <class F>
void float_kernel(const char* name, const TensorIteratorBase& op, F function) {
  visit<kAllFloatingTypes | kAllComplexTypes>(name, op.common_dtype(), [&]<class T>() {
    cpu_kernel(op, [function](T a) -> T {
      if constexpr (is_complex_v<T>) {
        using Part = decltype(function(a.real()));
        return T(Complex<Part>(function(std::complex<Part>(a.real(), a.imag()))));
      } else {
        return T(function(a));
      }
    });
  });
}

}  // namespace

[[structured::impl("relu.out", "CPU")]]
void relu_cpu(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& out) {
  visit<kRealTypes>("relu", op.common_dtype(),
                    [&]<class T>() { cpu_kernel(op, [](T a) -> T { return a < T(0) ? T(0) : a; }); });
}

[[structured::impl("exp.out", "CPU")]]
void exp_cpu(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& out) {
  float_kernel("exp", op, [](const auto& a) { return std::exp(a); });
}

[[structured::impl("acosh.out", "CPU")]]
void acosh_cpu(TensorIteratorBase& op, [[maybe_unused]] const Tensor& self, [[maybe_unused]] const Tensor& out) {
  float_kernel("acosh", op, [](const auto& a) { return std::acosh(a); });
}

}  // namespace structured::kernels
