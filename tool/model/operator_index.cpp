#include "model/operator_index.h"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace structured::gen {
namespace {

bool has_equal_type(const Parameter& a, const Parameter& b) { return a.type.canonical == b.type.canonical; }

/// Order by location. A header that two sources include has one declaration at each location, and a use of a macro may
/// have several overloads.
bool is_before(const FoundDeclaration& a, const FoundDeclaration& b) {
  const auto place = [](const FoundDeclaration& found) {
    const Declaration& declaration = *found.declaration;
    return std::tuple<bool, const SourceRange&, const SourceRange&, const std::string&>(
        !found.is_imported, declaration.range, declaration.name_range, declaration.name);
  };
  if (place(a) != place(b)) return place(a) < place(b);
  const llvm::ArrayRef<Parameter> x = a.declaration->parameters, y = b.declaration->parameters;
  if (!llvm::equal(x, y, has_equal_type)) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), [](const auto& one, const auto& other) {
      return one.type.canonical < other.type.canonical;
    });
  }
  return a.fragment->source < b.fragment->source;
}

bool is_same(const FoundDeclaration& a, const FoundDeclaration& b) {
  const Declaration& x = *a.declaration;
  const Declaration& y = *b.declaration;
  // Imported declarations may have equal source ranges.
  return !a.is_imported && x.name_range.valid() && x.name_range == y.name_range && x.name == y.name &&
         llvm::equal(x.parameters, y.parameters, has_equal_type);
}

/// Whether the declaration is a scalar function in a header outside of the source root. The sources of a library are
/// below its root, so such a header belongs to another library.
bool is_of_other_header(const Declaration& declaration, const Fragment& fragment) {
  return is_scalar_function(declaration) && is_below_root(fragment.source) && !is_below_root(declaration.range.file);
}

/// Adds the variants that `variants` attributes of the kernel name. Other variants of a functional kernel are out=;
/// those of an in-place one are out= if their overload says so.
void add_derived(std::vector<NamedVariant>& variants, const OperatorRef& kernel, const OperatorIndex& index) {
  for (const Attribute& attribute : kernel.declaration().attributes) {
    if (attribute.name != "variants") continue;
    for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
      auto text = string_argument(attribute, i);
      auto name = text ? index.read_name(*text) : std::nullopt;
      if (!name) continue;
      bool is_out = !kernel.name.is_inplace() || llvm::StringRef(name->overload).ends_with("out");
      variants.push_back({*name, is_out ? Variant::Kind::out : Variant::Kind::functional, &attribute.arguments[i]});
    }
  }
  llvm::stable_sort(variants, [](const NamedVariant& a, const NamedVariant& b) { return a.kind < b.kind; });
}

OperatorName default_out_name(const OperatorName& functional) {
  OperatorName out = functional;
  out.overload = functional.overload.empty() ? "out" : functional.overload + "_out";
  return out;
}

}  // namespace

std::vector<std::string> OperatorRef::backends() const {
  if (role() == Role::composite) return {"CompositeImplicitAutograd"};
  return string_arguments(*attribute, 1);
}

const NamedVariant* DefinedOperator::find(const OperatorName& name) const {
  for (const NamedVariant& variant : variants) {
    if (variant.name == name) return &variant;
  }
  return nullptr;
}

const NamedVariant* DefinedOperator::find(Variant::Kind kind) const {
  for (const NamedVariant& variant : variants) {
    if (variant.kind == kind) return &variant;
  }
  return nullptr;
}

OperatorIndex::OperatorIndex(llvm::ArrayRef<Fragment> fragments, llvm::StringRef schema_namespace,
                             llvm::ArrayRef<ImportedLibrary> imports)
    : namespace_(schema_namespace) {
  for (const ImportedLibrary& library : imports) {
    collect(library.definitions, /*is_imported=*/true);
    collect(library.kernels, /*is_imported=*/true);
  }
  collect(fragments, /*is_imported=*/false);
  std::sort(declarations_.begin(), declarations_.end(), is_before);
  declarations_.erase(std::unique(declarations_.begin(), declarations_.end(), is_same), declarations_.end());
  for_each_reference([&](OperatorRef ref) {
    if (ref.role() == Role::meta || ref.role() == Role::pointwise) define(std::move(ref));
  });
  for_each_reference([&](OperatorRef ref) {
    if (ref.role() == Role::kernel || ref.role() == Role::composite) add_kernel(std::move(ref));
  });
  for_each_reference([&](OperatorRef ref) {
    if (ref.role() == Role::impl || ref.role() == Role::backward) add_reference(std::move(ref));
  });
}

void OperatorIndex::collect(llvm::ArrayRef<Fragment> fragments, bool is_imported) {
  for (const Fragment& fragment : fragments) {
    for (const Declaration& declaration : fragment.declarations) {
      if (!is_of_other_header(declaration, fragment)) declarations_.push_back({&declaration, &fragment, is_imported});
    }
  }
}

template <typename Function>
void OperatorIndex::for_each_reference(Function function) const {
  for (const FoundDeclaration& found : declarations_) {
    for (const Attribute& attribute : found.declaration->attributes) {
      if (!role_named(attribute.name)) continue;
      auto text = string_argument(attribute, 0);
      auto name = text ? read_name(*text) : std::nullopt;
      if (name) function(OperatorRef{found, &attribute, *name});
    }
  }
}

// Returns the imported operator that another library has defined with this very function; null if there is none.
DefinedOperator* OperatorIndex::imported_owner(const OperatorRef& scalar_function) {
  if (scalar_function.found.is_imported || scalar_function.role() != Role::pointwise) return nullptr;
  const auto found = imported_by_short_name_.find(to_string(scalar_function.name));
  if (found == imported_by_short_name_.end()) return nullptr;
  for (const OperatorName& name : found->second) {
    DefinedOperator& imported = defined_[defined_by_name_.at(to_string(name))];
    if (imported.is_structured() && imported.definition.declaration().name == scalar_function.declaration().name) {
      return &imported;
    }
  }
  return nullptr;
}

void OperatorIndex::define(OperatorRef ref) {
  if (DefinedOperator* imported = imported_owner(ref)) {
    imported->scalar_function = std::move(ref);
    return;
  }
  DefinedOperator definition{ref, named_variants(*ref.attribute, *this), {}, {}, {}, std::nullopt};
  const bool leaves_off_out = has_attribute(ref.declaration().attributes, "no_out") && !definition.variants.empty() &&
                              definition.variants.back().written == nullptr;
  if (leaves_off_out) {
    defined_by_left_off_name_.try_emplace(to_string(definition.variants.back().name), defined_.size());
    definition.variants.pop_back();
  }
  for (const NamedVariant& variant : definition.variants) {
    defined_by_name_.try_emplace(to_string(variant.name), defined_.size());
    if (definition.is_imported()) add_short_name(variant.name);
  }
  defined_.push_back(std::move(definition));
}

void OperatorIndex::add_short_name(const OperatorName& imported) {
  OperatorName name = imported;
  name.ns.clear();
  std::vector<OperatorName>& names = imported_by_short_name_[to_string(name)];
  if (!llvm::is_contained(names, imported)) names.push_back(imported);
}

void OperatorIndex::resolve_import(OperatorRef& ref) {
  llvm::StringRef written = *string_argument(*ref.attribute, 0);
  if (ref.found.is_imported || written.contains("::") || find_defined(ref.name)) return;
  auto imported = imported_by_short_name_.find(to_string(ref.name));
  if (imported == imported_by_short_name_.end()) return;
  if (imported->second.size() == 1) {
    ref.name = imported->second.front();
  } else {
    ambiguous_.push_back({ref, imported->second});
  }
}

void OperatorIndex::add_kernel(OperatorRef ref) {
  resolve_import(ref);
  std::string name = to_string(ref.name);
  if (auto found = defined_by_name_.find(name); found != defined_by_name_.end()) {
    defined_[found->second].kernels.push_back(std::move(ref));
    return;
  }
  auto [entry, is_new] = plain_by_name_.try_emplace(name, plain_.size());
  if (is_new) plain_.push_back({ref.name, {}, {}, {}});
  if (ref.found.is_imported) add_short_name(ref.name);
  add_derived(plain_[entry->second].derived, ref, *this);
  plain_[entry->second].kernels.push_back(std::move(ref));
}

void OperatorIndex::add_reference(OperatorRef ref) {
  resolve_import(ref);
  std::string name = to_string(ref.name);
  bool is_impl = ref.role() == Role::impl;
  auto found = defined_by_name_.find(name);
  bool is_defined = found != defined_by_name_.end();
  if (is_impl && !is_defined) {
    found = defined_by_left_off_name_.find(name);
    is_defined = found != defined_by_left_off_name_.end();
  }
  if (is_defined) {
    DefinedOperator& definition = defined_[found->second];
    // Derivatives of an operator belong to the library that defines it, which has the same header.
    if (!is_impl && definition.scalar_function && !ref.found.is_imported) return;
    if (!is_impl || definition.is_structured()) {
      (is_impl ? definition.impls : definition.backwards).push_back(std::move(ref));
      return;
    }
  } else if (auto plain = plain_by_name_.find(name); plain != plain_by_name_.end() && !is_impl) {
    plain_[plain->second].backwards.push_back(std::move(ref));
    return;
  }
  unresolved_.push_back(std::move(ref));
}

const DefinedOperator* OperatorIndex::find_defined(const OperatorName& name) const {
  auto found = defined_by_name_.find(to_string(name));
  return found == defined_by_name_.end() ? nullptr : &defined_[found->second];
}

const PlainOperator* OperatorIndex::find_plain(const OperatorName& name) const {
  auto found = plain_by_name_.find(to_string(name));
  return found == plain_by_name_.end() ? nullptr : &plain_[found->second];
}

std::vector<std::string> OperatorIndex::names() const {
  std::vector<std::string> names;
  for (const auto& entry : defined_by_name_) names.push_back(entry.first().str());
  for (const auto& entry : plain_by_name_) names.push_back(entry.first().str());
  llvm::sort(names);
  return names;
}

std::optional<OperatorName> OperatorIndex::read_name(llvm::StringRef text) const {
  auto name = parse_operator_name(text);
  if (!name) {
    llvm::consumeError(name.takeError());
    return std::nullopt;
  }
  if (name->ns == namespace_) name->ns.clear();
  return *name;
}

std::vector<NamedVariant> named_variants(const Attribute& attribute, const OperatorIndex& index) {
  std::optional<NamedVariant> functional, inplace, out;
  for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
    auto text = string_argument(attribute, i);
    auto name = text ? index.read_name(*text) : std::nullopt;
    if (!name) continue;
    // The first name belongs to the functional variant; the form of the others shows their kind.
    auto& variant = i == 0 ? functional : name->is_inplace() ? inplace : out;
    if (!variant) variant = NamedVariant{*name, {}, &attribute.arguments[i]};
  }
  std::vector<NamedVariant> variants;
  if (!functional) return variants;
  variants.push_back(*functional);
  if (inplace) {
    inplace->kind = Variant::Kind::inplace;
    variants.push_back(*inplace);
  }
  if (!out) out = NamedVariant{default_out_name(functional->name), {}, nullptr};
  out->kind = Variant::Kind::out;
  variants.push_back(*out);
  return variants;
}

void leave_off_implied_out_variants(std::vector<Fragment>& fragments, llvm::StringRef schema_namespace) {
  const OperatorIndex index({}, schema_namespace);
  for (Fragment& fragment : fragments) {
    for (Declaration& declaration : fragment.declarations) {
      const bool implies_out = llvm::any_of(declaration.attributes, [&](const Attribute& attribute) {
        const std::optional<Role> role = role_named(attribute.name);
        if (role != Role::meta && role != Role::pointwise) return false;
        const std::vector<NamedVariant> variants = named_variants(attribute, index);
        return !variants.empty() && variants.back().written == nullptr;
      });
      if (implies_out && !has_attribute(declaration.attributes, "no_out")) {
        declaration.attributes.push_back({"no_out", {}, {}});
      }
    }
  }
}

}  // namespace structured::gen
