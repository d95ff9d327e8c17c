#include <structured/core/factory.h>
#include <structured/program/primitive.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "../../expect_error.h"

namespace structured::test {
namespace {

Value run(std::string_view name, const std::vector<Value>& arguments) {
  const program::Primitive* const primitive = program::find_primitive(name);
  if (primitive == nullptr) fail("no primitive ", name);
  return primitive->run(arguments);
}

// Expected values are those of Python.
TEST(Primitive, DividesAsPythonDoes) {
  EXPECT_EQ(run("_operator.floordiv", {7, 2}).to_int(), 3);
  EXPECT_EQ(run("_operator.floordiv", {-7, 2}).to_int(), -4);
  EXPECT_EQ(run("_operator.floordiv", {7, -2}).to_int(), -4);
  EXPECT_EQ(run("_operator.floordiv", {6, -2}).to_int(), -3);
  EXPECT_EQ(run("_operator.mod", {-7, 2}).to_int(), 1);
  EXPECT_EQ(run("_operator.mod", {7, -2}).to_int(), -1);
  EXPECT_EQ(run("_operator.mod", {-6, 2}).to_int(), 0);
  EXPECT_EQ(run("_operator.truediv", {7, 2}).to_double(), 3.5);
  EXPECT_EQ(run("_operator.floordiv", {7.5, 2}).to_double(), 3.0);
  expect_error([] { run("_operator.floordiv", {1, 0}); }, "expected a divisor other than 0");
  expect_error([] { run("_operator.mod", {1, 0}); }, "expected a divisor other than 0");
}

TEST(Primitive, KeepsIntegersAndConvertsToRealNumbersOtherwise) {
  EXPECT_EQ(run("_operator.add", {2, 3}).to_int(), 5);
  EXPECT_EQ(run("_operator.add", {2, 0.5}).to_double(), 2.5);
  EXPECT_EQ(run("_operator.mul", {true, 3}).to_int(), 3);
  EXPECT_EQ(run("_operator.pow", {3, 4}).to_int(), 81);
  EXPECT_EQ(run("_operator.pow", {2, -1}).to_double(), 0.5);
  EXPECT_TRUE(run("_operator.lt", {2, 2.5}).to_bool());
  EXPECT_EQ(run("torch.sym_max", {2, 5}).to_int(), 5);
  EXPECT_EQ(run("math.ceil", {2.1}).to_int(), 3);
  EXPECT_EQ(run("math.trunc", {-2.9}).to_int(), -2);
  EXPECT_EQ(run("torch.sym_ite", {false, 1, 2}).to_int(), 2);
  EXPECT_TRUE(run("_operator.and_", {true, true}).to_bool());
}

TEST(Primitive, RejectsOverflow) {
  expect_error([] { run("_operator.add", {INT64_MAX, 1}); }, "expected a result that int64 holds");
  expect_error([] { run("_operator.mul", {INT64_MAX, 2}); }, "expected a result that int64 holds");
  expect_error([] { run("_operator.neg", {INT64_MIN}); }, "expected a result that int64 holds");
  expect_error([] { run("_operator.floordiv", {INT64_MIN, -1}); }, "expected a result that int64 holds");
  expect_error([] { run("_operator.pow", {10, 19}); }, "expected a result that int64 holds");
  expect_error([] { run("math.ceil", {1e30}); }, "expected a number that int64 holds");
}

TEST(Primitive, ReadsShapes) {
  const Tensor tensor = empty({2, 3});
  EXPECT_EQ(run("aten::sym_size.int", {tensor, -1}).to_int(), 3);
  EXPECT_EQ(run("aten::sym_stride.int", {tensor, 0}).to_int(), 3);
  EXPECT_EQ(run("aten::sym_numel", {tensor}).to_int(), 6);
}

TEST(Primitive, ChecksAssertions) {
  run("aten::_assert_scalar", {true, "text"});
  expect_error([] { run("aten::_assert_scalar", {false, "text"}); }, "assertion failed: text");
  run("aten::sym_constrain_range_for_size", {3, 0, Value()});
  expect_error([] { run("aten::sym_constrain_range_for_size", {3, 4, Value()}); }, "expected a value from 4 to ");
}

TEST(Primitive, DoesNotFindOtherNames) { EXPECT_EQ(program::find_primitive("_operator.matmul"), nullptr); }

}  // namespace
}  // namespace structured::test
