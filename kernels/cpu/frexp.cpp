// Mantissas and exponents on CPU.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/kernel/resize.h>
#include <structured/number/scalar_type.h>
#include <structured/number/visit.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/frexp.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace structured::kernels {

/// Decomposes elements into `mantissa * 2 ** exponent`, with magnitudes of `mantissa` from 0.5 to below 1 and an Int
/// `exponent`. Both are 0 for 0; the mantissas of infinities and NaN are these numbers. Floating-point dtypes only.
[[structured::kernel("frexp.Tensor", "CPU", "Meta"), structured::returns("mantissa", "exponent")]]
std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  STRUCTURED_CHECK(kAllFloatingTypes.contains(self.scalar_type()), "frexp: expected `self` of dtype ",
                   kAllFloatingTypes, ", got ", self.scalar_type());
  // Both results are dense and have the same strides.
  const Tensor mantissa = structured::clone(self);
  const Tensor exponent = structured::empty_like(mantissa, kInt);
  if (self.is_meta()) return {mantissa, exponent};
  visit<kAllFloatingTypes>("frexp", self.scalar_type(), [&]<class T>() {
    using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;
    T* const mantissas = mantissa.data_ptr<T>();
    int32_t* const exponents = exponent.data_ptr<int32_t>();
    for (int64_t i = 0; i < self.numel(); ++i) {
      int power = 0;
      mantissas[i] = static_cast<T>(std::frexp(static_cast<Number>(mantissas[i]), &power));
      exponents[i] = power;
    }
  });
  return {mantissa, exponent};
}

/// Decomposes elements into `mantissa * 2 ** exponent`, with magnitudes of `mantissa` from 0.5 to below 1, and writes
/// them to `mantissa` and to the Int tensor `exponent`, which are resized. Floating-point dtypes only.
[[structured::kernel("frexp.Tensor_out", "CompositeExplicitAutograd"), structured::returns("mantissa", "exponent")]]
std::tuple<Tensor&, Tensor&> frexp_out(const Tensor& self, Tensor& mantissa, Tensor& exponent) {
  const auto [mantissas, exponents] = structured::frexp(self);
  STRUCTURED_CHECK(can_cast(mantissas.scalar_type(), mantissa.scalar_type()),
                   "frexp: expected `mantissa` of a dtype to which ", mantissas.scalar_type(), " casts, got ",
                   mantissa.scalar_type());
  STRUCTURED_CHECK(exponent.scalar_type() == kInt, "frexp: expected `exponent` of dtype Int, got ",
                   exponent.scalar_type());
  resize_output(mantissa, self.sizes());
  resize_output(exponent, self.sizes());
  structured::copy_(mantissa, mantissas);
  structured::copy_(exponent, exponents);
  return {mantissa, exponent};
}

}  // namespace structured::kernels
