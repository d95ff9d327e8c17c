// Type table of a dialect for `check` and `derive`: the schema type of each canonical C++ type, the names of
// backends, and suggestions for unsupported types. The tables themselves are in tool/dialect/. CppTypes maps schema
// types to C++ types in emitted code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "model/cpp_type.h"
#include "model/schema.h"

namespace structured::gen {

struct CppTypeTree;

/// Immutable, so it may be read from several threads.
///
/// Canonical spellings are those of CppType::canonical, normalized by parse_cpp_type: `long long` is equal to
/// `long` except in lists, and the `const` of a parameter passed by value is ignored.
class TypeTable {
 public:
  /// A C++ type and its schema type.
  struct Row {
    llvm::StringRef canonical;  ///< `structured::ArrayRef<long>`
    llvm::StringRef schema;     ///< `int[]`
    llvm::StringRef written;    ///< as authors write it: `IntArrayRef`
  };
  /// A class template of optionals or lists, for the type of their elements.
  struct Template {
    llvm::StringRef canonical;  ///< `structured::ArrayRef`
    llvm::StringRef written;    ///< as authors write it: `ArrayRef`
  };
  /// The remedy for a class that has no schema type.
  struct Advice {
    llvm::StringRef type;      ///< `c10::Scalar`
    llvm::StringRef expected;  ///< the rest of "expected ..."
  };
  /// The properties of a dialect. The arrays and strings must outlive the table.
  ///
  /// Rows name the types of single values, and C++ types that differ from composed ones. All other types are composed:
  /// an optional of any type, and a list of any type that has lists (structured/schema/types.def).
  struct Spec {
    llvm::StringRef tensor;          ///< `structured::Tensor`
    llvm::StringRef written_tensor;  ///< as an author writes it: `Tensor`
    llvm::StringRef meta_base;       ///< `structured::MetaBase`
    llvm::ArrayRef<Row> parameters;  ///< all but mutable tensors and `bool[N]`; the first of a schema type is suggested
    llvm::ArrayRef<Row> results;     ///< single results by value
    llvm::ArrayRef<Template> optionals;  ///< the first is suggested
    Template list;                       ///< of parameters; results are of std::vector
    /// Whether composed parameters are references to const if their elements are, or they have a list.
    bool has_composed_references = false;
    llvm::ArrayRef<llvm::StringRef> backends;
    bool has_refined_tensors = false;                         ///< see model/refinement.h
    llvm::ArrayRef<llvm::StringRef> pointwise_backends = {};  ///< backends with elementwise loops for scalar functions
    /// Backends for scalar functions in libraries that list them: another compiler compiles their loops.
    llvm::ArrayRef<llvm::StringRef> listed_pointwise_backends = {};
    bool has_gradients = false;              ///< whether emitted code records calls and computes gradients
    bool has_torch_schemas = false;          ///< whether PyTorch parses the schemas
    bool has_bool_arrays = true;             ///< whether `std::array<bool, N>` is `bool[N]`
    bool has_list_gradients = true;          ///< whether several lists, or an optional one, can have derivatives
    Type::Base scalar = Type::Base::Scalar;  ///< schema type of the numbers in scalar functions
    llvm::ArrayRef<Advice> advice = {};
  };
  explicit TypeTable(const Spec& spec);

  struct Classified {
    Type type;
    bool is_mutable = false;  ///< a non-const `Tensor&`
    friend bool operator==(const Classified&, const Classified&) = default;
  };
  /// Returns the schema type of a parameter: `Tensor` for `const structured::Tensor &`. Ignores the attributes `size`
  /// and `symint`. Returns std::nullopt if the dialect does not support the type.
  std::optional<Classified> argument(llvm::StringRef canonical) const;

  /// Returns the schema types of a result: none for `void`, several for `std::tuple<...>`, `Tensor` for `Tensor &`
  /// (see result_is_reference). A tuple must have at least two elements, and either all or none are references.
  std::optional<std::vector<Type>> results(llvm::StringRef canonical) const;
  /// Whether the result is `Tensor &` or a tuple of these: the function returns its mutable arguments.
  bool result_is_reference(llvm::StringRef canonical) const;

  /// Returns the supported type to suggest for an unsupported parameter type: `int64_t` for `int`.
  std::optional<std::string> suggestion(llvm::StringRef canonical) const;
  /// Whether the result is a tuple of `Tensor &` and of values, which no schema type has.
  bool result_mixes_references(llvm::StringRef canonical) const;

  /// Returns the supported type to suggest for a result: `std::vector<int64_t>` for `structured::ArrayRef<long>`, and
  /// the values alone for a tuple of `Tensor &` and of values.
  std::optional<std::string> result_suggestion(llvm::StringRef canonical) const;

  /// Returns the qualified name of the base class of all operator bases.
  llvm::StringRef meta_base() const { return spec_.meta_base; }
  /// Returns the qualified name of the tensor class.
  llvm::StringRef tensor() const { return spec_.tensor; }
  /// Returns all names that `impl` and `kernel` accept.
  llvm::ArrayRef<llvm::StringRef> backends() const { return spec_.backends; }
  bool is_backend(llvm::StringRef name) const;
  /// Returns the backends for which scalar functions get kernels, in a library for the backends `library` (empty: all
  /// but those that must be listed).
  std::vector<std::string> pointwise_backends(llvm::ArrayRef<std::string> library) const;

  /// Whether emitted code records calls and computes gradients.
  bool has_gradients() const { return spec_.has_gradients; }
  bool has_list_gradients() const { return spec_.has_list_gradients; }
  /// Returns the schema type of a parameter with the attribute `scalar`. A type other than Scalar does not tell the
  /// category of the caller's number, and has no part in type promotion.
  Type::Base scalar() const { return spec_.scalar; }
  /// Returns the remedy for a type without a schema type and without a `suggestion`; empty if unknown.
  llvm::StringRef advice(llvm::StringRef canonical) const;
  /// Whether PyTorch parses the schemas, and reserves names in them.
  bool has_torch_schemas() const { return spec_.has_torch_schemas; }

  /// Returns the usual canonical C++ parameter type for a schema type: `const structured::Scalar &` for `Scalar`.
  /// std::nullopt if the target does not support the type.
  std::optional<std::string> canonical_argument(const Type& type) const;
  /// Return the usual C++ type of a parameter or a single result for a schema type without list lengths. std::nullopt
  /// if the target does not support the type.
  std::optional<CppType> parameter_type(const Type& type) const;
  std::optional<CppType> result_type(const Type& type) const;
  /// Returns a supported canonical type as authors write it: `const Scalar&`. Returns other types unchanged.
  std::string written_argument(llvm::StringRef canonical) const;
  /// Whether wrappers check properties of tensors that parameters state.
  bool has_refined_tensors() const { return spec_.has_refined_tensors; }
  /// Whether the type is a refined tensor.
  bool is_refined(llvm::StringRef canonical) const;
  /// Whether the type is `const Tensor&` or a refined tensor.
  bool is_tensor_handle(llvm::StringRef canonical) const;
  /// Returns `structured::Tensor &`.
  std::string mutable_tensor() const { return spec_.tensor.str() + " &"; }
  /// Returns the tensor class as authors write it: `Tensor`.
  llvm::StringRef written_tensor() const { return spec_.written_tensor; }

 private:
  struct Entry {
    Type type;
    std::string written;
  };
  using Entries = llvm::StringMap<Entry>;
  /// Returns the entry for the type of a parameter.
  std::optional<Entry> parameter(const CppTypeTree& spelling) const;
  /// Returns the entry for a type as an element of an optional or a list.
  std::optional<Entry> parameter_element(const CppTypeTree& spelling) const;
  std::optional<Entry> single_result(const CppTypeTree& spelling) const;
  /// Returns the entry for an optional or a list, whose element has an entry; nullopt for other types.
  std::optional<Entry> composed(const CppTypeTree& spelling, llvm::ArrayRef<Row> rows, const Template& list,
                                std::optional<Entry> (TypeTable::*element)(const CppTypeTree&) const) const;
  /// Returns the C++ type of a schema type: that of the first row, or the composed one.
  std::optional<CppType> usual_type(llvm::ArrayRef<Row> rows, const Template& list, const Type& type) const;
  bool is_mutable_tensor(const CppTypeTree& spelling) const;
  /// Guesses the schema type for an unsupported C++ type: `int` for integers of any width, lists for containers, and
  /// the type of the referent for references and pointers.
  std::optional<Type> intended(CppTypeTree spelling) const;
  std::optional<std::string> written_result(const CppTypeTree& spelling) const;

  Spec spec_;
  Entries parameters_;
  Entries results_;
};

/// Whether one kernel serves every backend: `CompositeImplicitAutograd`, `CompositeExplicitAutograd`.
bool is_composite_backend(llvm::StringRef name);

}  // namespace structured::gen
