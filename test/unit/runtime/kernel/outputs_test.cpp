#include "structured/kernel/outputs.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "../../expect_error.h"
#include "structured/core/factory.h"
#include "test_support.h"

namespace structured {
namespace {

using test::expect_error;

constexpr const char* kNoError = "no error";

Tensor row(const Tensor& base, int64_t offset, int64_t stride = 1) { return as_strided(base, {4}, {stride}, offset); }

TEST(Outputs, AcceptSeparateMemory) {
  const Tensor base = empty({16}, kFloat);
  const Tensor out = row(base, 0, 2);
  EXPECT_EQ(message_of([&] { Outputs(out, row(base, 1, 2)).check_inputs(row(base, 8), Tensor(), empty({4})); }),
            kNoError);
}

TEST(Outputs, RefuseOneThatOverlapsItself) {
  const Tensor out = as_strided(empty({4}, kFloat), {2, 4}, {0, 1}, 0);
  expect_error([&] { const Outputs outputs(out); }, "share one memory location");
}

TEST(Outputs, RefuseOnesThatOverlapEachOther) {
  const Tensor base = empty({16}, kFloat);
  const Tensor first = row(base, 0);
  const std::vector<Tensor> list{row(base, 4), row(base, 8), row(base, 10)};
  const std::optional<Tensor> none;
  EXPECT_EQ(message_of([&] { const Outputs outputs(first, none, row(base, 4)); }), kNoError);
  expect_error([&] { const Outputs outputs(first, none, first); }, "got outputs 0 and 1 with memory in common");
  expect_error([&] { const Outputs outputs(first, TensorList(list)); }, "got outputs 2 and 3 with memory in common");
}

TEST(Outputs, InputsMayBeThemOnlyWhereTheyAreReusable) {
  const Tensor base = empty({16}, kFloat);
  const Tensor out = row(base, 0, 2);
  const std::vector<Tensor> list{empty({4}), row(base, 0, 2)};
  const Outputs outputs(out);
  EXPECT_EQ(message_of([&] { outputs.check_reusable(out, TensorList(list)); }), kNoError);
  expect_error([&] { outputs.check_inputs(out); }, "shares memory with one that is read");
  expect_error([&] { outputs.check_inputs(TensorList(list)); }, "shares memory with one that is read");
  expect_error([&] { outputs.check_reusable(row(base, 2, 2)); }, "overlaps a part of one that is read");
  expect_error([&] { outputs.check_inputs(std::optional<Tensor>(row(base, 3))); }, "shares memory");
}

}  // namespace
}  // namespace structured
