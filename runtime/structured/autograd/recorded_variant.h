#pragma once
// Recorded calls of functional variants that are derived from in-place operators.
#include "structured/autograd/record.h"

namespace structured::autograd {

/// Autograd kernel of the functional variant `op` of the in-place operator `base`: copies the first argument and
/// applies `base` to the copy; both calls are recorded.
template <auto& op, auto& base, class Signature = std::remove_cvref_t<decltype(op)>>
struct RecordedVariant;
template <auto& op, auto& base, class Self, class... A>
struct RecordedVariant<op, base, Operator<Tensor(Self, A...)>> {
  static Tensor call(Self self, A... arguments) {
    Tensor result = copy_of(self);
    base(result, arguments...);
    return result;
  }
};

}  // namespace structured::autograd
