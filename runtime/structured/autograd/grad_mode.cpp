#include "structured/autograd/grad_mode.h"

namespace structured::detail {

constinit thread_local bool grad_is_enabled = true;

}  // namespace structured::detail
