#include "steps.h"

namespace pair {

structured::Tensor made(const structured::Tensor& self) { return self; }

structured::Tensor twice(const structured::Tensor& self) { return self; }

}  // namespace pair
