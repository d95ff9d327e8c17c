#include "structured/dispatch/static_call.h"

#include "structured/base/error.h"

namespace structured {

void throw_not_in_build(const char* op, Backend backend) {
  STRUCTURED_CHECK(backend != kAutogradKey, "`", op,
                   "`: expected tensors that do not require gradients; its library was built without autograd");
  fail("`", op, "` has no kernel for backend `", to_string(backend), "` in this build");
}

}  // namespace structured
