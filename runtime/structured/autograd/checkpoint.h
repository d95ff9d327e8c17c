#pragma once
// Functions whose intermediate results are computed again in the backward pass, instead of being kept.
#include <functional>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Returns `function(inputs)`. Operators in `function` save no tensors for the backward pass; its first derivative that
/// needs one calls `function` again, with equal inputs and equal random numbers from the default generator of the CPU.
/// Both calls must save the same number of tensors.
STRUCTURED_API std::vector<Tensor> checkpoint(
    const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function, const std::vector<Tensor>& inputs);

}  // namespace structured
