// Annotated declarations, whose definitions are in a source without annotations.
#pragma once

#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>

namespace second::kernels {

/// The difference, for tensors of one shape.
[[structured::meta("add", "add_")]]
void add_meta(structured::MetaBase& op, const structured::Tensor& self, const structured::Tensor& other);

[[structured::impl("add.out", "CPU")]]
void add_cpu(const structured::Tensor& self, const structured::Tensor& other, const structured::Tensor& out);

}  // namespace second::kernels
