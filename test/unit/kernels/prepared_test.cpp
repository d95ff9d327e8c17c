// Prepared pointwise operators: calls that only run the loop (fast path), and calls that take the slow path.
#include <structured/ops/add.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/clamp.h>
#include <structured/ops/lt.h>

#include <utility>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

TEST(PreparedPointwise, SeesWhatIsWrittenToItsOperands) {
  const Tensor a = counting<float>({5});
  const Tensor b = counting<float>({5});
  Tensor out = empty({0}, kFloat);
  PreparedOperator op = cpu::prepare_add_out(out, a, b, 3);
  EXPECT_EQ(out.sizes(), IntArrayRef({5}));
  const uint32_t version = out.version();
  op.run();
  expect_elements<float>(out, {5}, [](const Index& i) { return 4.0 * i[0]; });
  a.data_ptr<float>()[2] = 100;
  op.run();
  expect_elements<float>(out, {5}, [](const Index& i) { return i[0] == 2 ? 106 : 4.0 * i[0]; });
  EXPECT_EQ(out.version(), version + 2) << "each run is a write, and preparing is none";
}

TEST(PreparedPointwise, ComputesNothingBeforeItRuns) {
  Tensor out = filled<float>({4}, [](int64_t) { return -1.0f; });
  PreparedOperator op = cpu::prepare_add_out(out, counting<float>({4}), counting<float>({4}));
  expect_elements<float>(out, {4}, [](const Index&) { return -1; });
  PreparedOperator moved = std::move(op);
  moved.run();
  expect_elements<float>(out, {4}, [](const Index& i) { return 2.0 * i[0]; });
}

TEST(PreparedPointwise, TakesOperandsOfEveryKind) {
  const Tensor floats = counting<float>({3, 4});
  const auto expect_sum = [](const Tensor& a, const Tensor& b) {
    Tensor out = empty({0}, kFloat);
    PreparedOperator op = cpu::prepare_add_out(out, a, b);
    op.run();
    op.run();
    expect_elements<float>(out, {3, 4}, [](const Index& i) { return 2.0 * (4 * i[0] + i[1]); });
  };
  expect_sum(floats, floats);
  expect_sum(floats, strided(floats));
  expect_sum(floats, counting<int32_t>({3, 4}));

  Tensor halves = empty({3}, kHalf);
  cpu::prepare_add_out(halves, counting<Half>({3}), counting<Half>({3})).run();
  expect_elements<Half>(halves, {3}, [](const Index& i) { return 2.0 * i[0]; });

  Tensor less = empty({0}, kBool);
  cpu::prepare_lt_out(less, counting<float>({3}), filled<float>({3}, [](int64_t) { return 1.0f; })).run();
  expect_elements<bool>(less, {3}, [](const Index& i) { return i[0] < 1; });

  Tensor none = empty({0}, kFloat);
  cpu::prepare_add_out(none, counting<float>({0}), counting<float>({0})).run();
  EXPECT_EQ(none.sizes(), IntArrayRef({0}));

  constexpr int64_t many = 1 << 18;  // enough for several threads
  Tensor large = empty({0}, kFloat);
  cpu::prepare_add_out(large, counting<float>({many}), counting<float>({many})).run();
  EXPECT_EQ(at<float>(large, {many - 1}), 2.0f * (many - 1));
}

TEST(PreparedPointwise, TakesSeveralTensorsAndNumbers) {
  Tensor out = empty({0}, kFloat);
  const Tensor x = counting<float>({4});
  cpu::prepare_addcmul_out(out, x, x, x, 10).run();
  expect_elements<float>(out, {4}, [](const Index& i) { return i[0] + 10.0 * i[0] * i[0]; });
  PreparedOperator clamp = cpu::prepare_clamp_out(out, x, Scalar(1), Scalar(2));
  clamp.run();
  expect_elements<float>(out, {4}, [](const Index& i) { return i[0] < 1 ? 1 : i[0] > 2 ? 2 : i[0]; });
}

TEST(PreparedPointwise, WritesOverItsOwnOperand) {
  Tensor x = filled<float>({3}, [](int64_t) { return 1.0f; });
  PreparedOperator twice = cpu::prepare_add_out(x, x, x);
  twice.run();
  twice.run();
  expect_elements<float>(x, {3}, [](const Index&) { return 4; });
}

TEST(PreparedPointwise, ReportsWhatCallsReport) {
  Tensor longs = empty({3}, kLong);
  expect_error([&] { cpu::prepare_add_out(longs, counting<float>({3}), counting<float>({3})); }, "Long");
}

}  // namespace
}  // namespace structured
