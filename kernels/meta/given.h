// Optional tensors.
#pragma once

#include <structured/core/tensor.h>

#include <optional>

namespace structured::kernels {

/// Whether `tensor` is present and defined: boxed calls pass absent tensors in both forms.
inline bool is_given(const std::optional<Tensor>& tensor) { return tensor.has_value() && tensor->defined(); }

}  // namespace structured::kernels
