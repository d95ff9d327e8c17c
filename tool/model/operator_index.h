// Which declarations belong to which operator. Shared by `check`, which must cope with declarations that do not
// fit together, and `derive`, which gets only those that do.
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
  /// As the attribute has it, with the namespace of an imported operator; of a definition, the functional variant's.
  OperatorName name;

  const Declaration& declaration() const { return *found.declaration; }
  Role role() const { return *role_named(attribute->name); }
  /// The backends that `impl` and `kernel` list; for `composite`, CompositeImplicitAutograd.
  std::vector<std::string> backends() const;
};

/// A variant that a `meta` or `pointwise` names, or that follows from its name.
struct NamedVariant {
  OperatorName name;
  Variant::Kind kind = Variant::Kind::functional;
  const AttributeArgument* written = nullptr;  ///< null for an out variant that is not named
};

/// An operator with `meta` or `pointwise`, and all that refers to it by one of its variants' names.
struct DefinedOperator {
  OperatorRef definition;
  std::vector<NamedVariant> variants;  ///< functional, then in-place if there is one, then out
  std::vector<OperatorRef> impls;
  std::vector<OperatorRef> kernels;  ///< `kernel` and `composite` for single variants
  std::vector<OperatorRef> backwards;

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

  bool is_imported() const { return kernels.front().found.is_imported; }
};

/// An attribute that names, without a namespace, an operator that several imported libraries have.
struct AmbiguousName {
  OperatorRef ref;
  std::vector<OperatorName> candidates;
};

/// Everything points into the fragments and imports, which must outlive the index. Order: by place, whatever the order
/// of the fragments, what is imported first. A declaration that several sources see is one declaration.
///
/// A name without a namespace is one of the library's own operators if that has a definition (`meta`, `pointwise`),
/// else an imported one if there is one of that name, else the library's own.
class OperatorIndex {
 public:
  OperatorIndex(llvm::ArrayRef<Fragment> fragments, llvm::StringRef schema_namespace,
                llvm::ArrayRef<ImportedLibrary> imports = {});

  llvm::ArrayRef<FoundDeclaration> declarations() const { return declarations_; }
  llvm::ArrayRef<DefinedOperator> defined() const { return defined_; }
  llvm::ArrayRef<PlainOperator> plain() const { return plain_; }
  /// `impl` and `backward` that name no operator. An impl that names a plain or pointwise operator is among them.
  llvm::ArrayRef<OperatorRef> unresolved() const { return unresolved_; }
  /// Names taken for the library's own because several imports define them.
  llvm::ArrayRef<AmbiguousName> ambiguous() const { return ambiguous_; }

  /// The operator with a variant of that name, or null.
  const DefinedOperator* find_defined(const OperatorName& name) const;
  const PlainOperator* find_plain(const OperatorName& name) const;
  /// The names of all variants of all operators, sorted, as text.
  std::vector<std::string> names() const;

  /// Reads a name of this library: its own namespace is omitted. Returns std::nullopt if it is malformed.
  std::optional<OperatorName> read_name(llvm::StringRef text) const;

 private:
  void collect(llvm::ArrayRef<Fragment> fragments, bool is_imported);
  void define(OperatorRef ref);
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
  llvm::StringMap<std::vector<OperatorName>> imported_by_short_name_;  ///< by name without namespace
};

/// The variants that the names in a `meta` or `pointwise` attribute stand for. A name that finds its kind taken is
/// left out, as is one that cannot be read.
std::vector<NamedVariant> named_variants(const Attribute& attribute, const OperatorIndex& index);

}  // namespace structured::gen
