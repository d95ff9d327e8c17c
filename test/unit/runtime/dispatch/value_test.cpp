#include "structured/dispatch/value.h"

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured::value_test {
namespace {

using Kind = Value::Kind;

/// One value of each kind.
std::vector<Value> one_of_each() {
  const Tensor tensor = structured::tensor<float>({1, 2});
  return {
      Value(),
      Value(7),
      Value(2.5),
      Value(true),
      Value(Scalar(3)),
      Value(kLong),
      Value(kStrided),
      Value(Device(kMeta)),
      Value(MemoryFormat::ChannelsLast),
      Value(kPerChannelAffine),
      Value(Dimname("N")),
      Value(Stream(Device(kCPU), 3)),
      Value(tensor),
      Value(tensor.storage()),
      Value(Generator(Device(kCPU), 5)),
      Value("text"),
      Value(std::vector<Tensor>{tensor, Tensor()}),
      Value(std::vector<std::optional<Tensor>>{std::nullopt, tensor}),
      Value(std::vector<int64_t>{1, 2, 3}),
      Value(std::vector<double>{0.5}),
      Value(std::array<bool, 2>{true, false}),
      Value(std::vector<std::string_view>{"a", "bc"}),
      Value(std::vector<Scalar>{Scalar(1), Scalar(2.5)}),
      Value(std::vector<Dimname>{Dimname("C"), Dimname()}),
  };
}

TEST(Value, EachConstructorMakesItsKind) {
  const std::vector<Value> values = one_of_each();
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i].kind(), static_cast<Kind>(i)) << to_string(values[i].kind());
  }
  EXPECT_EQ(values.back().kind(), Kind::dimname_list) << "every kind is in the list";
}

void expect_contents(const std::vector<Value>& values) {
  EXPECT_EQ(values[1].to_int(), 7);
  EXPECT_EQ(values[2].to_double(), 2.5);
  EXPECT_TRUE(values[3].to_bool());
  EXPECT_EQ(values[4].to_scalar().to<int64_t>(), 3);
  EXPECT_EQ(values[5].to_scalar_type(), kLong);
  EXPECT_EQ(values[6].to_layout(), kStrided);
  EXPECT_EQ(values[7].to_device(), Device(kMeta));
  EXPECT_EQ(values[8].to_memory_format(), MemoryFormat::ChannelsLast);
  EXPECT_EQ(values[9].to_qscheme(), kPerChannelAffine);
  EXPECT_EQ(values[10].to_dimname(), Dimname("N"));
  EXPECT_EQ(values[11].to_stream(), Stream(Device(kCPU), 3));
  EXPECT_EQ(to_vector<float>(values[12].to_tensor()), (std::vector<float>{1, 2}));
  EXPECT_TRUE(values[13].to_storage().is_same(values[12].to_tensor().storage()));
  EXPECT_EQ(values[14].to_generator().current_seed(), 5u);
  EXPECT_EQ(values[15].to_string_view(), "text");
  EXPECT_EQ(values[16].to_tensor_list().size(), 2u);
  EXPECT_TRUE(values[16].to_tensor_list()[0].is_same(values[12].to_tensor()));
  EXPECT_FALSE(values[17].to_optional_tensor_list()[0].has_value());
  EXPECT_TRUE(values[17].to_optional_tensor_list()[1]->is_same(values[12].to_tensor()));
  EXPECT_EQ(values[18].to_int_list(), (IntArrayRef{1, 2, 3}));
  EXPECT_EQ(values[19].to_double_list(), (ArrayRef<double>{0.5}));
  EXPECT_EQ(values[20].to_bool_list(), (ArrayRef<bool>{true, false}));
  EXPECT_EQ(values[21].to_string_list().at(1), "bc");
  EXPECT_EQ(values[22].to_scalar_list().at(1).to<double>(), 2.5);
  EXPECT_EQ(values[23].to_dimname_list().at(0), Dimname("C"));
}

TEST(Value, KeepsItsContents) { expect_contents(one_of_each()); }

TEST(Value, CopiesAndMovesKeepTheContents) {
  std::vector<Value> values = one_of_each();
  const std::vector<Value> copies = values;
  expect_contents(copies);
  expect_contents(values);
  std::vector<Value> moved;
  for (Value& value : values) {
    moved.push_back(std::move(value));
    EXPECT_EQ(value.kind(), Kind::none);
  }
  values.clear();
  expect_contents(moved);
  std::vector<Value> assigned(moved.size(), Value("to be overwritten"));
  for (std::size_t i = 0; i < moved.size(); ++i) {
    assigned[i] = moved[i];
    moved[i].swap(assigned[i]);
  }
  expect_contents(moved);
  expect_contents(assigned);
}

TEST(Value, AssigningItToItselfChangesNothing) {
  std::vector<Value> values = one_of_each();
  for (Value& value : values) {
    Value& same = value;
    value = same;
    value = std::move(same);
  }
  expect_contents(values);
}

TEST(Value, OptionalsBecomeNoneOrWhatTheyHold) {
  EXPECT_EQ(Value(std::optional<double>()).kind(), Kind::none);
  EXPECT_EQ(Value(std::optional<double>(1)).kind(), Kind::floating);
  EXPECT_EQ(Value(OptionalIntArrayRef()).kind(), Kind::none);
  EXPECT_EQ(Value(OptionalIntArrayRef({1, 2})).kind(), Kind::int_list);
  EXPECT_EQ(Value(std::nullopt).kind(), Kind::none);
}

TEST(Value, HoldsOneReferenceToItsTensor) {
  const Tensor tensor = structured::tensor<float>({1});
  {
    Value value(tensor);
    EXPECT_EQ(tensor.use_count(), 2u);
    Value moved(std::move(value));
    EXPECT_EQ(tensor.use_count(), 2u);
    const Value list(std::vector<Tensor>{tensor});
    const Value shared = list;
    EXPECT_EQ(tensor.use_count(), 3u) << "copies of a list share it";
  }
  EXPECT_EQ(tensor.use_count(), 1u);
}

TEST(Value, SharesItsGenerator) {
  const Generator generator(Device(kCPU), 5);
  Value value(generator);
  const Value copy = value;
  const Value moved(std::move(value));
  EXPECT_TRUE(copy.to_generator().is_same(generator));
  EXPECT_TRUE(moved.to_generator().is_same(generator));
}

TEST(Value, EmptyListsAreLists) {
  EXPECT_TRUE(Value(IntArrayRef()).to_int_list().empty());
  EXPECT_TRUE(Value(TensorList()).to_tensor_list().empty());
  EXPECT_EQ(Value("").to_string_view(), "");
}

std::string message_of(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Accessors of a temporary value or stack return objects, which outlive it.
static_assert(std::same_as<Tensor, decltype(Value().to_tensor())>);
static_assert(std::same_as<Storage, decltype(Value().to_storage())>);
static_assert(std::same_as<Scalar, decltype(Value().to_scalar())>);
static_assert(std::same_as<Generator, decltype(Value().to_generator())>);
static_assert(std::same_as<std::string, decltype(Value().to_string_view())>);
static_assert(std::same_as<std::vector<Tensor>, decltype(Value().to_tensor_list())>);
static_assert(std::same_as<std::vector<std::optional<Tensor>>, decltype(Value().to_optional_tensor_list())>);
static_assert(std::same_as<std::vector<int64_t>, decltype(Value().to_int_list())>);
static_assert(std::same_as<std::vector<double>, decltype(Value().to_double_list())>);
static_assert(std::same_as<std::vector<bool>, decltype(Value().to_bool_list())>);
static_assert(std::same_as<std::vector<std::string>, decltype(Value().to_string_list())>);
static_assert(std::same_as<std::vector<Scalar>, decltype(Value().to_scalar_list())>);
static_assert(std::same_as<std::vector<Dimname>, decltype(Value().to_dimname_list())>);
static_assert(std::same_as<Value, decltype(Stack().at(0))> && std::same_as<Value, decltype(Stack()[0])>);
static_assert(std::same_as<Value, decltype(Stack().front())> && std::same_as<Value, decltype(Stack().back())>);

TEST(Value, TemporariesReturnTheirElements) {
  const Tensor tensor = structured::tensor<float>({1, 2});
  EXPECT_TRUE(
      Stack({Value(7), Value(std::vector<Tensor>{Tensor(), tensor})}).at(1).to_tensor_list()[1].is_same(tensor));
  EXPECT_EQ(Stack({Value("a"), Value("bc")}).back().to_string_view(), "bc");
  EXPECT_EQ(Value(std::vector<int64_t>{1, 2}).to_int_list(), (std::vector<int64_t>{1, 2}));
}

TEST(Value, RefusesIntegersThatAreTooLarge) {
  EXPECT_EQ(message_of([] { Value{uint64_t{1} << 63}; }),
            "expected an integer that fits int64_t, got 9223372036854775808");
  EXPECT_EQ(Value((uint64_t{1} << 63) - 1).to_int(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Value(uint32_t{0} - 1).to_int(), 4294967295);
}

TEST(Value, AskingForAnotherKindNamesBoth) {
  const Value value(7);
  EXPECT_EQ(message_of([&] { value.to_double(); }), "expected a value of type `float`, got `int`");
  EXPECT_EQ(message_of([&] { Value().to_tensor(); }), "expected a value of type `Tensor`, got `None`");
  EXPECT_EQ(message_of([&] { value.to_optional_tensor_list(); }), "expected a value of type `Tensor?[]`, got `int`");
}

TEST(Value, EveryKindRefusesEveryOtherKindsGetter) {
  const std::vector<Value> values = one_of_each();
  for (const Value& value : values) {
    int accepted = 0;
    const auto ask = [&](auto&& getter) {
      try {
        getter();
        ++accepted;
      } catch (const Error&) {
      }
    };
    ask([&] { value.to_int(); });
    ask([&] { value.to_double(); });
    ask([&] { value.to_bool(); });
    ask([&] { value.to_scalar(); });
    ask([&] { value.to_scalar_type(); });
    ask([&] { value.to_layout(); });
    ask([&] { value.to_device(); });
    ask([&] { value.to_memory_format(); });
    ask([&] { value.to_tensor(); });
    ask([&] { value.to_storage(); });
    ask([&] { value.to_string_view(); });
    ask([&] { value.to_tensor_list(); });
    ask([&] { value.to_optional_tensor_list(); });
    ask([&] { value.to_int_list(); });
    ask([&] { value.to_double_list(); });
    ask([&] { value.to_bool_list(); });
    ask([&] { value.to_string_list(); });
    ask([&] { value.to_scalar_list(); });
    ask([&] { value.to_dimname_list(); });
    ask([&] { value.to_qscheme(); });
    ask([&] { value.to_dimname(); });
    ask([&] { value.to_stream(); });
    ask([&] { value.to_generator(); });
    EXPECT_EQ(accepted, value.is(Kind::none) ? 0 : 1) << to_string(value.kind());
  }
}

}  // namespace
}  // namespace structured::value_test
