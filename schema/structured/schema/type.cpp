#include "structured/schema/type.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace structured::schema {
namespace {

// In the order of the enumerators.
constexpr std::string_view base_names[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, ...) schema,
#define STRUCTURED_BASE_TYPE(enumerator, schema, ...) schema,
#define STRUCTURED_ATEN_TYPE(enumerator, schema) schema,
#include "structured/schema/types.def"
};

}  // namespace

bool contains_list(const Type& type) {
  return std::any_of(type.wrappers.begin(), type.wrappers.end(),
                     [](const Type::Wrapper& wrapper) { return wrapper.kind == Type::Wrapper::Kind::list; });
}

Type unwrapped(Type type) {
  type.wrappers.pop_back();
  return type;
}

std::string_view to_string(Type::Base base) { return base_names[static_cast<std::size_t>(base)]; }

std::optional<Type::Base> find_base(std::string_view name) {
  const auto* found = std::ranges::find(base_names, name);
  if (found == std::end(base_names)) return std::nullopt;
  return static_cast<Type::Base>(found - base_names);
}

bool has_list(const Type& element) {
  constexpr Type::Base listed[] = {
#define STRUCTURED_LIST_TYPE(enumerator, value) Type::Base::enumerator,
#include "structured/schema/types.def"
  };
  if (element.wrappers.empty()) return std::ranges::find(listed, element.base) != std::end(listed);
  return element.base == Type::Base::Tensor && element.wrappers.size() == 1 && element.is_optional();
}

std::string to_string(const Type& type) {
  std::string text(to_string(type.base));
  for (const Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.kind == Type::Wrapper::Kind::optional) {
      text += '?';
    } else {
      text += '[';
      if (wrapper.size) text += std::to_string(*wrapper.size);
      text += ']';
    }
  }
  return text;
}

}  // namespace structured::schema
