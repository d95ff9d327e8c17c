#pragma once
// Calls whose results require no gradients.
#include "structured/autograd/record.h"

namespace structured::autograd {

/// Autograd kernel of an operator that is not differentiable: `Unrecorded<op>::call`.
template <auto& op, class Signature = std::remove_cvref_t<decltype(op)>>
struct Unrecorded;
template <auto& op, class R, class... A>
struct Unrecorded<op, Operator<R(A...)>> {
  static R call(A... args) { return call_backend(op, std::forward<A>(args)...); }
};

}  // namespace structured::autograd
