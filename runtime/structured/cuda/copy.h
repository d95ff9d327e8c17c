#pragma once
// Copies from and to CUDA devices.
#include "structured/core/tensor.h"

namespace structured::cuda::detail {

/// The DeviceCopy of CUDA devices (iterator/copy.h): any strides and dtypes. Copies to and from the host are complete
/// when the function returns; copies on a device run in the current stream.
void copy_between(const Tensor& destination, const Tensor& source);

}  // namespace structured::cuda::detail
