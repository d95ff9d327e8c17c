// The edits of structured-unsupported-type apply, and then all is well.
// RUN: cp %s %t.cpp
// RUN: not %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::composite("twice")]]
Tensor twice(Tensor self, int dim, float factor, const std::vector<int64_t>& dims, std::string mode,
             std::vector<Tensor> rest);
// The type goes, and the name stays: what belongs to both stands before the name, or around it.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor &self, const int &n, const double &y, bool &z, int length[3], float factor[3] = {}) {
  return self;
}

}  // namespace kernels

// CHECK: Tensor twice(const Tensor& self, int64_t dim, double factor, IntArrayRef dims, std::string_view mode,
// CHECK: TensorList rest
// CHECK: Tensor thrice(const Tensor &self, int64_t n, double y, bool z, int64_t length, double factor = {}) {
