// Prints lowered functions as C++ for libtorch.
#pragma once

#include <string>

#include "emit/writer.h"
#include "lower/function.h"

namespace structured::gen {

/// Declares the function: `::at::Tensor wrapper_cpu_add_Tensor(const ::at::Tensor& self, ...);`.
void declare_torch_function(Writer& writer, const LoweredFunction& function);

/// Prints the function with its comment. Its body uses the classes and functions of `structured/torch/adaptors.h`.
void write_torch_function(Writer& writer, const LoweredFunction& function);

}  // namespace structured::gen
