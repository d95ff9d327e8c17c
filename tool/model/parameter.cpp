#include "model/parameter.h"

#include "model/annotation.h"

namespace structured::gen {

bool is_mutable_tensor(const Parameter& parameter, const TypeTable& types) {
  auto classified = types.argument(parameter.type.canonical);
  return classified && classified->is_mutable;
}

bool is_mutable(const Parameter& parameter, const TypeTable& types) {
  auto alias = alias_of(parameter);
  return (alias && alias->is_write) || is_mutable_tensor(parameter, types);
}

bool set_list_size(Type& type, int64_t size) {
  for (Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.kind != Type::Wrapper::Kind::list) continue;
    if (wrapper.size) return false;
    wrapper.size = size;
    return true;
  }
  return false;
}

std::optional<Type> argument_type(const Parameter& parameter, const TypeTable& types) {
  auto classified = types.argument(parameter.type.canonical);
  if (!classified) return std::nullopt;
  Type type = classified->type;
  if (const Attribute* attribute = find_attribute(parameter.attributes, "size")) {
    auto size = integer_argument(*attribute, 0);
    if (size && *size > 0) set_list_size(type, *size);
  }
  if (type.base == Type::Base::Int && has_attribute(parameter.attributes, "symint")) type.base = Type::Base::SymInt;
  return type;
}

static Pointwise::Role scalar_role(const Attribute& scalar) {
  auto how = string_argument(scalar, 0);
  if (how == "promotes") return Pointwise::Role::promoting_scalar;
  return how == "converts" ? Pointwise::Role::converted_scalar : Pointwise::Role::scalar;
}

std::optional<Pointwise::Role> pointwise_role(const Declaration& declaration, const Parameter& parameter,
                                              const TypeTable& types) {
  const Attribute* scalar = find_attribute(parameter.attributes, "scalar");
  bool is_tensor = has_attribute(parameter.attributes, "tensor");
  const std::string& type = parameter.type.canonical;
  if (!declaration.template_parameters.empty()) {
    const std::string& element = declaration.template_parameters.front();
    if (scalar && !is_tensor && (type == element || type == "std::optional<" + element + ">")) {
      return scalar_role(*scalar);
    }
    if (type == element) return is_tensor ? std::nullopt : std::optional(Pointwise::Role::element);
  }
  auto classified = types.argument(type);
  if (scalar || !classified) return std::nullopt;
  if (is_tensor) {
    if (classified->type.is(Type::Base::Bool)) return Pointwise::Role::boolean_element;
    return std::nullopt;
  }
  bool is_plain =
      classified->type.wrappers.empty() || (classified->type.wrappers.size() == 1 && !classified->type.is_list());
  for (Type::Base base : {Type::Base::Int, Type::Base::Float, Type::Base::Bool, Type::Base::Str}) {
    if (is_plain && classified->type.base == base) return Pointwise::Role::value;
  }
  return std::nullopt;
}

std::optional<Type> pointwise_argument_type(const Declaration& declaration, const Parameter& parameter,
                                            const TypeTable& types) {
  auto role = pointwise_role(declaration, parameter, types);
  if (!role) return std::nullopt;
  switch (*role) {
    case Pointwise::Role::element:
    case Pointwise::Role::boolean_element:
      return Type{Type::Base::Tensor, {}};
    case Pointwise::Role::scalar:
    case Pointwise::Role::promoting_scalar:
    case Pointwise::Role::converted_scalar:
      if (parameter.type.canonical.starts_with("std::optional<")) {
        return Type{types.scalar(), {{Type::Wrapper::Kind::optional, std::nullopt}}};
      }
      return Type{types.scalar(), {}};
    case Pointwise::Role::value:
      break;
  }
  return argument_type(parameter, types);
}

}  // namespace structured::gen
