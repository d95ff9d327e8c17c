#pragma once
// Recorded calls that write to arguments whose new values no derivative covers.
#include <string_view>
#include <vector>

#include "structured/autograd/record.h"
#include "structured/kernel/visit_tensors.h"

namespace structured::autograd {

/// Returns the defined tensors among the arguments, also those in optionals and lists.
template <class... Args>
std::vector<Tensor> tensors_of(const Args&... args) {
  std::vector<Tensor> tensors;
  (structured::detail::visit_tensors(args, [&](const Tensor& tensor) { tensors.push_back(tensor); }), ...);
  return tensors;
}

/// Throws Error if a call that records is about to overwrite one of these tensors and it requires gradients, or shares
/// memory with a leaf that does: the derivative of `op` does not cover it.
STRUCTURED_API void check_overwritten(std::string_view op, const std::vector<Tensor>& written);

/// Makes backward passes through `results`, and through the tensors `written` to which the call has written, fail with
/// an error that names `op`. `inputs` are tensors from which the values were computed.
STRUCTURED_API void fail_in_backward(std::string_view op, const std::vector<Tensor>& inputs,
                                     const std::vector<Tensor>& written, const std::vector<Tensor>& results = {});

}  // namespace structured::autograd
