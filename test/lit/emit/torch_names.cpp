// A library for libtorch has no public C++ functions, with which the author's functions could collide.
// RUN: %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: not %structured_gen check --namespace=my %S/../check/overload_collision.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
#include "aten_mock.h"

namespace my {

[[structured::kernel("narrow", "CPU", "Meta")]] at::Tensor narrow(const at::Tensor& self, int64_t size);
[[structured::kernel("narrow.start", "CPU", "Meta")]] at::Tensor narrow_start(const at::Tensor& self, int64_t start);

}  // namespace my
