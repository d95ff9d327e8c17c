#pragma once
// Values that the meta function of `fir` computes for its kernels: emitted code includes this header.
#include <structured/operators.h>
#include <structured/structured.h>

namespace acme::sigproc::kernels {
using namespace structured;

struct FirPlan {
  int64_t stride;  ///< samples from one output to the next, in place of the list
};

}  // namespace acme::sigproc::kernels
