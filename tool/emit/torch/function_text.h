// Prints lowered functions as C++ for libtorch and for its stable ABI.
#pragma once

#include <string>
#include <vector>

#include "emit/cpp/step_writer.h"
#include "emit/writer.h"
#include "language/dtypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "lower/function.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// The classes and functions that emitted bodies use.
struct TorchSupport {
  StepSpelling steps;
  llvm::StringLiteral adaptors_header;   ///< as in `#include`
  llvm::StringLiteral pointwise_header;  ///< for scalar functions
};
inline constexpr TorchSupport torch_support{
    {"::structured::torch::", "::c10::OptionalDeviceGuard", /*labels_tensors=*/true},
    "<structured/torch/adaptors.h>",
    "<structured/torch/pointwise.h>"};

/// Namespace of the functions that emitted sources call.
inline const std::string torch_scope = "::structured::torch::";

/// `::structured::torch::kIntegralTypes | ::structured::torch::kBool`
std::string torch_dtype_set(llvm::ArrayRef<const DtypeName*> dtypes, llvm::StringRef scope = torch_scope);

/// Folders of headers that are included as `<...>`.
inline constexpr llvm::StringLiteral torch_folders[] = {"structured/", "ATen/", "c10/", "torch/"};

/// Returns the steps that both runtimes have. Kernels of another key bump versions, kernels check overlap themselves,
/// and there are no refined tensors.
StepSet torch_steps();

/// Arguments that tell a kernel for Meta what computes symbolic sizes: `"my::_symbolic_crop"`, `SCOPE::out`.
std::vector<std::string> symbolic_arguments(const LoweredVariant& variant, llvm::StringRef scope);

/// Declares the function: `::at::Tensor wrapper_cpu_add_Tensor(const ::at::Tensor& self, ...);`.
void declare_torch_function(Writer& writer, const LoweredFunction& function);

/// Prints the function with its comment.
void write_torch_function(Writer& writer, const TorchSupport& support, const LoweredFunction& function);

}  // namespace structured::gen
