#pragma once
// The header for kernels of PyTorch extensions: ATen's tensors, iterators and dtype dispatch, and the attributes of
// annotations. It needs libtorch alone. Kernels include ATen's loops (`ATen/native/cpu/Loops.h`) and operators
// (`ATen/ops/*.h`) themselves.
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Formatting.h>  // prints scalars and tensors in messages of TORCH_CHECK
#include <ATen/core/Tensor.h>

#include "structured/annotate.h"

/// Before a scalar function: also compiles it for the device in CUDA sources.
#ifndef STRUCTURED_HOST_DEVICE
#define STRUCTURED_HOST_DEVICE C10_HOST_DEVICE
#endif
