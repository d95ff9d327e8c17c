#pragma once
#if defined(TORCH_TARGET_VERSION)
#include "structured/torch_stable.h"  // one source for both kinds of libraries
#else
#if __cplusplus < 202002L
#error "structured/torch.h needs C++20: compile with -std=c++20"
#endif
// The header for kernels of PyTorch extensions: ATen's tensors, iterators and dtype dispatch, and the attributes of
// annotations. It needs libtorch alone. Kernels include ATen's loops (`ATen/native/cpu/Loops.h`) and operators
// (`ATen/ops/*.h`) themselves.
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Formatting.h>  // prints scalars and tensors in messages of TORCH_CHECK
#include <ATen/core/Tensor.h>

// Operators such as `a * b`, without the headers of all functions of ATen.
#ifdef AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#else
#define AT_PER_OPERATOR_HEADERS
#include <ATen/TensorOperators.h>
#undef AT_PER_OPERATOR_HEADERS
#endif

#include "structured/annotate.h"
#include "structured/dynamic_size.h"
#include "structured/number/math.h"  // after c10::complex, whose functions it names

// structured_add_torch_library defines the macro.
#if defined(STRUCTURED_TORCH_CXX11_ABI) && defined(_GLIBCXX_USE_CXX11_ABI) && \
    _GLIBCXX_USE_CXX11_ABI != STRUCTURED_TORCH_CXX11_ABI
#error "this PyTorch was built with another ABI of libstdc++; do not define _GLIBCXX_USE_CXX11_ABI"
#endif
#endif
