#pragma once
// Functions whose intermediate results are computed again in the backward pass, instead of being kept.
#include <functional>
#include <vector>

#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Returns `function(inputs)`. Keeps only the inputs for the backward pass, which calls `function` again and then
/// computes the gradients of the inputs, and of leaves that `function` refers to. The second call draws equal random
/// numbers from the default generator of the CPU. If no input requires gradients, this is an ordinary call.
///
/// A backward pass with `create_graph` throws Error.
STRUCTURED_API std::vector<Tensor> checkpoint(
    const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function, const std::vector<Tensor>& inputs);

}  // namespace structured
