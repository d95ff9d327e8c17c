// Prints the meta functions and kernels of pointwise operators.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/writer.h"
#include "lower/lowered_library.h"
#include "lower/pointwise.h"
#include "model/operator.h"

namespace structured::gen {

/// Prints the kernels, and the meta function of an operator of the library itself. The writer is in the namespace for
/// emitted functions.
void write_pointwise_functions(Writer& writer, const LoweredVariant& variant);

/// Returns the variants whose scalar functions are in a source: indices into LoweredLibrary::variants.
std::vector<std::size_t> pointwise_variants(const LoweredLibrary& lowered, const LoweredSource& source);

/// Adds the headers that the definitions need.
void add_pointwise_headers(const LoweredLibrary& lowered, const Operator& op, std::set<std::string>& spellings);

/// Returns the expression for a set of dtypes: `::structured::kIntegralTypes | ::structured::kBool`.
std::string type_set(llvm::ArrayRef<const DtypeName*> dtypes);

/// Returns the declared elements of the scalar function: `T self`.
std::vector<std::string> declared_elements(const PointwiseKernel& kernel);
/// Prints the scalar function's call, with elements and captured values of its parameters' names.
void write_scalar_call(Writer& writer, const PointwiseKernel& kernel);

/// Returns the name of the table of a kernel that another compiler compiles: `table_of_cuda_of_add_Tensor`.
std::string table_name(const PointwiseKernel& kernel);

}  // namespace structured::gen
