// Operators. `derive` builds them from declarations that passed every check; `emit`, `list`, `explain` and other
// tools read them. Their stored form is `operators.json`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cpp_type.h"
#include "model/scalar_graph.h"
#include "model/schema.h"
#include "model/shape_program.h"
#include "model/source_range.h"

namespace structured::gen {

/// An author's function, which emitted code redeclares and calls.
struct Function {
  std::string name;  ///< qualified, no leading `::`
  bool is_extern_c = false;
  std::string result;                   ///< canonical C++ type
  std::vector<std::string> parameters;  ///< canonical C++ types
  std::string source;                   ///< path of the source that was scanned, relative to the source root
  SourceRange range;                    ///< range of the name
  /// For each parameter, the refined type that states its properties, or an empty string; empty if none has properties.
  std::vector<std::string> refined = {};
  friend bool operator==(const Function&, const Function&) = default;
};

/// A class of the author that emitted code names: an operator's base, or its precomputed values.
struct ClassReference {
  std::string name;    ///< canonical, qualified
  std::string header;  ///< header that defines it
  friend bool operator==(const ClassReference&, const ClassReference&) = default;
};

/// The computation of one variant on one backend.
struct Kernel {
  std::string backend;  ///< `CPU`; `CompositeImplicitAutograd` and `CompositeExplicitAutograd` serve every backend
  Function function;
  bool takes_base = false;          ///< for impls: whether the first parameter is the operator's base
  std::vector<std::string> dtypes;  ///< supported dtypes, if declared
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// One operator as callers and dispatchers see it: a schema and its own dispatch table.
struct Variant {
  enum class Kind { functional, inplace, out };
  Kind kind = Kind::functional;
  Schema schema;
  /// Canonical C++ type of each input in schema order, without out arguments.
  std::vector<std::string> input_types;
  /// Kernels that the author wrote for this variant (`kernel`, `composite`), sorted by backend.
  std::vector<Kernel> kernels;
  /// Name of the operator that the runtime calls to compute a variant that `variants` names; empty for others. Its only
  /// kernel has the function of the operator, which shows the source location.
  std::string derived_from = {};
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// Values that meta computes for impl. A member with the name of an input replaces that input.
struct Precomputed {
  ClassReference type;
  std::vector<std::string> replaced;  ///< input names dropped from impl, in input order
  std::vector<Member> members;        ///< all public data members, in order
  friend bool operator==(const Precomputed&, const Precomputed&) = default;
};

/// Properties of a structured operator other than its variants.
struct StructuredParts {
  ClassReference base;
  Function meta;
  std::optional<Precomputed> precomputed;
  std::vector<std::string> output_names;  ///< from the impls, or else derived from meta
  std::vector<Kernel> impls;              ///< sorted by backend
  /// Whether meta is a member function of the base, as in ATen.
  bool meta_is_member() const { return meta.name == base.name + "::meta"; }
  friend bool operator==(const StructuredParts&, const StructuredParts&) = default;
};

/// Limit on tensor inputs of a scalar function: `kMaxPointwiseInputs` of the runtime.
inline constexpr unsigned max_pointwise_inputs = 3;

/// A scalar function template that defines an operator.
struct Pointwise {
  /// How a parameter of the scalar function relates to the operator's argument at the same position. The category of
  /// a `scalar` must not exceed that of the elements; a `promoting_scalar` takes part in type promotion; a
  /// `converted_scalar` may have any category. Scalars and values may be optional.
  enum class Role { element, boolean_element, scalar, promoting_scalar, converted_scalar, value };
  Function function;                    ///< parameter types are spelled with the type parameter
  std::string type_parameter;           ///< `T`
  std::vector<Role> roles;              ///< one per parameter
  bool returns_bool = false;            ///< the result is a boolean tensor
  std::string promotion;                ///< `default`, `int_to_float`, `bool`, `no_opmath`
  std::vector<std::string> dtypes;      ///< supported dtypes, if declared
  std::vector<std::string> backends;    ///< backends that get a kernel
  bool is_opaque = false;               ///< whether compilers see the operator as a whole, not what it computes
  std::vector<ScalarBody> bodies = {};  ///< of the function and its derivatives, if scans evaluate them
  friend bool operator==(const Pointwise&, const Pointwise&) = default;
};

/// A function that computes gradients of some inputs of an operator.
struct Backward {
  enum class Kind {
    tensors,  ///< a function of tensors
    scalar,   ///< a scalar function template, applied to each element
    derived   ///< the derivative of the operator's own scalar function; see derivatives_of
  };
  Kind kind = Kind::tensors;
  Function function;
  std::vector<std::string> parameters;  ///< names in order: `grad`, inputs, their `_sizes`, outputs, `needs_gradient`
  std::vector<std::string> inputs;      ///< the inputs, one for each result
  std::vector<ScalarBody> bodies = {};  ///< of a scalar function, if scans evaluate them
  friend bool operator==(const Backward&, const Backward&) = default;
};

/// Functional, in-place and out variants derived from one `meta` or `pointwise`, or a single variant from `kernel` or
/// `composite`.
struct Operator {
  std::vector<Variant> variants;  ///< functional first; never empty
  std::optional<StructuredParts> structured;
  std::optional<Pointwise> pointwise;
  /// The function that the impls of a structured operator apply to each element, in the form of a scalar function, if
  /// scans evaluate it. `function` is the first of these impls.
  std::optional<Pointwise> loop;
  std::vector<Backward> backwards;
  bool is_differentiable = true;  ///< false: results never require gradients
  /// Results that never require gradients, and mutable arguments that the derivative need not cover, in an operator
  /// that is differentiable.
  std::vector<std::string> not_differentiable;
  std::string documentation;
  std::vector<std::string> tags;
  bool is_method = false;
  bool checks_device = true;
  std::optional<ShapeProgram> shape;  ///< the meta function, if scans translate it
  std::string autocast;               ///< rule by which torch.autocast converts tensors: `lower_precision`; or empty
  std::string sharding;               ///< rule by which processes share the work (model/sharding_rule.h); or empty
  /// Arguments without a C++ default; `*` means all.
  std::vector<std::string> no_cpp_default;
  friend bool operator==(const Operator&, const Operator&) = default;
};

/// An operator of another library for which this one has kernels. Its kernels and impls include only those of this
/// library. Its schemas have the other library's namespace if the two differ.
struct ImportedOperator {
  Operator op;
  std::string schema_namespace;  ///< its library's
  std::string cpp_namespace;     ///< its library's
  friend bool operator==(const ImportedOperator&, const ImportedOperator&) = default;
};

/// All operators of one library, sorted by the schema of their first variant.
struct Library {
  static constexpr int format_version = 1;
  std::string schema_namespace;  ///< `aten` for this project's kernels
  std::string cpp_namespace;     ///< `structured` for this project's kernels
  std::string dialect;           ///< `native` or `aten`
  std::vector<Operator> operators;
  std::vector<ImportedOperator> imported;  ///< sorted like `operators`
  friend bool operator==(const Library&, const Library&) = default;
};

}  // namespace structured::gen
