#include "structured/kernel/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "../../expect_error.h"
#include "structured/core/factory.h"
#include "test_support.h"

namespace structured {
namespace {

using test::expect_error;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ResizeOutput, LeavesWhatFits) {
  const Tensor out = empty_strided({2, 3}, {1, 2}, kFloat);
  const CaughtWarnings warnings;
  EXPECT_FALSE(resize_output(out, {2, 3}));
  EXPECT_EQ(out.strides(), (IntArrayRef{1, 2}));
  EXPECT_THAT(warnings.get(), IsEmpty());
}

TEST(ResizeOutput, WarnsOnlyIfThereWereElements) {
  const CaughtWarnings warnings;
  EXPECT_TRUE(resize_output(empty({0}, kFloat), {2, 3}));
  EXPECT_TRUE(resize_output(empty({3, 0, 2}, kFloat), {2, 3}));
  EXPECT_THAT(warnings.get(), IsEmpty());
  EXPECT_TRUE(resize_output(empty({6}, kFloat), {2, 3}));
  EXPECT_TRUE(resize_output(empty({2}, kFloat), {0}));
  EXPECT_THAT(warnings.get(), SizeIs(2));
}

TEST(ResizeOutput, GrowsTheStorageAndNeverShrinksIt) {
  const Tensor out = tensor<float>({1, 2});
  const CaughtWarnings warnings;
  resize_output(out, {3, 4});
  EXPECT_EQ(out.sizes(), (IntArrayRef{3, 4}));
  EXPECT_EQ(out.strides(), (IntArrayRef{4, 1}));
  EXPECT_GE(out.storage().nbytes(), 48u);
  EXPECT_EQ(out.data_ptr<float>()[1], 2) << "the content stays";
  out.data_ptr<float>()[11] = 5;
  const std::size_t before = out.storage().nbytes();
  resize_output(out, {1});
  EXPECT_EQ(out.storage().nbytes(), before);
  EXPECT_EQ(out.version(), 0u);
}

TEST(ResizeOutput, AViewGrowsFromItsOffset) {
  const Tensor base = tensor<float>({1, 2, 3});
  const Tensor out = as_strided(base, {1}, {1}, 2);
  const CaughtWarnings warnings;
  resize_output(out, {4});
  EXPECT_EQ(out.storage_offset(), 2);
  EXPECT_GE(out.storage().nbytes(), 6 * sizeof(float));
  EXPECT_EQ(out.data_ptr<float>()[0], 3);
}

TEST(ResizeOutput, MemoryOfSomeoneElseDoesNotGrow) {
  std::vector<float> data{1, 2};
  const Tensor out = from_blob(data.data(), {2}, kFloat);
  const CaughtWarnings warnings;
  expect_error([&] { resize_output(out, {3}); },
               "expected at most the 8 bytes of the memory it was created from, got 12");
  EXPECT_EQ(out.sizes(), (IntArrayRef{2})) << "left as it was";
  EXPECT_TRUE(resize_output(out, {2, 1}));
}

TEST(ResizeOutput, WorksWithoutData) {
  const Tensor out = empty({0}, TensorOptions(kFloat).device(kMeta));
  EXPECT_TRUE(resize_output(out, {1000, 1000}));
  EXPECT_EQ(out.numel(), 1000000);
}

TEST(ResizeOutput, RefusesSizesThatNoTensorHas) {
  for (const Device device : {Device(kCPU), Device(kMeta)}) {
    const Tensor out = empty({0}, TensorOptions(kFloat).device(device));
    EXPECT_EQ(message_of([&] { resize_output(out, {-3}); }), "expected sizes of 0 or more, got [-3]");
    EXPECT_EQ(message_of([&] { resize_output(out, {INT64_MIN}); }),
              "expected sizes of 0 or more, got [-9223372036854775808]");
    EXPECT_EQ(out.storage().nbytes(), 0u);
  }
}

TEST(ResizeStrided, TakesTheStridesAsTheyAre) {
  const Tensor tensor = empty({0}, kFloat);
  resize_strided(tensor, {2, 3}, {1, 4});
  EXPECT_EQ(tensor.strides(), (IntArrayRef{1, 4}));
  EXPECT_GE(tensor.storage().nbytes(), 10 * sizeof(float));
}

}  // namespace
}  // namespace structured
