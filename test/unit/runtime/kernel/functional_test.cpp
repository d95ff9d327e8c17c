// The functional variant that adaptors.h makes of a meta function and a computation.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "structured/core/factory.h"
#include "structured/kernel/adaptors.h"
#include "test_operators.h"
#include "test_support.h"

namespace structured::functional_test {
namespace {

using test::Demand;
using test::Twice;

const std::vector<float> doubled{2, 4, 6, 8, 10, 12};

Tensor two_by_three() { return tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

TEST(Functional, AllocatesWhatMetaSays) {
  const Tensor self = two_by_three();
  const Tensor out = test::twice(self, Demand::raw);
  EXPECT_EQ(out.sizes(), (IntArrayRef{2, 3}));
  EXPECT_TRUE(out.is_contiguous());
  EXPECT_EQ(to_vector<float>(out), doubled);
  EXPECT_EQ(out.use_count(), 1u);
}

TEST(Functional, HonoursStrides) {
  for (const Demand demand : {Demand::transposed, Demand::strided}) {
    const Tensor out = test::twice(two_by_three(), demand);
    EXPECT_EQ(out.strides(), (IntArrayRef{1, 2}));
    EXPECT_EQ(to_vector<float>(out), doubled);
  }
}

TEST(Functional, HonoursTheMemoryFormat) {
  const Tensor self = empty({2, 3, 4, 5}, kFloat);
  Functional<Twice, 1> op;
  op.meta(self, Demand::channels_last);
  EXPECT_TRUE(op.output(0).is_contiguous(MemoryFormat::ChannelsLast));
  Functional<Twice, 1> raw;
  raw.set_output_raw_strided(0, self.sizes(), {}, TensorOptions(kFloat).memory_format(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(raw.output(0).is_contiguous(MemoryFormat::ChannelsLast));
}

TEST(Functional, NumbersAndEmptyTensorsAreTensors) {
  const Tensor number = test::twice(scalar_tensor(3.5f, kFloat), Demand::contiguous);
  EXPECT_EQ(number.dim(), 0);
  EXPECT_EQ(number.item<float>(), 7);
  const Tensor empty = test::twice(structured::empty({0, 3}, kFloat), Demand::strided);
  EXPECT_EQ(empty.sizes(), (IntArrayRef{0, 3}));
}

TEST(Functional, OnMetaThereIsNoData) {
  const Tensor self = empty({2, 3}, TensorOptions(kFloat).device(kMeta));
  Functional<Twice, 1> op;
  op.meta(self, Demand::strided);
  const Tensor out = std::move(op).take_output();
  EXPECT_TRUE(out.is_meta());
  EXPECT_EQ(out.sizes(), self.sizes());
}

TEST(Functional, TheBaseLearnsOfEachOutput) {
  const Tensor self = two_by_three();
  for (const Demand demand : {Demand::raw, Demand::strided, Demand::contiguous}) {
    Functional<Twice, 1> op;
    EXPECT_FALSE(op.maybe_get_output().defined());
    op.meta(self, demand);
    EXPECT_EQ(op.calls, 1);
    EXPECT_TRUE(op.learned.is_same(op.output(0)));
    EXPECT_TRUE(op.maybe_get_output(0).is_same(op.output(0)));
  }
}

TEST(Functional, AnOutputThatIsLeftOutStaysUndefined) {
  EXPECT_FALSE(test::twice(two_by_three(), Demand::undefined).defined());
}

TEST(Functional, SeveralOutputsComeAsATuple) {
  const auto [positive, negative] = test::split_sign(tensor<float>({1, -2, 3}), true);
  EXPECT_EQ(to_vector<float>(positive), (std::vector<float>{1, 0, 3}));
  EXPECT_EQ(to_vector<float>(negative), (std::vector<float>{0, -2, 0}));
  EXPECT_FALSE(std::get<1>(test::split_sign(tensor<float>({1}), false)).defined());
}

TEST(Functional, MistakesOfMetaAreErrors) {
  const Tensor self = two_by_three();
  EXPECT_EQ(message_of([&] { test::twice(self, Demand::never); }), "output 0 was not set by the meta function");
  EXPECT_EQ(message_of([&] { test::twice(self, Demand::twice); }), "output 0 was set twice by the meta function");
  EXPECT_EQ(message_of([&] { test::twice(self, Demand::second); }), "expected the index of an output below 1, got 1");
  EXPECT_EQ(message_of([&] {
              Functional<Twice, 1> op;
              op.maybe_get_output(-1);
            }),
            "expected the index of an output below 1, got -1");
  EXPECT_EQ(message_of([&] {
              Functional<Twice, 1> op;
              op.meta(self, Demand::never);
              std::move(op).take_output();
            }),
            "output 0 was not set by the meta function");
}

TEST(MetaBase, WithoutAnAdaptorThereAreNoOutputs) {
  struct Plain : MetaBase {
  } plain;
  EXPECT_EQ(message_of([&] { plain.maybe_get_output(); }),
            "output 0 requested from an operator without an adaptor; wrap it in Functional, Out or Inplace");
}

// Adaptors consist of a few words, are not zeroed, and normally allocate no memory.
static_assert(sizeof(Functional<test::SplitSign, 2>) == sizeof(MetaBase) + 2 * sizeof(Tensor));
static_assert(sizeof(Out<test::SplitSign, 2>) == sizeof(MetaBase) + 7 * sizeof(Tensor));

}  // namespace
}  // namespace structured::functional_test
