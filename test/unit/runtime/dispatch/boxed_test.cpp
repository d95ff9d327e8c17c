#include "structured/dispatch/boxed.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured::boxed_test {
namespace {

std::string message_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Tensor some_tensor() { return tensor<float>({1, 2, 3}); }

/// Operator with one argument that returns whether `check` accepts it.
template <class A, bool (*check)(A)>
constinit Operator<bool(A)> op_takes{"test::takes", "takes(Tensor value) -> bool", {}, check};

template <class A, bool (*check)(A)>
void expect_accepted(Value value) {
  Stack stack{std::move(value)};
  call_boxed<op_takes<A, check>>(stack);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_TRUE(stack[0].to_bool());
}

template <class A>
bool never_called(A) {
  return false;
}

/// One value of each kind, in the order of the kinds.
std::vector<Value> one_of_each() {
  const Tensor tensor = some_tensor();
  return {Value(),
          7,
          2.5,
          true,
          Scalar(3),
          kLong,
          kStrided,
          Device(kMeta),
          MemoryFormat::ChannelsLast,
          tensor,
          tensor.storage(),
          "text",
          std::vector<Tensor>{tensor},
          std::vector<std::optional<Tensor>>{tensor},
          std::vector<int64_t>{1, 2},
          std::vector<double>{0.5},
          std::array<bool, 2>{true, false},
          std::vector<std::string_view>{"a"},
          std::vector<Scalar>{Scalar(1)},
          kPerTensorAffine,
          Stream(Device(kCPU)),
          Dimname("N"),
          Generator(kCPU),
          std::vector<Dimname>{Dimname("N")}};
}

/// Expects that a parameter of type A accepts exactly these kinds and rejects all others with a message that names its
/// type.
template <class A>
void expect_kinds(const std::string& name, const std::vector<Value::Kind>& accepted) {
  for (Value& value : one_of_each()) {
    Stack stack{value};
    bool expected = false;
    for (const Value::Kind kind : accepted) {
      expected |= value.is(kind);
    }
    const std::string message = message_of([&] { call_boxed<op_takes<A, never_called<A>>>(stack); });
    std::string found(to_string(value.kind()));
    if (value.is(Value::Kind::bool_list)) {
      found = "bool[2]";
    }
    const std::string refusal = "`test::takes`: argument 1 `value`: expected `" + name + "`, got `" + found +
                                "`; the schema is `takes(Tensor value) -> bool`";
    EXPECT_EQ(message, expected ? "no error" : refusal);
  }
}

using Kind = Value::Kind;

TEST(BoxedArguments, EachTypeTakesItsKindsOnly) {
  expect_kinds<const Tensor&>("Tensor", {Kind::tensor});
  expect_kinds<Tensor&>("Tensor", {Kind::tensor});
  expect_kinds<const std::optional<Tensor>&>("Tensor?", {Kind::tensor, Kind::none});
  expect_kinds<TensorList>("Tensor[]", {Kind::tensor_list});
  expect_kinds<ArrayRef<std::optional<Tensor>>>("Tensor?[]", {Kind::optional_tensor_list, Kind::tensor_list});
  expect_kinds<const Scalar&>("Scalar", {Kind::scalar, Kind::integer, Kind::floating, Kind::boolean});
  expect_kinds<const std::optional<Scalar>&>("Scalar?",
                                             {Kind::scalar, Kind::integer, Kind::floating, Kind::boolean, Kind::none});
  expect_kinds<ArrayRef<Scalar>>("Scalar[]", {Kind::scalar_list, Kind::int_list, Kind::double_list});
  expect_kinds<int64_t>("int", {Kind::integer});
  expect_kinds<double>("float", {Kind::floating, Kind::integer});
  expect_kinds<bool>("bool", {Kind::boolean});
  expect_kinds<std::string_view>("str", {Kind::string});
  expect_kinds<std::optional<int64_t>>("int?", {Kind::integer, Kind::none});
  expect_kinds<std::optional<double>>("float?", {Kind::floating, Kind::integer, Kind::none});
  expect_kinds<std::optional<bool>>("bool?", {Kind::boolean, Kind::none});
  expect_kinds<std::optional<std::string_view>>("str?", {Kind::string, Kind::none});
  expect_kinds<IntArrayRef>("int[]", {Kind::int_list, Kind::integer});
  expect_kinds<OptionalIntArrayRef>("int[]?", {Kind::int_list, Kind::integer, Kind::none});
  expect_kinds<ArrayRef<double>>("float[]", {Kind::double_list, Kind::int_list});
  expect_kinds<std::optional<ArrayRef<double>>>("float[]?", {Kind::double_list, Kind::int_list, Kind::none});
  expect_kinds<std::array<bool, 2>>("bool[2]", {Kind::bool_list});
  expect_kinds<std::array<bool, 3>>("bool[3]", {});
  expect_kinds<ArrayRef<bool>>("bool[]", {Kind::bool_list});
  expect_kinds<ArrayRef<std::string_view>>("str[]", {Kind::string_list});
  expect_kinds<ScalarType>("ScalarType", {Kind::scalar_type});
  expect_kinds<std::optional<ScalarType>>("ScalarType?", {Kind::scalar_type, Kind::none});
  expect_kinds<Layout>("Layout", {Kind::layout});
  expect_kinds<Device>("Device", {Kind::device});
  expect_kinds<std::optional<Device>>("Device?", {Kind::device, Kind::none});
  expect_kinds<MemoryFormat>("MemoryFormat", {Kind::memory_format});
  expect_kinds<Storage>("Storage", {Kind::storage});
  expect_kinds<QScheme>("QScheme", {Kind::qscheme});
  expect_kinds<std::optional<QScheme>>("QScheme?", {Kind::qscheme, Kind::none});
  expect_kinds<Stream>("Stream", {Kind::stream});
  expect_kinds<std::optional<Stream>>("Stream?", {Kind::stream, Kind::none});
  expect_kinds<Generator>("Generator", {Kind::generator});
  expect_kinds<const std::optional<Generator>&>("Generator?", {Kind::generator, Kind::none});
  expect_kinds<Dimname>("Dimname", {Kind::dimname});
  expect_kinds<DimnameList>("Dimname[]", {Kind::dimname_list});
  expect_kinds<std::optional<DimnameList>>("Dimname[]?", {Kind::dimname_list, Kind::none});
}

bool has_three(const Tensor& value) { return value.numel() == 3; }
bool has_three_optional(const std::optional<Tensor>& value) { return value.has_value() && value->numel() == 3; }
bool is_none(const std::optional<Tensor>& value) { return !value.has_value(); }
bool both_defined(TensorList value) { return value.size() == 2 && value[0].defined() && value[1].defined(); }
bool second_only(ArrayRef<std::optional<Tensor>> value) {
  return value.size() == 2 && !value[0].has_value() && value[1]->numel() == 3;
}
bool both_present(ArrayRef<std::optional<Tensor>> value) {
  return value.size() == 2 && value[0]->numel() == 3 && value[1]->numel() == 3;
}
bool is_one_half(const Scalar& value) { return value.to<double>() == 0.5; }
bool is_two(const Scalar& value) { return value.is_integral(false) && value.to<int64_t>() == 2; }
bool is_true(const Scalar& value) { return value.is_boolean() && value.to<bool>(); }
bool is_two_optional(const std::optional<Scalar>& value) { return value->to<int64_t>() == 2; }
bool one_two(ArrayRef<Scalar> value) {
  return value.size() == 2 && value[0].to<double>() == 1 && value[1].to<double>() == 2;
}
bool double_two(double value) { return value == 2; }
bool string_abc(std::string_view value) { return value == "abc"; }
bool ints_one_two(IntArrayRef value) { return value == IntArrayRef{1, 2}; }
bool ints_two(IntArrayRef value) { return value == IntArrayRef{2}; }
bool optional_ints_two(OptionalIntArrayRef value) { return value.has_value() && *value == IntArrayRef{2}; }
bool optional_ints_none(OptionalIntArrayRef value) { return !value.has_value(); }
bool doubles_one_two(ArrayRef<double> value) { return value == ArrayRef<double>{1, 2}; }
bool optional_doubles(std::optional<ArrayRef<double>> value) { return *value == ArrayRef<double>{1, 2}; }
bool true_false(std::array<bool, 2> value) { return value[0] && !value[1]; }
bool strings_a_bc(ArrayRef<std::string_view> value) { return value.size() == 2 && value[0] == "a" && value[1] == "bc"; }
bool no_list(std::optional<TensorList> value) { return !value.has_value(); }
bool no_strings(std::optional<ArrayRef<std::string_view>> value) { return !value.has_value(); }
bool list_both(std::optional<TensorList> value) { return both_defined(*value); }
bool list_second_only(std::optional<ArrayRef<std::optional<Tensor>>> value) { return second_only(*value); }
bool list_strings(std::optional<ArrayRef<std::string_view>> value) { return strings_a_bc(*value); }
bool list_one_two(std::optional<ArrayRef<Scalar>> value) { return one_two(*value); }
bool list_true_false(std::optional<ArrayRef<bool>> value) { return value->size() == 2 && (*value)[0] && !(*value)[1]; }
bool array_true_false(std::optional<std::array<bool, 2>> value) { return true_false(*value); }
bool is_meta_device(std::optional<Device> value) { return *value == Device(kMeta); }

TEST(BoxedArguments, ArriveAsTheParametersType) {
  const Tensor tensor = some_tensor();
  expect_accepted<const Tensor&, has_three>(tensor);
  expect_accepted<const std::optional<Tensor>&, has_three_optional>(tensor);
  expect_accepted<const std::optional<Tensor>&, is_none>(Value());
  expect_accepted<TensorList, both_defined>(std::vector<Tensor>{tensor, tensor});
  expect_accepted<ArrayRef<std::optional<Tensor>>, second_only>(
      std::vector<std::optional<Tensor>>{std::nullopt, tensor});
  expect_accepted<ArrayRef<std::optional<Tensor>>, both_present>(std::vector<Tensor>{tensor, tensor});
  expect_accepted<const Scalar&, is_one_half>(0.5);
  expect_accepted<const Scalar&, is_one_half>(Scalar(0.5));
  expect_accepted<const Scalar&, is_two>(2);
  expect_accepted<const Scalar&, is_true>(true);
  expect_accepted<const std::optional<Scalar>&, is_two_optional>(2);
  expect_accepted<ArrayRef<Scalar>, one_two>(std::vector<Scalar>{1, 2.0});
  expect_accepted<ArrayRef<Scalar>, one_two>(std::vector<int64_t>{1, 2});
  expect_accepted<ArrayRef<Scalar>, one_two>(std::vector<double>{1, 2});
  expect_accepted<double, double_two>(2);
  expect_accepted<double, double_two>(2.0);
  expect_accepted<std::string_view, string_abc>("abc");
  expect_accepted<IntArrayRef, ints_one_two>(std::vector<int64_t>{1, 2});
  expect_accepted<IntArrayRef, ints_two>(2);
  expect_accepted<OptionalIntArrayRef, optional_ints_two>(2);
  expect_accepted<OptionalIntArrayRef, optional_ints_none>(Value());
  expect_accepted<ArrayRef<double>, doubles_one_two>(std::vector<double>{1, 2});
  expect_accepted<ArrayRef<double>, doubles_one_two>(std::vector<int64_t>{1, 2});
  expect_accepted<std::optional<ArrayRef<double>>, optional_doubles>(std::vector<double>{1, 2});
  expect_accepted<std::optional<ArrayRef<double>>, optional_doubles>(std::vector<int64_t>{1, 2});
  expect_accepted<std::array<bool, 2>, true_false>(std::array<bool, 2>{true, false});
  expect_accepted<ArrayRef<std::string_view>, strings_a_bc>(std::vector<std::string_view>{"a", "bc"});
  expect_accepted<std::optional<Device>, is_meta_device>(Device(kMeta));
}

TEST(BoxedArguments, OptionalListsConvertAsListsDo) {
  const Tensor tensor = some_tensor();
  expect_accepted<std::optional<TensorList>, no_list>(Value());
  expect_accepted<std::optional<TensorList>, list_both>(std::vector<Tensor>{tensor, tensor});
  expect_accepted<std::optional<ArrayRef<std::optional<Tensor>>>, list_second_only>(
      std::vector<std::optional<Tensor>>{std::nullopt, tensor});
  expect_accepted<std::optional<ArrayRef<std::string_view>>, no_strings>(Value());
  expect_accepted<std::optional<ArrayRef<std::string_view>>, list_strings>(std::vector<std::string_view>{"a", "bc"});
  expect_accepted<std::optional<ArrayRef<Scalar>>, list_one_two>(std::vector<int64_t>{1, 2});
  expect_accepted<std::optional<ArrayRef<bool>>, list_true_false>(std::array<bool, 2>{true, false});
  expect_accepted<std::optional<std::array<bool, 2>>, array_true_false>(std::array<bool, 2>{true, false});
}

// Results.

template <class R>
R result_of(int64_t);
template <>
Tensor result_of<Tensor>(int64_t) {
  return some_tensor();
}
template <>
std::vector<Tensor> result_of<std::vector<Tensor>>(int64_t count) {
  return std::vector<Tensor>(static_cast<std::size_t>(count), some_tensor());
}
template <>
int64_t result_of<int64_t>(int64_t value) {
  return value;
}
template <>
std::vector<int64_t> result_of<std::vector<int64_t>>(int64_t value) {
  return {value, value};
}
template <>
bool result_of<bool>(int64_t value) {
  return value != 0;
}
template <>
double result_of<double>(int64_t value) {
  return static_cast<double>(value) / 2;
}
template <>
Scalar result_of<Scalar>(int64_t value) {
  return Scalar(value);
}
template <>
ScalarType result_of<ScalarType>(int64_t) {
  return kHalf;
}
template <>
void result_of<void>(int64_t) {}
using Mixed = std::tuple<Tensor, Tensor, double, int64_t>;
template <>
Mixed result_of<Mixed>(int64_t value) {
  return {some_tensor(), Tensor(), 0.5, value};
}

template <>
std::optional<Tensor> result_of<std::optional<Tensor>>(int64_t count) {
  return count == 0 ? std::nullopt : std::optional(some_tensor());
}
template <>
std::vector<std::optional<Tensor>> result_of<std::vector<std::optional<Tensor>>>(int64_t) {
  return {some_tensor(), std::nullopt};
}
template <>
std::optional<std::vector<Tensor>> result_of<std::optional<std::vector<Tensor>>>(int64_t count) {
  return count == 0 ? std::nullopt : std::optional(std::vector<Tensor>{some_tensor()});
}
template <>
std::string result_of<std::string>(int64_t) {
  return "text";
}
template <>
std::vector<std::string> result_of<std::vector<std::string>>(int64_t) {
  return {"a", "bc"};
}
using Partial = std::tuple<Tensor, std::optional<Tensor>>;
template <>
Partial result_of<Partial>(int64_t count) {
  return {some_tensor(), result_of<std::optional<Tensor>>(count)};
}

template <class R>
constinit Operator<R(int64_t)> op_result{"test::result", "result(int value) -> Tensor", {{Backend::CPU, result_of<R>}}};

template <class R>
Stack results_for(int64_t value) {
  Stack stack{"kept", value};
  call_boxed<op_result<R>>(stack);
  EXPECT_EQ(stack.at(0).to_string_view(), "kept") << "values below the arguments are left alone";
  stack.erase(stack.begin());
  return stack;
}

TEST(BoxedResults, EachTypeComesBackAsItsKind) {
  EXPECT_EQ(results_for<Tensor>(0).at(0).to_tensor().numel(), 3);
  EXPECT_EQ(results_for<std::vector<Tensor>>(2).at(0).to_tensor_list().size(), 2u);
  EXPECT_EQ(results_for<int64_t>(4).at(0).to_int(), 4);
  EXPECT_EQ(results_for<std::vector<int64_t>>(4).at(0).to_int_list(), (IntArrayRef{4, 4}));
  EXPECT_TRUE(results_for<bool>(1).at(0).to_bool());
  EXPECT_EQ(results_for<double>(5).at(0).to_double(), 2.5);
  EXPECT_EQ(results_for<Scalar>(5).at(0).to_scalar().to<int64_t>(), 5);
  EXPECT_EQ(results_for<ScalarType>(0).at(0).to_scalar_type(), kHalf);
  EXPECT_TRUE(results_for<void>(0).empty());
}

TEST(BoxedResults, OptionalsMayBeNone) {
  EXPECT_TRUE(results_for<std::optional<Tensor>>(0).at(0).is(Value::Kind::none));
  EXPECT_EQ(results_for<std::optional<Tensor>>(1).at(0).to_tensor().numel(), 3);
  EXPECT_TRUE(results_for<std::optional<std::vector<Tensor>>>(0).at(0).is(Value::Kind::none));
  EXPECT_EQ(results_for<std::optional<std::vector<Tensor>>>(1).at(0).to_tensor_list().size(), 1u);
  const std::vector<std::optional<Tensor>> list =
      results_for<std::vector<std::optional<Tensor>>>(0).at(0).to_optional_tensor_list();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[0].has_value());
  EXPECT_FALSE(list[1].has_value());
  const Stack pair = results_for<Partial>(0);
  ASSERT_EQ(pair.size(), 2u);
  EXPECT_TRUE(pair[1].is(Value::Kind::none));
}

TEST(BoxedResults, TextIsOwned) {
  EXPECT_EQ(results_for<std::string>(0).at(0).to_string_view(), "text");
  const Value texts = results_for<std::vector<std::string>>(0).at(0);
  ASSERT_EQ(texts.to_string_list().size(), 2u);
  EXPECT_EQ(texts.to_string_list()[1], "bc");
}

TEST(BoxedResults, SeveralComeBackInOrder) {
  const Stack stack = results_for<Mixed>(9);
  ASSERT_EQ(stack.size(), 4u);
  EXPECT_EQ(stack[0].to_tensor().numel(), 3);
  EXPECT_FALSE(stack[1].to_tensor().defined());
  EXPECT_EQ(stack[2].to_double(), 0.5);
  EXPECT_EQ(stack[3].to_int(), 9);
}

// Complete calls.

Tensor& fill_out(const Tensor&, const Scalar& value, Tensor& out) {
  *out.data_ptr<float>() = value.to<float>();
  return out;
}
constinit Operator<Tensor&(const Tensor&, const Scalar&, Tensor&)> op_fill{
    "test::fill.out",
    "fill.out(Tensor self, Scalar value=\"a, (b\", *, Tensor(a!) out) -> Tensor(a!)",
    {{Backend::CPU, fill_out}}};

TEST(CallBoxed, WrittenTensorsAreTheCallersOwn) {
  const Tensor out = some_tensor();
  Stack stack{some_tensor(), 9, out};
  call_boxed<op_fill>(stack);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_TRUE(stack[0].to_tensor().is_same(out));
  EXPECT_EQ(*out.data_ptr<float>(), 9);
  stack.clear();
  EXPECT_EQ(out.use_count(), 1u);
}

std::tuple<Tensor&, Tensor&> split_out(const Tensor&, Tensor& low, Tensor& high) { return {low, high}; }
constinit Operator<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)> op_split{
    "test::split.out",
    "split.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))",
    {{Backend::CPU, split_out}}};

TEST(CallBoxed, SeveralWrittenTensorsComeBack) {
  const Tensor low = some_tensor();
  const Tensor high = some_tensor();
  Stack stack{some_tensor(), low, high};
  call_boxed<op_split>(stack);
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_TRUE(stack[0].to_tensor().is_same(low));
  EXPECT_TRUE(stack[1].to_tensor().is_same(high));
}

TEST(CallBoxed, GoesThroughTheDispatcher) {
  Stack stack{empty({2}, kMeta), 9, some_tensor()};
  EXPECT_EQ(message_of([&] { call_boxed<op_fill>(stack); }),
            "`test::fill.out` has no kernel for backend `Meta`; it has kernels for `CPU`");
  EXPECT_EQ(stack.size(), 3u) << "a failed call leaves the stack alone";
}

TEST(CallBoxed, NamesTheFirstWrongArgument) {
  Stack stack{some_tensor(), "nine", 1};
  EXPECT_EQ(message_of([&] { call_boxed<op_fill>(stack); }),
            "`test::fill.out`: argument 2 `value`: expected `Scalar`, got `str`; the schema is `" +
                std::string(op_fill.schema()) + "`");
  stack[1] = 9;
  EXPECT_EQ(message_of([&] { call_boxed<op_fill>(stack); }),
            "`test::fill.out`: argument 3 `out`: expected `Tensor`, got `int`; the schema is `" +
                std::string(op_fill.schema()) + "`");
  ASSERT_EQ(stack.size(), 3u);
  EXPECT_EQ(stack[2].to_int(), 1);
}

TEST(CallBoxed, NeedsEnoughArguments) {
  Stack stack{some_tensor()};
  EXPECT_EQ(message_of([&] { call_boxed<op_fill>(stack); }),
            "`test::fill.out`: expected 3 arguments on the stack, got 1; the schema is `" +
                std::string(op_fill.schema()) + "`");
}

Tensor fail_always(const Tensor&) { throw std::runtime_error("from the kernel"); }
constinit Operator<Tensor(const Tensor&)> op_fail{
    "test::fail", "fail(Tensor self) -> Tensor", {{Backend::CPU, fail_always}}};

TEST(CallBoxed, ExceptionsOfKernelsLeaveTheArguments) {
  Stack stack{some_tensor()};
  EXPECT_THROW(call_boxed<op_fail>(stack), std::runtime_error);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].to_tensor().numel(), 3);
}

int64_t forty_two() { return 42; }
constinit Operator<int64_t()> op_nothing{"test::nothing", "nothing() -> int", {{Backend::CPU, forty_two}}};

TEST(CallBoxed, WorksWithoutArguments) {
  Stack stack;
  call_boxed<op_nothing>(stack);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].to_int(), 42);
}

}  // namespace
}  // namespace structured::boxed_test
