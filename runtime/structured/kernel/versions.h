#pragma once
// Version counters of what an ordinary kernel wrote. Adaptors bump those of a structured operator's outputs.
#include "structured/core/tensor.h"
#include "structured/kernel/guards.h"

namespace structured {

/// Bumps the version of every defined tensor among the arguments, also in optionals and lists.
template <class... Args>
void bump_versions(const Args&... args) {
  (detail::visit_tensors(args, [](const Tensor& tensor) { tensor.bump_version(); }), ...);
}

}  // namespace structured
