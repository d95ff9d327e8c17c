#pragma once
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace my::kernels {

inline constexpr double kFactor = 2;

}  // namespace my::kernels
