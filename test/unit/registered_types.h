// C++ types of the schema types in schema/types.def, and a loop over them, for tests of boxed calls and of Python. A
// new schema type does not compile here until CppType has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/value.h"
#include "structured/schema/type.h"

namespace structured {

using SchemaBase = schema::Type::Base;

/// Values of a type as arguments, and as results, which own their texts.
template <class T, class R = T>
struct PlainCppType {
  using Argument = T;
  using Result = R;
};
template <SchemaBase base>
struct CppType;
template <>
struct CppType<SchemaBase::Tensor> : PlainCppType<Tensor> {};
template <>
struct CppType<SchemaBase::Scalar> : PlainCppType<Scalar> {};
template <>
struct CppType<SchemaBase::Int> : PlainCppType<int64_t> {};
template <>
struct CppType<SchemaBase::Float> : PlainCppType<double> {};
template <>
struct CppType<SchemaBase::Bool> : PlainCppType<bool> {};
template <>
struct CppType<SchemaBase::Str> : PlainCppType<std::string_view, std::string> {};
template <>
struct CppType<SchemaBase::SymInt> : PlainCppType<int64_t> {};
template <>
struct CppType<SchemaBase::ScalarType> : PlainCppType<ScalarType> {};
template <>
struct CppType<SchemaBase::Layout> : PlainCppType<Layout> {};
template <>
struct CppType<SchemaBase::Device> : PlainCppType<Device> {};
template <>
struct CppType<SchemaBase::MemoryFormat> : PlainCppType<MemoryFormat> {};
template <>
struct CppType<SchemaBase::Generator> : PlainCppType<Generator> {};
template <>
struct CppType<SchemaBase::Storage> : PlainCppType<Storage> {};
template <>
struct CppType<SchemaBase::Stream> : PlainCppType<Stream> {};
template <>
struct CppType<SchemaBase::QScheme> : PlainCppType<QScheme> {};
template <>
struct CppType<SchemaBase::Dimname> : PlainCppType<Dimname> {};

/// Parameters for the type alone, and in an optional.
template <SchemaBase base, class T>
using ParameterFor = std::conditional_t<base == SchemaBase::Tensor || base == SchemaBase::Scalar, const T&, T>;
template <SchemaBase base>
using ParameterOf = ParameterFor<base, typename CppType<base>::Argument>;
template <SchemaBase base>
using OptionalParameterOf = ParameterFor<base, std::optional<typename CppType<base>::Argument>>;
/// Parameters for a list of the type, and for an optional one.
template <SchemaBase base>
using ListOf = ArrayRef<typename CppType<base>::Argument>;
template <SchemaBase base>
using OptionalListOf =
    std::conditional_t<std::is_same_v<ListOf<base>, IntArrayRef>, OptionalIntArrayRef, std::optional<ListOf<base>>>;

/// Copies of arguments, as functions return them.
template <class T>
T owned(const T& value) {
  return value;
}
inline std::string owned(std::string_view text) { return std::string(text); }
template <class T>
auto owned(ArrayRef<T> list) {
  std::vector<decltype(owned(list[0]))> copies;
  for (const T& element : list) copies.push_back(owned(element));
  return copies;
}
template <class T>
auto owned(const std::optional<T>& value) {
  return value ? std::optional(owned(*value)) : std::nullopt;
}
inline std::optional<std::vector<int64_t>> owned(OptionalIntArrayRef list) {
  return list.has_value() ? std::optional(owned(*list)) : std::nullopt;
}

/// Returns its argument.
template <class Parameter>
auto same(Parameter argument) {
  return owned(argument);
}

/// Calls `visit.operator()<base>()` for each type that annotated functions can take.
template <class Visit>
void for_each_schema_type(const Visit& visit) {
#define STRUCTURED_VALUE_TYPE(enumerator, ...) visit.template operator()<SchemaBase::enumerator>();
#define STRUCTURED_BASE_TYPE(enumerator, ...) visit.template operator()<SchemaBase::enumerator>();
#include "structured/schema/types.def"
}

/// Calls `visit.operator()<base>()` for each type that has lists.
template <class Visit>
void for_each_list_type(const Visit& visit) {
#define STRUCTURED_LIST_TYPE(enumerator, value) visit.template operator()<SchemaBase::enumerator>();
#include "structured/schema/types.def"
}

}  // namespace structured
