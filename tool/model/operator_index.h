// Index of declarations by operator. `check` uses it for declarations that may be inconsistent, `derive` for those that
// passed all checks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "model/annotation.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/schema.h"

namespace structured::gen {

/// A declaration and the source that it was found in.
struct FoundDeclaration {
  const Declaration* declaration = nullptr;
  const Fragment* fragment = nullptr;
  bool is_imported = false;  ///< belongs to another library
};

/// One attribute that gives a function a role in an operator: `impl("add.out", "CPU")`.
struct OperatorRef {
  FoundDeclaration found;
  const Attribute* attribute = nullptr;
  /// Name in the attribute, with the namespace if the operator is imported; for a definition, the functional variant.
  OperatorName name;

  const Declaration& declaration() const { return *found.declaration; }
  Role role() const { return *role_named(attribute->name); }
  /// Returns the backends that `impl` or `kernel` lists; for `composite`, CompositeImplicitAutograd.
  std::vector<std::string> backends() const;
};

/// A variant that a `meta`, `pointwise` or `variants` attribute names or implies.
struct NamedVariant {
  OperatorName name;
  Variant::Kind kind = Variant::Kind::functional;
  const AttributeArgument* written = nullptr;  ///< null for an implied out variant
};

/// An operator with `meta` or `pointwise`, and all references to its variants.
struct DefinedOperator {
  OperatorRef definition;
  /// Functional, then in-place if there is one, then out unless `no_out` leaves it off.
  std::vector<NamedVariant> variants;
  std::vector<OperatorRef> impls;
  std::vector<OperatorRef> kernels;  ///< `kernel` and `composite` for single variants
  std::vector<OperatorRef> backwards;
  /// For an imported operator: its own scalar function, if a header of this library has it. The library's backends get
  /// kernels from it.
  std::optional<OperatorRef> scalar_function;

  const NamedVariant* find(const OperatorName& name) const;
  const NamedVariant* find(Variant::Kind kind) const;
  bool is_structured() const { return definition.role() == Role::meta; }
  bool is_imported() const { return definition.found.is_imported; }
};

/// An unstructured operator: all kernels of one name.
struct PlainOperator {
  OperatorName name;
  std::vector<OperatorRef> kernels;
  std::vector<OperatorRef> backwards;
  std::vector<NamedVariant> derived;  ///< variants that `variants` names, functional first

  bool is_imported() const { return kernels.front().found.is_imported; }
};

/// An unqualified operator name that several imported libraries define.
struct AmbiguousName {
  OperatorRef ref;
  std::vector<OperatorName> candidates;
};

/// The index points into the fragments and imports, which must outlive it. All lists have imported declarations first
/// and are sorted by location, regardless of the order of fragments. A declaration in a header counts once. Scalar
/// functions in headers outside of the source root are ignored: they belong to another library.
///
/// An unqualified name refers to an operator that the library defines (`meta`, `pointwise`), else to an imported
/// operator of that name, else to an operator of the library.
class OperatorIndex {
 public:
  OperatorIndex(llvm::ArrayRef<Fragment> fragments, llvm::StringRef schema_namespace,
                llvm::ArrayRef<ImportedLibrary> imports = {});

  llvm::ArrayRef<FoundDeclaration> declarations() const { return declarations_; }
  llvm::ArrayRef<DefinedOperator> defined() const { return defined_; }
  llvm::ArrayRef<PlainOperator> plain() const { return plain_; }
  /// Returns `impl` and `backward` attributes that name no suitable operator; an impl needs a structured one.
  llvm::ArrayRef<OperatorRef> unresolved() const { return unresolved_; }
  /// Returns names resolved to the library itself because several imports define them.
  llvm::ArrayRef<AmbiguousName> ambiguous() const { return ambiguous_; }

  /// Returns the operator with a variant of that name, or null.
  const DefinedOperator* find_defined(const OperatorName& name) const;
  const PlainOperator* find_plain(const OperatorName& name) const;
  /// Returns the sorted names of all variants of all operators.
  std::vector<std::string> names() const;

  /// Parses a name and omits the library's own namespace. Returns std::nullopt if it is malformed.
  std::optional<OperatorName> read_name(llvm::StringRef text) const;

 private:
  void collect(llvm::ArrayRef<Fragment> fragments, bool is_imported);
  void define(OperatorRef ref);
  DefinedOperator* imported_owner(const OperatorRef& scalar_function);
  void add_short_name(const OperatorName& imported);
  void resolve_import(OperatorRef& ref);
  void add_kernel(OperatorRef ref);
  void add_reference(OperatorRef ref);
  template <typename Function>
  void for_each_reference(Function function) const;

  std::string namespace_;
  std::vector<FoundDeclaration> declarations_;
  std::vector<DefinedOperator> defined_;
  std::vector<PlainOperator> plain_;
  std::vector<OperatorRef> unresolved_;
  std::vector<AmbiguousName> ambiguous_;
  llvm::StringMap<std::size_t> defined_by_name_;
  llvm::StringMap<std::size_t> plain_by_name_;
  llvm::StringMap<std::size_t> defined_by_left_off_name_;  ///< by the out variant's name, which impls may use
  llvm::StringMap<std::vector<OperatorName>> imported_by_short_name_;  ///< by name without namespace
};

/// Returns the variants that a `meta` or `pointwise` attribute names, and the out variant that it implies. Omits
/// malformed names, and names of a kind that an earlier name has.
std::vector<NamedVariant> named_variants(const Attribute& attribute, const OperatorIndex& index);

/// Adds `no_out` to the operators whose `meta` or `pointwise` attribute names no out variant.
void leave_off_implied_out_variants(std::vector<Fragment>& fragments, llvm::StringRef schema_namespace);

}  // namespace structured::gen
