// Ten operators with three variants each.
#pragma once
#include <structured/torch.h>

namespace ten {

template <typename T>
[[structured::pointwise("scale", "scale_", "scale.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T scale(T self, [[structured::scalar]] T factor = 2) {
  return self * factor;
}

template <typename T>
[[structured::pointwise("shift", "shift_", "shift.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T shift(T self, [[structured::scalar]] T factor = 2) {
  return self + factor;
}

template <typename T>
[[structured::pointwise("drop", "drop_", "drop.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T drop(T self, [[structured::scalar]] T factor = 2) {
  return self - factor;
}

template <typename T>
[[structured::pointwise("split", "split_", "split.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T split(T self, [[structured::scalar]] T factor = 2) {
  return self / factor;
}

template <typename T>
[[structured::pointwise("mirror", "mirror_", "mirror.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T mirror(T self, [[structured::scalar]] T factor = 2) {
  return factor - self;
}

template <typename T>
[[structured::pointwise("invert", "invert_", "invert.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T invert(T self, [[structured::scalar]] T factor = 2) {
  return factor / self;
}

template <typename T>
[[structured::pointwise("soft_step", "soft_step_", "soft_step.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T soft_step(T self, [[structured::scalar]] T factor = 2) {
  return self / (factor + self * self);
}

template <typename T>
[[structured::pointwise("bend", "bend_", "bend.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T bend(T self, [[structured::scalar]] T factor = 2) {
  return self * self + factor;
}

template <typename T>
[[structured::pointwise("ramp", "ramp_", "ramp.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T ramp(T self, [[structured::scalar]] T factor = 2) {
  return self > factor ? self - factor : T(0);
}

template <typename T>
[[structured::pointwise("leak", "leak_", "leak.out"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T leak(T self, [[structured::scalar]] T factor = 2) {
  return self > 0 ? self : self * factor;
}

}  // namespace ten
