// Loops of derived gradients are vectorized where the loops of the functions are: GCC reports at least as many for vectors
// of each size. Sanitizers' checks keep loops from being vectorized.
// REQUIRES: projects
// UNSUPPORTED: sanitize
//
// DEFINE: %{report} = %gxx -S -o /dev/null -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-attributes \
// DEFINE:   -fvect-cost-model=dynamic --param=early-inlining-insns=500 --param=max-inline-insns-auto=1000 \
// DEFINE:   --param vect-epilogues-nomask=0 -I%S/../../../kernels %s -fopt-info-vec-optimized
// RUN: rm -f %t.forward %t.backward
// RUN: %{report}=%t.forward -DFORWARD
// RUN: %{report}=%t.backward
// RUN: %python -c "import re, sys; counts = [{n: len(re.findall(rf'pointwise.h:.*loop vectorized using {n} byte', t)) for n in (32, 64)} for t in (open(f).read() for f in sys.argv[1:])]; print(*counts); sys.exit(not all(0 < counts[0][n] <= counts[1][n] for n in (32, 64)))" %t.forward %t.backward
#include <structured/autograd/pointwise_gradient.h>

#include "pointwise/activation.h"
#include "pointwise/exponential.h"
#include "pointwise/hyperbolic.h"
#include "pointwise/special.h"

using namespace structured;

// Returns a scalar function for elements of type T.
#define MAKE(name)                                         \
  struct Make_##name {                                     \
    template <typename T>                                  \
    auto operator()() const {                              \
      return [](T x) -> T { return kernels::name(x); };    \
    }                                                      \
  };
#define FUNCTIONS(use) use(silu) use(sigmoid) use(log1p)
FUNCTIONS(MAKE)

#ifdef FORWARD
#define USE(name)                                                                      \
  autograd::impl::run_gradient_loop<1, true, float>(iterator, Make_##name());          \
  autograd::impl::run_gradient_loop<1, true, double>(iterator, Make_##name());
void all(const TensorIteratorBase& iterator) { FUNCTIONS(USE) }
#else
#define USE(name) autograd::derived_gradient<0>(#name, Make_##name(), grad, x);
void all(const Tensor& grad, const Tensor& x) { FUNCTIONS(USE) }
#endif
