// Prepared operators, hand-written in the form that the generator emits.
#include "structured/kernel/prepared.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "structured/core/factory.h"
#include "structured/kernel/adaptors.h"
#include "structured/kernel/prepared_call.h"
#include "test_operators.h"
#include "test_support.h"

namespace structured {
namespace {

// scaled(Tensor self, Scalar factor, int[] shift, *, Tensor(a!) out): meta hands the sum of `shift` to impl.
struct Scaled : MetaBase {
  int64_t meta(const Tensor& self, const Scalar&, IntArrayRef shift) {
    set_output_contiguous(0, self.sizes(), self.options());
    ++metas;
    int64_t sum = 0;
    for (const int64_t value : shift) sum += value;
    return sum;
  }
  void impl(const Tensor& self, const Scalar& factor, int64_t shift, const Tensor& out) {
    for (int64_t i = 0; i < self.numel(); ++i) {
      out.data_ptr<float>()[i] = self.data_ptr<float>()[i] * factor.to<float>() + static_cast<float>(shift);
    }
  }
  static inline int metas = 0;
};

struct PreparedScaled {
  using Adaptor = Out<Scaled, 1>;
  static int64_t begin(Adaptor& op, const Tensor& self, const Scalar& factor, IntArrayRef shift, Tensor&) {
    op.check_inputs(self);
    return op.meta(self, factor, shift);
  }
  static void run(Adaptor& op, const Tensor& self, const Scalar& factor, IntArrayRef, Tensor&, int64_t shift) {
    op.impl(self, factor, shift, op.output(0));
    op.finish();
  }
};

PreparedOperator prepare_scaled_out(Tensor& out, const Tensor& self, const Scalar& factor, IntArrayRef shift) {
  return prepare<PreparedScaled>(self, factor, shift, out);
}

// With a void `begin`, and with a temporary for outputs of other strides.
struct PreparedTwice {
  using Adaptor = Out<test::Twice, 1>;
  static void begin(Adaptor& op, const Tensor& self, test::Demand demand, Tensor&) { op.meta(self, demand); }
  static void run(Adaptor& op, const Tensor& self, test::Demand demand, Tensor&) {
    op.impl(self, demand, op.output(0));
    op.finish();
  }
};

TEST(Prepared, RunsMetaOnceAndImplManyTimes) {
  const Tensor self = tensor<float>({1, 2, 3});
  Tensor out = empty({0}, kFloat);
  const int metas = Scaled::metas;
  PreparedOperator op = prepare_scaled_out(out, self, 2, {3, 4});
  EXPECT_EQ(out.sizes(), IntArrayRef({3})) << "resized when it is prepared";
  op.run();
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{9, 11, 13}));
  self.data_ptr<float>()[0] = 5;
  op.run();
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{17, 11, 13}));
  EXPECT_EQ(Scaled::metas, metas + 1);
  EXPECT_EQ(out.version(), 2u) << "each run is a write";
  EXPECT_EQ(self.version(), 0u);
}

TEST(Prepared, OwnsItsArguments) {
  Tensor out = empty({2}, kFloat);
  PreparedOperator op = [&] {
    const std::vector<int64_t> shift{1};
    return prepare_scaled_out(out, tensor<float>({1, 2}), 3, shift);
  }();
  PreparedOperator moved = std::move(op);
  moved.run();
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{4, 7}));
}

TEST(Prepared, ChecksWhenItIsPrepared) {
  Tensor self = tensor<float>({1, 2});
  EXPECT_NE(message_of([&] { prepare_scaled_out(self, self, 1, {}); }), "");
  Tensor longs = empty({2}, kLong);
  EXPECT_EQ(message_of([&] { prepare_scaled_out(longs, self, 1, {}); }), "expected output 0 of dtype Float, got Long");
}

TEST(Prepared, CopiesAStandInBackAtEachRun) {
  Tensor out = empty_strided({2, 3}, {1, 2}, kFloat);
  const Tensor self = tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  PreparedOperator op = prepare<PreparedTwice>(self, test::Demand::contiguous, out);
  op.run();
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  self.data_ptr<float>()[5] = 0;
  op.run();
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{2, 4, 6, 8, 10, 0}));
}

TEST(Prepared, IsInvalidAfterAResize) {
  const Tensor self = tensor<float>({1, 2});
  Tensor out = empty({2}, kFloat);
  const PreparedOperator op = prepare_scaled_out(out, self, 1, {});
  EXPECT_NO_THROW(op.check());
  self.impl()->set_sizes_contiguous({1});
  EXPECT_EQ(message_of([&] { op.check(); }),
            "a prepared operator's tensor was resized: expected sizes [2] and strides [1], got [1] and [1]; prepare it "
            "again");
  self.impl()->set_sizes_contiguous({2});
  out.storage().resize(1 << 20);
  EXPECT_EQ(message_of([&] { op.check(); }),
            "a prepared operator's tensor of sizes [2] has moved: its storage was resized; prepare it again");
}

}  // namespace
}  // namespace structured
