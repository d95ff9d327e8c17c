// Applying the edits of structured-dual-number leaves no errors.
// RUN: grep -v CHECK %s > %t.h
// RUN: %structured_gen check --fix %t.h -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: FileCheck --input-file %t.h %s
#include "mock.h"

namespace std {
double exp(double);
double fabs(double);
}  // namespace std

namespace structured::math {
double exp(double);
double fabs(double);
}  // namespace structured::math

namespace kernels {

template <typename T>
[[structured::pointwise("decay"), structured::dtypes("floating")]]
T decay(T self) {
  return std::exp(-self) + std::fabs(self);
}

}  // namespace kernels

// CHECK: return structured::math::exp(-self) + structured::math::fabs(self);
