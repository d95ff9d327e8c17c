// CPU kernels that combine real tensors into complex ones.
#include <structured/core/complex.h>
#include <structured/core/tensor.h>
#include <structured/core/visit.h>
#include <structured/iterator/loops.h>

#include <cmath>

namespace structured::kernels {

[[structured::impl("complex.out", "CPU")]]
void complex_cpu(TensorIteratorBase& op, const Tensor& real, [[maybe_unused]] const Tensor& imag,
                 [[maybe_unused]] const Tensor& out) {
  visit<kFloatingTypes | kHalf>("complex", real.scalar_type(),
                                [&]<class T>() { cpu_kernel(op, [](T re, T im) { return Complex<T>(re, im); }); });
}

[[structured::impl("polar.out", "CPU")]]
void polar_cpu(TensorIteratorBase& op, const Tensor& abs, [[maybe_unused]] const Tensor& angle,
               [[maybe_unused]] const Tensor& out) {
  visit<kFloatingTypes>("polar", abs.scalar_type(), [&]<class T>() {
    cpu_kernel(op, [](T size, T turn) { return Complex<T>(size * std::cos(turn), size * std::sin(turn)); });
  });
}

}  // namespace structured::kernels
