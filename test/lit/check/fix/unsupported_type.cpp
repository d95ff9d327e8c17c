// Applying the edits of structured-unsupported-type leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::composite("twice")]]
Tensor twice(Tensor self, int dim, float factor, const std::vector<int64_t>& dims, std::string mode,
             std::vector<Tensor> rest);
// The edit replaces the type and keeps the name, even if declarator tokens of the type surround the name.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor &self, const int &n, const double &y, bool &z, int length[3], float factor[3] = {}) {
  return self;
}

}  // namespace kernels

// CHECK: Tensor twice(const Tensor& self, int64_t dim, double factor, IntArrayRef dims, std::string_view mode,
// CHECK: TensorList rest
// CHECK: Tensor thrice(const Tensor &self, int64_t n, double y, bool z, int64_t length, double factor = {}) {
