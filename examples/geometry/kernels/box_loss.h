// An operator that one scalar function defines.
#pragma once

#include <structured/torch.h>

namespace geometry {

/// Smooth L1 loss of each element: `0.5 * d * d / beta` where `d = |self - target|` is less than `beta`, and
/// `d - 0.5 * beta` elsewhere.
///
/// `self` and `target` are floating-point tensors that broadcast. With `beta = 0` the loss is `d`; a negative `beta`
/// has no meaning. Within torch.autocast the loss is computed in float.
template <typename T>
[[structured::pointwise("box_loss"), structured::autocast("fp32"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T box_loss(T self, T target, [[structured::scalar]] T beta = 1) {
  const T distance = structured::math::abs(self - target);
  return distance < beta ? T(0.5) * distance * distance / beta : distance - T(0.5) * beta;
}

}  // namespace geometry
