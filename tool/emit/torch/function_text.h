// Prints lowered functions as C++ for libtorch and for its stable ABI.
#pragma once

#include <string>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/calling_convention.h"
#include "lower/function.h"

namespace structured::gen {

/// The classes and functions that emitted bodies use.
struct TorchSupport {
  llvm::StringLiteral scope;            ///< namespace of adaptors and checks
  llvm::StringLiteral adaptors_header;  ///< as in `#include`
  llvm::StringLiteral device_guard;     ///< class that makes a device current
};
inline constexpr TorchSupport torch_support{"::structured::torch::", "<structured/torch/adaptors.h>",
                                            "::c10::OptionalDeviceGuard"};

/// Returns the types and names of an emitted function.
CppSignature torch_signature(const LoweredFunction& function);

/// Declares the function: `::at::Tensor wrapper_cpu_add_Tensor(const ::at::Tensor& self, ...);`.
void declare_torch_function(Writer& writer, const LoweredFunction& function);

/// Prints the function with its comment.
void write_torch_function(Writer& writer, const TorchSupport& support, const LoweredFunction& function);

}  // namespace structured::gen
