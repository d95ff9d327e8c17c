#pragma once
#if __cplusplus < 202002L
#error "structured/torch_stable.h needs C++20: compile with -std=c++20"
#endif
// The header for kernels of PyTorch extensions against the stable ABI, whose libraries work in several versions of
// PyTorch: tensors (torch::stable::Tensor), operators on them (torch/csrc/stable/ops.h, and call_operator for others),
// the base of operators with a meta function, functions of numbers for scalar functions, and the attributes of
// annotations. It needs libtorch alone.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

#include "structured/annotate.h"
#include "structured/dynamic_size.h"
#include "structured/torch_loops/element_types.h"
#include "structured/torch_stable/calls.h"
#include "structured/torch_stable/meta_base.h"

#include "structured/number/math.h"  // after c10::complex, whose functions it names
