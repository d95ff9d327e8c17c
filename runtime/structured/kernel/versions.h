#pragma once
// Version counters of tensors that an unstructured kernel wrote. Adaptors bump those of structured outputs.
#include "structured/core/tensor.h"
#include "structured/kernel/guards.h"

namespace structured {

/// Bumps the version of every defined tensor among the arguments, also in optionals and lists.
template <class... Args>
void bump_versions(const Args&... args) {
  (detail::visit_tensors(args, [](const Tensor& tensor) { tensor.bump_version(); }), ...);
}

}  // namespace structured
