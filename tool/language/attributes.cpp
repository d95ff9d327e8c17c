#include "language/attributes.h"

#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

constexpr std::size_t any_number = SIZE_MAX;

constexpr unsigned bit(Role role) { return 1u << static_cast<unsigned>(role); }

/// Sets of roles, as attributes.def names them.
constexpr unsigned on_meta = bit(Role::meta);
constexpr unsigned on_impl = bit(Role::impl);
constexpr unsigned on_kernel = bit(Role::kernel) | bit(Role::composite);
constexpr unsigned on_pointwise = bit(Role::pointwise);
constexpr unsigned on_any = ~0u;

constexpr AttributeSpec table[] = {
#define STRUCTURED_ROLE(name, minimum, maximum, arguments, expected, example, help) \
  {"structured::" #name,                                                            \
   AttributeTarget::function,                                                       \
   on_any,                                                                          \
   minimum,                                                                         \
   maximum,                                                                         \
   ArgumentKind::arguments,                                                         \
   expected,                                                                        \
   example,                                                                         \
   help},
#define STRUCTURED_ATTRIBUTE(name, target, roles, minimum, maximum, arguments, expected, example, help) \
  {"structured::" #name,                                                                                \
   AttributeTarget::target,                                                                             \
   roles,                                                                                               \
   minimum,                                                                                             \
   maximum,                                                                                             \
   ArgumentKind::arguments,                                                                             \
   expected,                                                                                            \
   example,                                                                                             \
   help},
#include "language/attributes.def"
};

constexpr llvm::StringLiteral role_names[] = {
#define STRUCTURED_ROLE(name, minimum, maximum, arguments, expected, example, help) #name,
#include "language/attributes.def"
};

}  // namespace

std::optional<Role> role_named(llvm::StringRef attribute) {
  const auto* found = llvm::find(role_names, attribute);
  if (found == std::end(role_names)) return std::nullopt;
  return static_cast<Role>(found - role_names);
}

const char* name_of(Role role) { return role_names[static_cast<std::size_t>(role)].data(); }

llvm::ArrayRef<AttributeSpec> attribute_table() { return table; }

const AttributeSpec* find_attribute(llvm::StringRef name) {
  const auto* found = llvm::find_if(table, [&](const AttributeSpec& spec) { return spec.name() == name; });
  return found == std::end(table) ? nullptr : found;
}

bool resembles_scope(llvm::StringRef scope) {
  return scope != "structured" && nearest(scope, {"structured"}).has_value();
}

llvm::ArrayRef<llvm::StringLiteral> standard_attributes() {
  static constexpr llvm::StringLiteral names[] = {
      "assume",       "carries_dependency", "deprecated", "fallthrough", "indeterminate", "likely",
      "maybe_unused", "no_unique_address",  "nodiscard",  "noreturn",    "unlikely",
  };
  return names;
}

llvm::ArrayRef<llvm::StringLiteral> autocast_rules() {
  static constexpr llvm::StringLiteral rules[] = {"lower_precision", "fp32", "promote"};
  return rules;
}

LiteralForm literal_form(ArgumentKind arguments, std::size_t index) {
  switch (arguments) {
    case ArgumentKind::length:
      return LiteralForm::integer;
    case ArgumentKind::boolean:
      return LiteralForm::boolean;
    case ArgumentKind::alias_set:
      return index == 1 ? LiteralForm::integer : LiteralForm::string;
    default:
      return LiteralForm::string;
  }
}

}  // namespace structured::gen
