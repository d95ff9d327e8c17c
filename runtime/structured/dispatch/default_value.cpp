#include "structured/dispatch/default_value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/reduction.h"
#include "structured/schema/parse.h"

namespace structured::detail {
namespace {

using schema::DefaultValue;
using schema::Type;

struct EnumeratorNumber {
  DefaultValue::Enumerator enumerator;
  int64_t number;
};

constexpr EnumeratorNumber numbers[] = {
#define STRUCTURED_DTYPE(enumerator, ...) {{"ScalarType", #enumerator}, static_cast<int64_t>(ScalarType::enumerator)},
#include "structured/schema/dtypes.def"
#define STRUCTURED_ENUMERATOR(enumeration, enumerator, word) \
  {{#enumeration, #enumerator}, static_cast<int64_t>(enumeration::enumerator)},
#include "structured/schema/enumerations.def"
#define STRUCTURED_DEVICE_TYPE(enumerator, word) \
  {{"DeviceType", #enumerator}, static_cast<int64_t>(DeviceType::enumerator)},
#include "structured/schema/backends.def"
};

int64_t number_of(const DefaultValue::Enumerator& enumerator) {
  const auto* const found = std::ranges::find(numbers, enumerator, &EnumeratorNumber::enumerator);
  STRUCTURED_INTERNAL_ASSERT(found != std::end(numbers));
  return found->number;
}

// The conversions below are called for values of their type alone: an `int` is an integer or an enumerator.
template <class T>
T as(const DefaultValue& value) {
  return std::get<T>(value.value);
}

template <>
int64_t as(const DefaultValue& value) {
  const auto* const enumerator = value.as<DefaultValue::Enumerator>();
  return enumerator != nullptr ? number_of(*enumerator) : std::get<int64_t>(value.value);
}

template <>
Scalar as(const DefaultValue& value) {
  if (const bool* const truth = value.as<bool>()) return *truth;
  if (const double* const number = value.as<double>()) return *number;
  return as<int64_t>(value);
}

template <>
std::optional<Tensor> as(const DefaultValue&) {
  return std::nullopt;
}

template <class T>
std::vector<T> list_of(const DefaultValue::List& elements) {
  std::vector<T> values;
  values.reserve(elements.size());
  for (const DefaultValue& element : elements) values.push_back(as<T>(element));
  return values;
}

Value bool_list_of(const DefaultValue::List& elements) {
  const auto values = std::make_unique<bool[]>(elements.size() + 1);
  std::ranges::transform(elements, values.get(), as<bool>);
  return ArrayRef<bool>(values.get(), elements.size());
}

std::optional<Value> list(const Type& element, const DefaultValue::List& elements) {
  if (!has_list(element)) return std::nullopt;
  switch (element.base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      return list_of<int64_t>(elements);
    case Type::Base::Float:
      return list_of<double>(elements);
    case Type::Base::Bool:
      return bool_list_of(elements);
    case Type::Base::Scalar:
      return list_of<Scalar>(elements);
    case Type::Base::Str:
      return list_of<std::string>(elements);
    case Type::Base::Tensor:
      if (element.is_optional()) return list_of<std::optional<Tensor>>(elements);
      return TensorList();
    case Type::Base::Dimname:
      return DimnameList();
    default:
      return std::nullopt;
  }
}

std::optional<Value> single(Type::Base base, const DefaultValue& value) {
  switch (base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
      return as<int64_t>(value);
    case Type::Base::Float:
      return as<double>(value);
    case Type::Base::Bool:
      return as<bool>(value);
    case Type::Base::Scalar:
      return as<Scalar>(value);
    case Type::Base::Str:
      return as<std::string>(value);
    case Type::Base::ScalarType:
      return static_cast<ScalarType>(as<int64_t>(value));
    case Type::Base::Layout:
      return static_cast<Layout>(as<int64_t>(value));
    case Type::Base::MemoryFormat:
      return static_cast<MemoryFormat>(as<int64_t>(value));
    case Type::Base::Device:
      return Device(static_cast<DeviceType>(as<int64_t>(value)));
    default:
      return std::nullopt;
  }
}

std::optional<Value> value_of(const Type& type, const DefaultValue& value) {
  if (value.as<DefaultValue::None>() != nullptr) return Value();
  if (type.is_optional()) return value_of(unwrapped(type), value);
  if (!type.is_list()) return single(type.base, value);
  const Type element = unwrapped(type);
  if (const auto* const elements = value.as<DefaultValue::List>()) return list(element, *elements);
  const bool is_integer = element.is(Type::Base::Int) || element.is(Type::Base::SymInt);
  if (is_integer) return single(element.base, value);
  return list(element, DefaultValue::List(static_cast<std::size_t>(type.wrappers.back().size.value_or(1)), value));
}

}  // namespace

std::optional<Value> default_value(const SchemaArgument& argument) {
  if (argument.default_value.empty()) return std::nullopt;
  const Type type = type_of(argument);
  const std::optional<DefaultValue> value = parse_default(type, argument.default_value);
  return value ? value_of(type, *value) : std::nullopt;
}

std::optional<Value> default_value(std::string_view type, std::string_view text) {
  std::optional<SchemaArgument> argument = schema::view_argument(type);
  if (!argument) return std::nullopt;
  argument->default_value = text;
  return default_value(*argument);
}

}  // namespace structured::detail
