// add as a scalar function, with derivatives.
#pragma once
#include <structured/torch.h>

namespace bench {

template <typename T>
[[structured::pointwise("scalar_add", "scalar_add_", "scalar_add.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T scalar_add(T self, T other, [[structured::kwonly, structured::scalar]] T alpha = 1) {
  return self + alpha * other;
}

}  // namespace bench
