#include "model/annotation.h"

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

template <typename T>
const T* argument(const Attribute& attribute, std::size_t index) {
  return index < attribute.arguments.size() ? std::get_if<T>(&attribute.arguments[index].value) : nullptr;
}

}  // namespace

std::optional<Role> role_of(const Declaration& declaration) {
  for (const Attribute& attribute : declaration.attributes) {
    if (auto role = role_named(attribute.name)) return role;
  }
  return std::nullopt;
}

const Attribute* find_attribute(llvm::ArrayRef<Attribute> attributes, llvm::StringRef name) {
  const auto* found = llvm::find_if(attributes, [&](const Attribute& a) { return a.name == name; });
  return found == attributes.end() ? nullptr : found;
}

bool has_attribute(llvm::ArrayRef<Attribute> attributes, llvm::StringRef name) {
  return find_attribute(attributes, name) != nullptr;
}

bool is_not_differentiable(const Declaration& declaration) {
  const Attribute* attribute = find_attribute(declaration.attributes, "not_differentiable");
  return attribute != nullptr && attribute->arguments.empty();
}

std::vector<std::string> not_differentiable_names(const Declaration& declaration) {
  const Attribute* attribute = find_attribute(declaration.attributes, "not_differentiable");
  return attribute != nullptr ? string_arguments(*attribute) : std::vector<std::string>();
}

std::optional<llvm::StringRef> string_argument(const Attribute& attribute, std::size_t index) {
  const auto* value = argument<std::string>(attribute, index);
  return value ? std::optional<llvm::StringRef>(*value) : std::nullopt;
}

std::optional<int64_t> integer_argument(const Attribute& attribute, std::size_t index) {
  const auto* value = argument<int64_t>(attribute, index);
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<bool> boolean_argument(const Attribute& attribute, std::size_t index) {
  const auto* value = argument<bool>(attribute, index);
  return value ? std::optional(*value) : std::nullopt;
}

std::vector<std::string> string_arguments(const Attribute& attribute, std::size_t first) {
  std::vector<std::string> strings;
  for (std::size_t i = first; i < attribute.arguments.size(); ++i) {
    if (auto text = string_argument(attribute, i)) strings.push_back(text->str());
  }
  return strings;
}

std::optional<AliasAttribute> read_alias(const Attribute& attribute) {
  auto text = string_argument(attribute, 0);
  if (!text || attribute.arguments.size() > 2) return std::nullopt;
  AliasAttribute alias;
  if (attribute.arguments.size() == 2) {
    auto index = integer_argument(attribute, 1);
    if (!index || *index < 0) return std::nullopt;
    alias.result = static_cast<std::size_t>(*index);
  }
  llvm::StringRef rest = *text;
  llvm::StringRef set = rest.take_while([](char c) { return c >= 'a' && c <= 'z'; });
  rest = rest.drop_front(set.size());
  llvm::StringRef arrow = rest.trim();
  if (set.empty()) return std::nullopt;
  alias.set = set.str();
  if (rest == "!") {
    alias.is_write = true;
  } else if (arrow.consume_front("->") && arrow.trim() == "*") {
    alias.is_wildcard = true;
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  // The form of the results determines whether a mutable argument is returned, so an index is an error.
  if (alias.is_write && alias.result) return std::nullopt;
  return alias;
}

std::optional<AliasAttribute> alias_of(const Parameter& parameter) {
  const Attribute* attribute = find_attribute(parameter.attributes, "alias");
  return attribute ? read_alias(*attribute) : std::nullopt;
}

bool is_understood(const Declaration& declaration) {
  return !declaration.is_invalid &&
         llvm::none_of(declaration.parameters, [](const Parameter& parameter) { return parameter.is_invalid; });
}

bool is_scalar_function(const Declaration& declaration) {
  auto role = role_of(declaration);
  return role == Role::pointwise || (role == Role::backward && !declaration.template_parameters.empty());
}

bool is_readable(const Declaration& declaration) {
  if (!is_understood(declaration)) return false;
  if (is_scalar_function(declaration)) return declaration.template_parameters.size() == 1;
  return declaration.template_parameters.empty() &&
         !llvm::is_contained(declaration.linkage_errors, LinkageError::is_template);
}

}  // namespace structured::gen
