// Operators: the decisions. `derive` builds them from declarations that passed every check; `emit`, `list`,
// `explain` and other tools read them. `operators.json` is their stored form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cpp_type.h"
#include "model/schema.h"
#include "model/source_range.h"

namespace structured::gen {

/// An author's function, as emitted code declares it again and calls it.
struct Function {
  std::string name;  ///< qualified, no leading `::`
  bool is_extern_c = false;
  std::string result;                   ///< canonical C++ type
  std::vector<std::string> parameters;  ///< canonical C++ types
  std::string source;                   ///< path of the source that was scanned, relative to the source root
  SourceRange range;                    ///< of its name
  friend bool operator==(const Function&, const Function&) = default;
};

/// A class of the author that emitted code names: an operator's base, or its precomputed values.
struct ClassReference {
  std::string name;    ///< canonical, qualified
  std::string header;  ///< to include for it
  friend bool operator==(const ClassReference&, const ClassReference&) = default;
};

/// The computation of one variant on one backend.
struct Kernel {
  std::string backend;  ///< `CPU`; `CompositeImplicitAutograd` and `CompositeExplicitAutograd` serve every backend
  Function function;
  bool takes_base = false;          ///< impl only: the first parameter is the operator's base
  std::vector<std::string> dtypes;  ///< coverage, where the author declared it
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// One operator as callers and dispatchers see it: a schema and its own dispatch table.
struct Variant {
  enum class Kind { functional, inplace, out };
  Kind kind = Kind::functional;
  Schema schema;
  /// C++ type of each input, in schema order (out arguments excluded), as the author spelled it, canonical.
  std::vector<std::string> input_types;
  /// Kernels that the author wrote for this very variant (`kernel`, `composite`), sorted by backend.
  std::vector<Kernel> kernels;
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// Values that meta computes for impl. Members whose name is an input's replace that input.
struct Precomputed {
  ClassReference type;
  std::vector<std::string> replaced;  ///< input names dropped from impl, in input order
  std::vector<Member> members;        ///< all public data members, in order
  friend bool operator==(const Precomputed&, const Precomputed&) = default;
};

/// Parts of a structured operator besides its variants.
struct StructuredParts {
  ClassReference base;
  Function meta;
  std::optional<Precomputed> precomputed;
  std::vector<std::string> output_names;  ///< from the impls; meta's count where there is no impl
  std::vector<Kernel> impls;              ///< sorted by backend
  friend bool operator==(const StructuredParts&, const StructuredParts&) = default;
};

/// As many tensors may go into a scalar function: `kMaxPointwiseInputs` of the runtime.
inline constexpr unsigned max_pointwise_inputs = 3;

/// A scalar function template that is a whole operator.
struct Pointwise {
  /// How one parameter of the scalar function stands for the operator's argument at the same place.
  /// A scalar must be of no higher category than the elements; one that promotes takes part in type promotion, and one
  /// that is converted may be anything. It may be optional, as a value may.
  enum class Role { element, boolean_element, scalar, promoting_scalar, converted_scalar, value };
  Function function;                  ///< parameter types are spelled with the type parameter
  std::string type_parameter;         ///< `T`
  std::vector<Role> roles;            ///< one per parameter
  bool returns_bool = false;          ///< the result is a boolean tensor
  std::string promotion;              ///< `default`, `int_to_float`, `bool`, `no_opmath`
  std::vector<std::string> dtypes;    ///< coverage, where the author declared it
  std::vector<std::string> backends;  ///< that get a kernel
  friend bool operator==(const Pointwise&, const Pointwise&) = default;
};

/// The derivative of an operator's functional variant.
struct Backward {
  Function function;
  std::vector<std::string> parameters;  ///< by name, in the function's order: `grad`, inputs, outputs
  std::vector<std::string> inputs;      ///< the differentiable inputs, one for each result
  friend bool operator==(const Backward&, const Backward&) = default;
};

/// A trio (functional, in-place, out) derived from one `meta` or one `pointwise`, or a single variant from
/// `kernel`/`composite`.
struct Operator {
  std::vector<Variant> variants;  ///< functional first; never empty
  std::optional<StructuredParts> structured;
  std::optional<Pointwise> pointwise;
  std::optional<Backward> backward;
  std::string documentation;
  std::vector<std::string> tags;
  bool is_method = false;
  bool checks_device = true;
  /// Arguments that get no C++ default; `*` stands for all of them.
  std::vector<std::string> no_cpp_default;
  friend bool operator==(const Operator&, const Operator&) = default;
};

/// An operator of another library that this one has kernels for. Only these kernels are among its kernels and impls.
/// Its schemas have the other library's namespace where that is another one.
struct ImportedOperator {
  Operator op;
  std::string schema_namespace;  ///< its library's
  std::string cpp_namespace;     ///< its library's
  friend bool operator==(const ImportedOperator&, const ImportedOperator&) = default;
};

/// All operators of one library, sorted by the schema of their first variant.
struct Library {
  static constexpr int format_version = 1;
  std::string schema_namespace;  ///< `aten` for our own kernels
  std::string cpp_namespace;     ///< `structured` for our own kernels
  std::string dialect;           ///< `native` or `aten`
  std::vector<Operator> operators;
  std::vector<ImportedOperator> imported;  ///< sorted in the same way
  friend bool operator==(const Library&, const Library&) = default;
};

}  // namespace structured::gen
