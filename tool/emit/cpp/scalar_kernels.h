// Parts of emitted kernels that call a scalar function for each element.
#pragma once

#include <string>
#include <vector>

#include "emit/writer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "lower/pointwise.h"

namespace structured::gen {

/// `{self, other}`
std::string braced(llvm::ArrayRef<std::string> items);

/// `/*is_boolean=*/true`
std::string flag_argument(llvm::StringRef name, bool value);

/// Returns the declared parameters of the meta function: `iterator`, then the operator's inputs.
std::vector<std::string> meta_parameters(const PointwiseMeta& meta, const std::string& iterator);

/// Returns the declared parameters of the kernel: `iterator`, then the inputs and the output.
std::vector<std::string> kernel_parameters(const PointwiseKernel& kernel, const std::string& iterator);

/// Returns the type of the scalar function's result: `T`.
std::string element_result(const PointwiseKernel& kernel);

/// Returns the member declarations of a structure with the values that a kernel's scalar function has besides elements:
/// `T alpha;`. They have the order of the parameters.
std::vector<std::string> captured_members(const PointwiseKernel& kernel);

/// Prints a structure template that holds the captured values and whose operator calls the scalar function, which
/// `write_call` prints: nvcc has no lambda expressions for devices in templates.
void write_element_structure(Writer& writer, const PointwiseKernel& kernel, const std::string& name,
                             llvm::ArrayRef<std::string> elements, llvm::function_ref<void()> write_call);

}  // namespace structured::gen
