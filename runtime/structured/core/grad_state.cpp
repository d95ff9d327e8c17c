#include "structured/core/grad_state.h"

#include "structured/base/error.h"

namespace structured::detail {

STRUCTURED_THREAD_LOCAL bool grad_is_enabled = true;

void fail_unrecorded(const char* function, const char* op) {
  fail(function, ": the tensor requires gradients, which this function does not record; call the operator ", op,
       ", detach the tensor, or use a NoGradGuard");
}

}  // namespace structured::detail
