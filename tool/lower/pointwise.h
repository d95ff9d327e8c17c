// Lowers pointwise operators to structured operators, with their meta function and kernels as data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/dtypes.h"
#include "lower/calling_convention.h"
#include "model/operator.h"

namespace structured::gen {

/// The emitted meta function: it builds the iterator, then checks dtypes and scalars.
struct PointwiseMeta {
  struct Scalar {
    std::string name;
    bool is_optional = false;
    friend bool operator==(const Scalar&, const Scalar&) = default;
  };
  std::string function;                      ///< unqualified
  CppSignature signature;                    ///< without the iterator, which comes first
  std::vector<bool> is_used;                 ///< for each parameter
  std::vector<std::string> boolean_tensors;  ///< tensors that must have dtype Bool
  std::string builder;                       ///< the iterator's function; empty: the general one
  std::vector<std::string> tensors;          ///< operands
  std::vector<Scalar> promoting_scalars;     ///< operands that are numbers
  bool is_boolean = false;                   ///< whether the result is a boolean tensor
  bool is_floating = false;                  ///< whether integers are computed as floating point
  std::vector<const DtypeName*> dtypes;      ///< supported common dtypes; empty: any
  std::vector<std::string> checked_scalars;  ///< scalars whose category must not exceed that of the common dtype
};

/// A derivative of the scalar function, times the gradient of the result, which kernels compute in place of the
/// function's value. The gradient is the element `grad`.
struct PointwiseDerivative {
  std::vector<std::string> by;  ///< names of one or two elements, which may be the same
  bool takes_weight = false;    ///< whether `grad` is a parameter of the function, which is linear in it
  bool is_second() const { return by.size() + (takes_weight ? 1 : 0) > 1; }
};

/// An emitted kernel: a loop over all elements that calls the scalar function.
struct PointwiseKernel {
  enum class Conversion {
    none,       ///< passed unchanged
    exact,      ///< to the element type
    promoting,  ///< to the element type, like an element of another dtype
  };
  struct Parameter {
    std::string name;
    std::string type;
    bool is_element =
        false;  ///< an element of a tensor, hence a parameter of the kernel's loop body; others are captured
    bool is_boolean = false;  ///< an element of a boolean tensor
    bool is_optional = false;
    Conversion conversion = Conversion::none;
    bool is_text = false;                ///< text, whose characters the caller owns
    bool is_gradient = false;            ///< the gradient of the result, in a kernel that computes a derivative
    std::vector<bool> is_variable = {};  ///< for each name in PointwiseDerivative::by: whether it is this parameter
    friend bool operator==(const Parameter&, const Parameter&) = default;
  };
  std::string backend;                ///< `CPU`
  std::string cpp_namespace;          ///< of the backend's runtime and emitted functions: `cpu`
  std::string function;               ///< unqualified
  CppSignature signature;             ///< without the iterator, which comes first: the inputs and the output
  std::vector<Parameter> parameters;  ///< the operator's inputs
  std::string type_parameter;         ///< of the loop body: `T`
  std::vector<const DtypeName*> dtypes;
  bool is_boolean = false;      ///< whether the result is a boolean tensor
  bool uses_opmath = true;      ///< whether half-precision elements are computed as float
  std::string scalar_function;  ///< qualified
  std::optional<PointwiseDerivative> derivative;
  bool is_vectorized = true;    ///< whether the loop is compiled for several instruction sets
  bool is_device_code = false;  ///< whether another compiler compiles the loop, in a source of its own
};

struct PointwiseFunctions {
  std::string operator_name;  ///< base name, for errors
  PointwiseMeta meta;
  std::vector<PointwiseKernel> kernels;  ///< one for each backend
};

/// Whether the function's result is an element of a boolean tensor.
bool has_boolean_result(const Pointwise& pointwise);
/// Whether the function computes integers as floating point.
bool computes_floating(const Pointwise& pointwise);

/// Returns the dtypes and sets of dtypes that the function supports, sets first.
std::vector<const DtypeName*> dtypes_of(const Pointwise& pointwise);

/// Returns how a kernel converts an argument for the scalar function's parameter of this role.
PointwiseKernel::Conversion conversion_for(Pointwise::Role role);

/// Describes what is wrong with the scalar function in a phrase that follows "operator `x`"; empty if nothing is.
std::string fault_in_pointwise(const Operator& op);

/// Returns the operator with a meta function and one impl for each of its backends. `impl_names` are qualified, in the
/// order of Pointwise::backends. Keeps `pointwise`.
Operator pointwise_as_structured(const CppTypes& cpp_types, const Operator& op, const std::string& meta_name,
                                 const std::vector<std::string>& impl_names);

/// Returns the functions to which pointwise_as_structured refers. The kernels compute the derivative if there is one.
PointwiseFunctions lower_pointwise(const CppTypes& cpp_types, const Operator& op,
                                   const std::optional<PointwiseDerivative>& derivative = std::nullopt);

}  // namespace structured::gen
