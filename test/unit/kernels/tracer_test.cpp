// The tracer of dispatch/tracer.h, for calls of operators of the library.
#include "structured/dispatch/tracer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include "expect_error.h"

namespace structured::tracer_test {
namespace {

using test::expect_error;
using testing::ElementsAre;

Tensor on_meta(IntArrayRef sizes) { return empty(sizes, kMeta); }

TEST(Tracer, RecordsCallsWithTheirArgumentsAndResults) {
  Program program;
  const Tensor a = tensor<float>({1, 2}), b = tensor<float>({3, 4});
  Tensor sum;
  {
    const Tracer tracer(program);
    sum = add(a, b, 2);
  }
  add(a, b);  // not recorded
  ASSERT_EQ(program.calls().size(), 1u);
  const Program::Call& call = program.calls()[0];
  EXPECT_EQ(call.op->name(), "aten::add.Tensor");
  ASSERT_EQ(call.arguments.size(), 3u);
  EXPECT_TRUE(call.arguments[0].to_tensor().is_same(a));
  EXPECT_EQ(call.arguments[2].to_scalar().to<int>(), 2);
  ASSERT_EQ(call.results.size(), 1u);
  EXPECT_TRUE(call.results[0].to_tensor().is_same(sum));
}

TEST(Tracer, PrintsAProgram) {
  Program program;
  const Tensor x = empty({2, 3}), w = empty({3});
  program.set_name(x, "x");
  {
    const Tracer tracer(program);
    Tensor sum = add(x, w);
    relu_(sum);
    cat({sum, x}, 1);
  }
  EXPECT_EQ(to_string(program), R"(program(%x: Float[2, 3], %0: Float[3]) {
  %1: Float[2, 3] = aten::add.Tensor(%x, %0, alpha=1)
  %2: Float[2, 3] = aten::relu_(%1)
  %3: Float[2, 6] = aten::cat([%2, %x], 1)
  return %3
})");
}

TEST(Tracer, WorksWithoutData) {
  Program program;
  const Tensor input = on_meta({64, 8}), weight = on_meta({4, 8});
  program.set_name(input, "input");
  {
    const Tracer tracer(program);
    relu(linear(input, weight));
  }
  EXPECT_EQ(to_string(program), R"(program(%input: Float[64, 8] meta, %0: Float[4, 8] meta) {
  %1: Float[64, 4] meta = aten::linear(%input, %0, None)
  %2: Float[64, 4] meta = aten::relu(%1)
  return %2
})");
}

TEST(Tracer, WhatIsWrittenIsANewThing) {
  Program program;
  const Tensor a = empty({2});
  Tensor out = empty({2});
  program.set_name(out, "out");
  {
    const Tracer tracer(program);
    add_out(out, a, a);
    relu(out);
  }
  EXPECT_EQ(to_string(program), R"(program(%0: Float[2], %out: Float[2]) {
  %1: Float[2] = aten::add.out(%0, %0, alpha=1, out=%out)
  %2: Float[2] = aten::relu(%1)
  return %2
})");
}

TEST(Tracer, NestsAndBelongsToOneThread) {
  Program outer, inner;
  const Tensor a = on_meta({2});
  {
    const Tracer tracer(outer);
    relu(a);
    {
      const Tracer nested(inner);
      add(a, a);
    }
    mul(a, a);
  }
  const auto names = [](const Program& program) {
    std::vector<std::string> result;
    for (const Program::Call& call : program.calls()) result.emplace_back(call.op->name());
    return result;
  };
  EXPECT_THAT(names(outer), ElementsAre("aten::relu", "aten::mul.Tensor"));
  EXPECT_THAT(names(inner), ElementsAre("aten::add.Tensor"));
}

TEST(Tracer, CallsThatFailAreNotInTheProgram) {
  Program program;
  const Tensor a = on_meta({2}), b = on_meta({3});
  const Tracer tracer(program);
  expect_error([&] { add(a, b); }, "in add: `other`: shapes [2] and [3] do not broadcast");
  EXPECT_TRUE(program.calls().empty());
}

TEST(Program, IsPrintedWhereThereIsNothing) { EXPECT_EQ(to_string(Program()), "program() {\n}"); }

}  // namespace
}  // namespace structured::tracer_test
