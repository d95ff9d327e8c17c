#include "steps.h"

namespace pair {

structured::Tensor twice(const structured::Tensor& self) { return self; }

}  // namespace pair
