#pragma once
// Scalar functions: each defines a whole operator, with its loops, type promotion and derivative.
#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/math.h>

namespace acme::sigproc::kernels {
namespace math = structured::math;

/// Level of an amplitude in decibels: `20 * log10(max(|self|, floor))`.
template <typename T>
[[structured::pointwise("decibel", "decibel_", "decibel.out"), structured::promote("int_to_float"),
  structured::autocast("fp32"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T decibel(T self, [[structured::kwonly, structured::scalar]] T floor = 1e-5) {
  const T size = math::fabs(self);
  return T(20) * math::log10(size > floor ? size : floor);
}

/// A noise gate: `self` where `open`, otherwise `self` times `attenuation`.
template <typename T>
[[structured::pointwise("gate"), structured::no_out, structured::opaque, structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T gate(T self, [[structured::tensor]] bool open, [[structured::scalar]] T attenuation = 0) {
  return open ? self : self * attenuation;
}

}  // namespace acme::sigproc::kernels
