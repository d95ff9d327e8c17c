#pragma once
// Whether operators on this thread record, for functions below the operators, which never do.
#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured::detail {

extern STRUCTURED_API STRUCTURED_THREAD_LOCAL bool grad_is_enabled;

[[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_unrecorded(const char* function, const char* op);

/// Throws Error if `tensor` requires gradients while operators record: `function` would lose them. `op` is the operator
/// to call in its place.
inline void check_unrecorded(const Tensor& tensor, const char* function, const char* op) {
  if (tensor.requires_grad() && grad_is_enabled) [[unlikely]]
    fail_unrecorded(function, op);
}

}  // namespace structured::detail
