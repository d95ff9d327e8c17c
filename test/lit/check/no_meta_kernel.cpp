// Unstructured operators need a kernel for Meta to compute shapes.
// Why: Without a kernel for `Meta`, the shape of a result is known only after computing it. Tracing, memory planning
// and shape tests need it earlier.
// Cure: Add `"Meta"` to the backends if the kernel reads no elements, as views do. Otherwise write a kernel for `Meta`
// that returns an empty tensor of the right shape. Where the shape depends on data, none can be computed: in a library for
// PyTorch, write a kernel for `Meta` that calls `structured::dynamic_size`.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// Other parts of the library may be in sources that the plugin does not see.
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin %s
// In libraries for PyTorch, the kernel for Meta describes sizes that depend on data.
// RUN: sed 's/using namespace structured;/using at::Tensor;/; s/"mock.h"/"aten_mock.h"/' %s > %t.torch.cpp
// RUN: %structured_gen check --dialect=torch --namespace=my %t.torch.cpp -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck --check-prefix=TORCH %s
// TORCH: warning: `twice` has no kernel for `Meta`, so its shapes cannot be computed without data; add `Meta` to a kernel's backends, or write a kernel for it, which calls `structured::dynamic_size` if its sizes depend on data [structured-no-meta-kernel]
// TORCH: warning: `positions` has no kernel for `Meta`, so its shapes cannot be computed without data; as its sizes depend on data, write a kernel for it that calls `structured::dynamic_size` [structured-no-meta-kernel]
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: no_meta_kernel.cpp:[[@LINE+1]]:22: warning: `twice` has no kernel for `Meta`, so its shapes cannot be computed without data; add `Meta` to a kernel's backends, or write a kernel for it [structured-no-meta-kernel]
[[structured::kernel("twice", "CPU", "CUDA")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: no_meta_kernel.cpp:[[@LINE+1]]:22: warning: `positions` has no kernel for `Meta`, so its shapes cannot be computed without data; add `Meta` to a kernel's backends, or write a kernel for it [structured-no-meta-kernel]
[[structured::kernel("positions", "CPU"), structured::tags("dynamic_output_shape")]]
Tensor positions(const Tensor& self);

// Near misses: a separate function for Meta, and a composite kernel.
[[structured::kernel("thrice", "CPU")]]
Tensor thrice(const Tensor& self);
[[structured::kernel("thrice", "Meta")]]
Tensor thrice_meta(const Tensor& self);
[[structured::kernel("half", "CompositeExplicitAutograd")]]
Tensor half(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 warnings generated.
