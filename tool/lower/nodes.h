// Nodes of the gradient graph as data: what they keep of a recorded call, and how they compute gradients.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "lower/calling_convention.h"
#include "lower/function.h"
#include "lower/pointwise.h"
#include "model/operator.h"
#include "model/tensor_property.h"

namespace structured::gen {

/// An input whose gradient a node computes.
struct NodeInput {
  std::size_t parameter = 0;  ///< position among the variant's parameters
  bool is_list = false;       ///< each of its tensors is an input of the node; lists come last
};

/// A value that a node keeps for its derivatives.
struct SavedValue {
  enum class Kind {
    input,     ///< parameter `index`
    property,  ///< `property` of parameter `index`
    output,    ///< result `index`
  };
  Kind kind = Kind::input;
  std::size_t index = 0;
  TensorProperty property = TensorProperty::sizes;
  std::string name;              ///< `self`, `self_sizes`, `out`
  std::string type;              ///< C++ type of the parameter; empty for outputs
  Positions users;               ///< the node's inputs whose gradients need it; empty: all
  bool may_be_modified = false;  ///< a tensor that a derivative can do without; see saved_unless_modified
};

/// An argument of a derivative.
struct GradientArgument {
  enum class Kind {
    gradient,               ///< gradient of result `index`
    optional_gradient,      ///< the same, empty if none arrived
    gradients,              ///< gradients of all elements of the result, a list
    optional_gradients,     ///< the same, with empty elements where none arrived
    saved,                  ///< saved value `index`
    saved_unless_modified,  ///< saved value `index`, a tensor; empty if it was modified in place since the call
    needs_flags,            ///< an array that says which of the function's gradients are needed
    conjugate,              ///< conjugate of the gradient of the result
    weighted                ///< conjugate of the gradient of the result, times saved value `index`
  };
  Kind kind = Kind::gradient;
  std::size_t index = 0;
};

/// Returns the name of the argument's kind in text: `optional_gradient`.
const char* kind_name(GradientArgument::Kind kind);

/// An emitted function that applies a scalar function, or its derivative, to each element of a gradient.
struct ElementwiseGradient {
  CppSignature signature;       ///< without the operator's name for errors: `const Tensor& grad, const Tensor& self`
  std::string input;            ///< name of the input
  std::string operator_name;    ///< base name, for errors
  std::string scalar_function;  ///< qualified
  std::string header;           ///< defines the scalar function
  std::vector<PointwiseKernel::Parameter> parameters;  ///< parameters of the scalar function
  std::vector<std::string> elements;                   ///< names of its parameters that are elements, in order
  std::string type_parameter;
  std::optional<std::size_t> derived_for;  ///< for a derived gradient: the position in `elements`
};

/// A call of a function that the author marked with `backward`, of an emitted one, or of a gradient operator. A call of
/// nothing stands for gradients that cannot be computed.
struct GradientCall {
  const Function* function = nullptr;  ///< the author's function of tensors; null for another callee
  std::optional<ElementwiseGradient> emitted;
  std::string emitted_name;        ///< unqualified
  std::optional<OperatorName> op;  ///< a gradient operator; see gradient_operators
  std::size_t variant = 0;         ///< that operator, in LoweredLibrary::variants
  bool conjugates_result = false;  ///< whether the gradient is the conjugate of the result
  std::vector<GradientArgument> arguments;
  Positions inputs;  ///< the node's inputs whose gradients it returns
  /// For a target without nodes: the operator that computes the gradients. If `function` does, also its schema without
  /// the namespace.
  std::string full_name;
  std::string schema;
  bool is_unconditional = false;  ///< whether it is called regardless of the gradients that are needed
};

/// The class of the nodes that stand for calls of one operator.
struct LoweredNode {
  std::string name;            ///< name of the class: `MulBackward0`
  std::string comment;         ///< the operator's schema
  std::string source;          ///< kernel source with the first derivative
  std::size_t functional = 0;  ///< the functional variant, in LoweredLibrary::variants, if the operator has one
  std::vector<NodeInput> inputs;
  std::vector<SavedValue> saved;
  std::vector<GradientCall> calls;
  std::size_t results = 1;
  bool returns_list = false;
  std::vector<bool> is_tensor;   ///< for each result
  Positions constant_results;    ///< results that never require gradients
  Positions constant_arguments;  ///< mutable arguments that the derivative need not cover

  /// Whether the numbers of inputs and results are known only when a call is recorded.
  bool is_dynamic() const { return returns_list || (!inputs.empty() && inputs.back().is_list); }
};

/// Lowers the derivatives of an operator. The names of the node and of emitted functions, and the variants of gradient
/// operators are left to the caller.
llvm::Expected<LoweredNode> lower_node(const CppTypes& cpp_types, const Operator& op);

/// Lowers the derivatives of an operator that computes a gradient. It is linear in `grad`: the gradient for `grad` is a
/// call of the operator itself, and those for other tensors are calls of the operators with its derivatives, which
/// second derivatives do not have.
LoweredNode lower_gradient_node(const CppTypes& cpp_types, const Operator& op, bool is_second);

/// The class template of the runtimes that saves the property: `SavedSizes`.
llvm::StringRef class_of_saved(TensorProperty property);

/// The name of nodes in messages without a number: `MulBackward` for `mul.Tensor`.
std::string node_base_name(const OperatorName& name);

}  // namespace structured::gen
