// Variants that `variants` derives: out= of functional operators, functional and out= of in-place ones.
#include <structured/core/generator.h>
#include <structured/iterator/derived_variants.h>
#include <structured/ops/bernoulli.h>
#include <structured/ops/clone.h>
#include <structured/ops/floor_divide.h>
#include <structured/ops/median.h>
#include <structured/ops/rand_like.h>
#include <structured/ops/rot90.h>
#include <structured/ops/t.h>
#include <structured/ops/uniform.h>
#include <structured/ops/unique_consecutive.h>
#include <structured/ops/unsafe_split.h>
#include <structured/ops/zero.h>
#include <structured/ops/zeros_like.h>

#include <vector>

#include "kernels/expect.h"
#include "runtime/core/counting_allocator.h"

namespace structured::variants_test {
namespace {

using namespace test;

Generator seeded() { return Generator(kCPU, 7); }

TEST(DerivedVariants, WriteTheResultToTheOutput) {
  Tensor out = empty({3, 3}, kFloat);
  Tensor self = tensor<float>({5, 1, 3});
  const uint32_t version = out.version();
  EXPECT_TRUE(median_out(out, self).is_same(out));
  EXPECT_EQ(out.sizes(), IntArrayRef());
  EXPECT_EQ(out.item<float>(), 3);
  EXPECT_GT(out.version(), version);
}

TEST(DerivedVariants, RefuseOutputsWhoseElementsShareMemory) {
  const Tensor self = tensor<float>({1, 2});
  Tensor out = structured::as_strided(empty({1}, kFloat), {2}, {0}, 0);
  EXPECT_THROW(clone_out(out, self, std::nullopt), Error);
}

TEST(DerivedVariants, ResizeNoOutputIfResizedOnesShareMemory) {
  const Tensor base = counting<int64_t>({2});
  Tensor values = structured::as_strided(base, {0}, {1}, 0);
  Tensor places = structured::as_strided(base, {0}, {1}, 1);
  Tensor counts = empty({0}, kLong);
  expect_error([&] { unique_consecutive_out(values, places, counts, tensor<int64_t>({4, 4, 2}), true, true); },
               "got outputs 0 and 1 with memory in common");
  EXPECT_EQ(values.sizes(), IntArrayRef({0}));
  EXPECT_EQ(places.sizes(), IntArrayRef({0}));
  EXPECT_EQ(counts.sizes(), IntArrayRef({0}));
  EXPECT_EQ(to_vector<int64_t>(base), (std::vector<int64_t>{0, 1}));
}

TEST(DerivedVariants, CopyNoResultThatIsTheOutput) {
  CountingAllocator memory;
  const ScopedAllocator scope(kPrivateUse1, memory);
  const Tensor out = empty({2}, TensorOptions(kFloat).device(kPrivateUse1));
  const int allocations = memory.allocations;
  detail::store_results("name", {&out, 1}, {&out, 1});
  EXPECT_EQ(memory.allocations, allocations);
}

TEST(DerivedVariants, WriteSeveralResults) {
  Tensor values = empty({0}, kLong);
  Tensor places = empty({0}, kLong);
  Tensor counts = empty({0}, kLong);
  const Tensor self = tensor<int64_t>({4, 4, 2});
  const auto results = unique_consecutive_out(values, places, counts, self, true, true);
  EXPECT_TRUE(std::get<2>(results).is_same(counts));
  EXPECT_EQ(to_vector<int64_t>(values), (std::vector<int64_t>{4, 2}));
  EXPECT_EQ(to_vector<int64_t>(places), (std::vector<int64_t>{0, 0, 1}));
  EXPECT_EQ(to_vector<int64_t>(counts), (std::vector<int64_t>{2, 1}));
}

TEST(DerivedVariants, WriteLists) {
  const std::vector<Tensor> out{empty({0}, kFloat), empty({0}, kFloat)};
  unsafe_split_out(out, counting<float>({3}), 2);
  EXPECT_EQ(to_vector<float>(out[0]), (std::vector<float>{0, 1}));
  EXPECT_EQ(to_vector<float>(out[1]), (std::vector<float>{2}));
  expect_error([&] { unsafe_split_out(out, counting<float>({3}), 1); },
               "unsafe_split.Tensor_out: expected 3 tensors in `out`, got 2");
  EXPECT_EQ(out[0].size(0), 2);
}

TEST(DerivedVariants, RejectOtherDtypes) {
  Tensor out = full({3, 3}, 5, kDouble);
  expect_error([&] { median_out(out, counting<float>({3})); },
               "median.out: expected an output of dtype Float, got Double");
  EXPECT_EQ(out.sizes(), IntArrayRef({3, 3}));
}

TEST(DerivedVariants, TakeTheOptionsOfFactoriesFromTheOutput) {
  Tensor out = full({1}, 5, kDouble);
  zeros_like_out(out, counting<float>({2, 2}));
  EXPECT_EQ(to_vector<double>(out), (std::vector<double>{0, 0, 0, 0}));
  Tensor random = empty({0}, kDouble);
  rand_like_out(random, counting<float>({3}), seeded());
  EXPECT_EQ(to_vector<double>(random), to_vector<double>(rand_like(full({3}, 0, kDouble), seeded())));
}

TEST(DerivedVariants, ApplyInplaceOperatorsToCopies) {
  const Tensor self = t(counting<float>({2, 3}));
  EXPECT_EQ(to_vector<float>(zero(self)), std::vector<float>(6, 0));
  EXPECT_EQ(zero(self).strides(), self.strides());
  EXPECT_EQ(at<float>(self, {1, 1}), 4);
  Tensor expected = empty({3}, kFloat);
  uniform_(expected, 2, 3, seeded());
  EXPECT_EQ(to_vector<float>(uniform(counting<float>({3}), 2, 3, seeded())), to_vector<float>(expected));
  Tensor out = empty({0}, kFloat);
  uniform_out(out, counting<float>({3}), 2, 3, seeded());
  EXPECT_EQ(to_vector<float>(out), to_vector<float>(expected));
  EXPECT_EQ(to_vector<float>(bernoulli(counting<float>({2}), full({2}, 1, kFloat))), (std::vector<float>{1, 1}));
}

TEST(DerivedVariants, AcceptOutputsThatShareMemoryWithInputs) {
  Tensor self = counting<float>({2, 2});
  rot90_out(self, self);
  EXPECT_EQ(to_vector<float>(self), (std::vector<float>{1, 3, 0, 2}));
}

TEST(DerivedVariants, ComputeShapesWithoutData) {
  Tensor out = empty({0}, TensorOptions().dtype(kFloat).device(Device(DeviceType::Meta)));
  floor_divide_out(out, empty({2, 3}, out.options()), 2);
  EXPECT_EQ(out.sizes(), IntArrayRef({2, 3}));
}

TEST(DerivedVariants, AreNotRecordedIntoOutputs) {
  const Tensor self = counting<float>({3});
  self.requires_grad_();
  Tensor out = empty({0}, kFloat);
  EXPECT_THROW(median_out(out, self), Error);
}

TEST(DerivedVariants, RecordInplaceOperatorsOnCopies) {
  const Tensor self = counting<float>({3});
  self.requires_grad_();
  const Tensor result = zero(self);
  EXPECT_TRUE(result.requires_grad());
  result.backward(full({3}, 2, kFloat));  // reaches the copy
  EXPECT_FALSE(self.grad().defined());    // instead of zeros
}

}  // namespace
}  // namespace structured::variants_test
