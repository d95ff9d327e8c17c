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
#include "model/operator.h"
#include "model/schema.h"

namespace structured::gen {

/// A declaration and the source that it was found in.
struct FoundDeclaration {
  const Declaration* declaration = nullptr;
  const Fragment* fragment = nullptr;
};

/// One attribute that gives a function a role in an operator: `impl("add.out", "CPU")`.
struct Site {
  FoundDeclaration found;
  const Attribute* attribute = nullptr;
  OperatorName name;  ///< as the attribute has it; of a definition, the functional variant's

  const Declaration& declaration() const { return *found.declaration; }
  Role role() const { return *role_named(attribute->name); }
  /// What `impl` and `kernel` list; for `composite`, CompositeImplicitAutograd.
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
  Site definition;
  std::vector<NamedVariant> variants;  ///< functional, then in-place if there is one, then out
  std::vector<Site> impls;
  std::vector<Site> kernels;  ///< `kernel` and `composite` for single variants
  std::vector<Site> backwards;

  const NamedVariant* find(const OperatorName& name) const;
  const NamedVariant* find(Variant::Kind kind) const;
  bool is_structured() const { return definition.role() == Role::meta; }
};

/// An unstructured operator: all kernels of one name.
struct PlainOperator {
  OperatorName name;
  std::vector<Site> kernels;
  std::vector<Site> backwards;
};

/// Everything points into the fragments, which must outlive the index. Order: by place, whatever the order of the
/// fragments. A declaration that several sources see is one declaration.
class OperatorIndex {
 public:
  OperatorIndex(llvm::ArrayRef<Fragment> fragments, llvm::StringRef schema_namespace);

  llvm::ArrayRef<FoundDeclaration> declarations() const { return declarations_; }
  llvm::ArrayRef<DefinedOperator> defined() const { return defined_; }
  llvm::ArrayRef<PlainOperator> plain() const { return plain_; }
  /// `impl` and `backward` that name no operator. An impl that names a plain or pointwise operator is among them.
  llvm::ArrayRef<Site> unresolved() const { return unresolved_; }

  /// The operator with a variant of that name, or null.
  const DefinedOperator* find_defined(const OperatorName& name) const;
  const PlainOperator* find_plain(const OperatorName& name) const;
  /// The names of all variants of all operators, sorted, as text.
  std::vector<std::string> names() const;

  /// Reads a name of this library: its own namespace is left out. Nothing if it is malformed.
  std::optional<OperatorName> read_name(llvm::StringRef text) const;

 private:
  void collect(llvm::ArrayRef<Fragment> fragments);
  void define(Site site);
  void add_kernel(Site site);
  void add_reference(Site site);
  template <typename Function>
  void for_each_site(Function function) const;

  std::string namespace_;
  std::vector<FoundDeclaration> declarations_;
  std::vector<DefinedOperator> defined_;
  std::vector<PlainOperator> plain_;
  std::vector<Site> unresolved_;
  llvm::StringMap<std::size_t> defined_by_name_;
  llvm::StringMap<std::size_t> plain_by_name_;
};

/// The variants that the names in a `meta` or `pointwise` attribute stand for. A name that finds its kind taken is
/// left out, as is one that cannot be read.
std::vector<NamedVariant> named_variants(const Attribute& attribute, const OperatorIndex& index);

}  // namespace structured::gen
