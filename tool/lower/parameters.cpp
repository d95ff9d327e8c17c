#include "lower/parameters.h"

#include <utility>

#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

llvm::StringRef kind_of(Type::Base base) {
  switch (base) {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  case Type::Base::enumerator:                                                                                      \
    return #value;
#define STRUCTURED_BASE_TYPE(enumerator, schema, native, native_header, value) \
  case Type::Base::enumerator:                                                 \
    return #value;
#include "structured/schema/types.def"
    default:
      return "none";
  }
}

// Returns the kind of a list with elements of this type.
llvm::StringRef kind_of_list(Type::Base base) {
  switch (base) {
#define STRUCTURED_LIST_TYPE(enumerator, value) \
  case Type::Base::enumerator:                  \
    return #value;
#include "structured/schema/types.def"
    default:
      return "none";
  }
}

LoweredParameter lower_type(const Type& type, const std::optional<AliasSet>& alias) {
  LoweredParameter parameter;
  parameter.kind = kind_of(type.base).str();
  bool has_optional_elements = false;
  for (const Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.kind == Type::Wrapper::Kind::optional) {
      parameter.is_optional = true;
      continue;
    }
    has_optional_elements = parameter.is_optional;
    parameter.is_optional = false;
    parameter.kind = has_optional_elements ? "optional_tensor_list" : kind_of_list(type.base).str();
    parameter.length = wrapper.size.value_or(0);
  }
  parameter.is_mutable = alias && alias->is_write;
  parameter.is_alias = alias.has_value();
  return parameter;
}

std::optional<LoweredDefault> lower_default(const CppTypes& cpp_types, const Argument& argument) {
  if (!argument.default_value) return std::nullopt;
  std::optional<CppDefault> value = cpp_types.default_value(argument.type, *argument.default_value);
  if (!value) return std::nullopt;
  return LoweredDefault{cpp_types.value(argument.type), std::move(value->expression), value->form};
}

}  // namespace

std::vector<LoweredParameter> lower_parameters(const CppTypes& cpp_types, const Schema& schema) {
  std::vector<LoweredParameter> result;
  for (const Argument* argument : arguments_of(schema)) {
    LoweredParameter& parameter = result.emplace_back(lower_type(argument->type, argument->alias));
    parameter.name = argument->name;
    parameter.is_keyword_only = result.size() > schema.positional.size();
    parameter.default_value = lower_default(cpp_types, *argument);
  }
  for (const Return& returned : schema.returns) {
    result.push_back(lower_type(returned.type, returned.alias));
    result.back().name = returned.name;
  }
  return result;
}

void add_default_headers(const CppTypes& cpp_types, const Schema& schema, std::set<std::string>& headers) {
  for (const Argument* argument : arguments_of(schema)) {
    if (!argument->default_value) {
      continue;
    }
    if (const auto value = cpp_types.default_value(argument->type, *argument->default_value);
        value && !value->header.empty()) {
      headers.insert(value->header);
    }
  }
}

}  // namespace structured::gen
