// Boxed calls with each type of the registry: alone, in an optional, in lists, and as a result.
#include "../../registered_types.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/core/factory.h"
#include "structured/core/generator.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/typed.h"
#include "structured/format/print.h"

namespace structured::registered_types_test {
namespace {

template <class T>
T sample() {
  if constexpr (std::is_same_v<T, Tensor>) return empty({2});
  if constexpr (std::is_same_v<T, Scalar>) return Scalar(0.5);
  if constexpr (std::is_same_v<T, std::string>) return "text";
  if constexpr (std::is_same_v<T, Device>) return Device(kMeta);
  if constexpr (std::is_same_v<T, Stream>) return Stream(Device(kCPU));
  if constexpr (std::is_same_v<T, Generator>) return Generator(kCPU);
  if constexpr (std::is_same_v<T, Storage>) return empty({2}).storage();
  if constexpr (std::is_same_v<T, Dimname>) return Dimname("N");
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) return static_cast<T>(1);
}

template <class Parameter>
using Same = decltype(same<Parameter>(std::declval<Parameter>()))(Parameter);

template <class Parameter>
constinit Operator<Same<Parameter>> op_same{"test::same", "same(Tensor value) -> Tensor", {}, &same<Parameter>};

// Text of a value and of its kind.
std::string text_of(const Value& value) { return std::string(to_string(value.kind())) + " " + to_string(value); }

template <class Parameter>
void expect_same(const Value& value) {
  Stack stack{value};
  call_boxed<op_same<Parameter>>(stack);
  EXPECT_EQ(text_of(stack.at(0)), text_of(value));
}

TEST(RegisteredTypes, AreArgumentsAndResultsOfBoxedCalls) {
  for_each_schema_type([]<SchemaBase base>() {
    const Value value = sample<typename CppType<base>::Result>();
    EXPECT_EQ(to_string(value.kind()), to_string(base == SchemaBase::SymInt ? SchemaBase::Int : base));
    expect_same<ParameterOf<base>>(value);
    expect_same<OptionalParameterOf<base>>(value);
    expect_same<OptionalParameterOf<base>>(Value());
  });
}

TEST(RegisteredTypes, AreElementsOfListsInBoxedCalls) {
  for_each_list_type([]<SchemaBase base>() {
    using Result = typename CppType<base>::Result;
    const Value value = std::vector<Result>{sample<Result>(), sample<Result>()};
    EXPECT_EQ(to_string(value.kind()),
              std::string(to_string(base == SchemaBase::SymInt ? SchemaBase::Int : base)) + "[]");
    expect_same<ListOf<base>>(value);
    expect_same<ListOf<base>>(std::vector<Result>());
    expect_same<OptionalListOf<base>>(value);
    expect_same<OptionalListOf<base>>(Value());
  });
}

TEST(RegisteredTypes, OptionalTensorsAreElementsOfLists) {
  const Value value = std::vector<std::optional<Tensor>>{std::nullopt, sample<Tensor>()};
  expect_same<ArrayRef<std::optional<Tensor>>>(value);
  expect_same<std::optional<ArrayRef<std::optional<Tensor>>>>(value);
  expect_same<std::optional<ArrayRef<std::optional<Tensor>>>>(Value());
}

}  // namespace
}  // namespace structured::registered_types_test
