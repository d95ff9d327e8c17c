#include <gmock/gmock.h>

#include "naive.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured::strides_test {
namespace {

using naive::arange;

const Tensor none;

TEST(Coalescing, JoinsDimensionsThatAllOperandsWalkInOneGo) {
  const Tensor a = arange<float>({2, 3, 4});
  const Tensor b = arange<float>({3, 4});
  const auto iter = TensorIterator::binary_op(none, a, b);
  EXPECT_EQ(iter.shape(), (IntArrayRef{12, 2}));
  EXPECT_EQ(iter.stride(0, 0), 4);
  EXPECT_EQ(iter.stride(0, 1), 48);
  EXPECT_EQ(iter.stride(2, 0), 4);
  EXPECT_EQ(iter.stride(2, 1), 0);
}

TEST(Coalescing, KeepsApartWhatAGapDivides) {
  const Tensor a = arange<float>({3, 4}, {}, 2);
  const auto iter = TensorIterator::unary_op(none, a);
  EXPECT_EQ(iter.shape(), (IntArrayRef{4, 3}));
  EXPECT_EQ(iter.stride(1, 1), 24);
}

TEST(Coalescing, LeavesOutDimensionsOfSizeOne) {
  const Tensor a = as_strided(arange<float>({40}), {1, 3, 1, 4, 1}, {7, 8, 9, 1, 5}, 0);
  const Tensor b = as_strided(arange<float>({40}), {1, 3, 1, 4, 1}, {3, 8, 2, 2, 1}, 0);
  EXPECT_EQ(TensorIterator::binary_op(none, a, b).shape(), (IntArrayRef{4, 3}));
}

TEST(Coalescing, OneElementIsDenseWhateverItsStrides) {
  const Tensor a = as_strided(arange<float>({40}), {1, 1}, {7, 8}, 0);
  const Tensor b = arange<float>({1});
  const auto iter = TensorIterator::binary_op(none, a, b);
  EXPECT_TRUE(iter.is_contiguous());
}

TEST(Reordering, PutsSmallStridesFirst) {
  const Tensor a = arange<float>({2, 3, 4}, {1, 2, 0}, 1);  // gaps prevent coalescing
  const Tensor b = arange<float>({2, 3, 4}, {1, 2, 0}, 2);
  const auto iter = TensorIterator::binary_op(none, a, b);
  EXPECT_EQ(iter.shape(), (IntArrayRef{2, 12}));
  EXPECT_EQ(iter.stride(1, 0), 4);
  EXPECT_EQ(iter.stride(1, 1), 12);
}

TEST(Reordering, TheFirstOperandDecidesWhereTheyDisagree) {
  const Tensor a = arange<float>({3, 4});
  const Tensor b = arange<float>({3, 4}, {1, 0});
  EXPECT_EQ(TensorIterator::binary_op(none, a, b).shape(), (IntArrayRef{4, 3}));
  EXPECT_EQ(TensorIterator::binary_op(none, b, a).shape(), (IntArrayRef{3, 4}));
}

TEST(Reordering, IsLeftOutForLinearIteration) {
  const Tensor a = arange<float>({3, 4}, {1, 0});
  const Tensor out = arange<float>({3, 4}, {1, 0});
  const auto iter = TensorIteratorConfig().enforce_linear_iteration(true).add_output(out).add_input(a).build();
  EXPECT_EQ(iter.shape(), (IntArrayRef{4, 3}));
}

TEST(Reordering, PutsReducedDimensionsInnermost) {
  const Tensor in = arange<float>({2, 3, 4});
  const Tensor out = arange<float>({2, 1, 4});
  const auto iter = TensorIterator::reduce_op(out, in);
  EXPECT_TRUE(iter.is_reduction());
  EXPECT_EQ(iter.shape(), (IntArrayRef{3, 4, 2}));
  EXPECT_EQ(iter.stride(0, 0), 0);
  EXPECT_EQ(iter.stride(1, 0), 16);
}

TEST(OutputStrides, AreRowMajorForRowMajorInputs) {
  const Tensor a = arange<float>({2, 3, 4});
  const Tensor b = arange<float>({4});
  EXPECT_EQ(TensorIterator::binary_op(none, a, b).output().strides(), (IntArrayRef{12, 4, 1}));
}

TEST(OutputStrides, FollowTransposedInputs) {
  const Tensor a = arange<float>({3, 4}, {1, 0});
  const Tensor b = arange<float>({3, 4}, {1, 0});
  EXPECT_EQ(TensorIterator::binary_op(none, a, b).output().strides(), (IntArrayRef{1, 3}));
  EXPECT_EQ(TensorIterator::unary_op(none, a).output().strides(), (IntArrayRef{1, 3}));
  // Among inputs that disagree, the first one decides.
  const Tensor c = arange<float>({3, 4});
  EXPECT_EQ(TensorIterator::binary_op(none, a, c).output().strides(), (IntArrayRef{1, 3}));
  EXPECT_EQ(TensorIterator::binary_op(none, c, a).output().strides(), (IntArrayRef{4, 1}));
}

TEST(OutputStrides, LeaveOutGapsAndRepetitions) {
  const Tensor a = arange<float>({2, 3, 4}, {2, 0, 1}, 5);
  EXPECT_EQ(TensorIterator::unary_op(none, a).output().strides(), (IntArrayRef{3, 1, 6}));
  const Tensor row = naive::expand(arange<float>({4}), {3, 4});
  EXPECT_EQ(TensorIterator::unary_op(none, row).output().strides(), (IntArrayRef{4, 1}));
}

TEST(OutputStrides, KeepChannelsLast) {
  const Tensor a = empty({2, 3, 4, 5}, TensorOptions(kFloat), MemoryFormat::ChannelsLast);
  const Tensor b = empty({2, 3, 4, 5}, TensorOptions(kFloat), MemoryFormat::ChannelsLast);
  const auto iter = TensorIterator::binary_op(none, a, b);
  EXPECT_TRUE(iter.output().is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_EQ(iter.ndim(), 1u);
  const Tensor bias = as_strided(arange<float>({3}), {3, 1, 1}, {1, 1, 1}, 0);
  EXPECT_TRUE(TensorIterator::binary_op(none, a, bias).output().is_contiguous(MemoryFormat::ChannelsLast));
  const Tensor volume = empty({2, 3, 4, 5, 6}, TensorOptions(kFloat), MemoryFormat::ChannelsLast3d);
  EXPECT_TRUE(TensorIterator::unary_op(none, volume).output().is_contiguous(MemoryFormat::ChannelsLast3d));
}

TEST(OutputStrides, OfAResizedOutputAreThoseOfANewOne) {
  const Tensor a = arange<float>({3, 4}, {1, 0}, 1);
  const Tensor out = empty({0}, TensorOptions(kFloat));
  TensorIterator::unary_op(out, a);
  EXPECT_EQ(out.sizes(), (IntArrayRef{3, 4}));
  EXPECT_EQ(out.strides(), (IntArrayRef{1, 3}));
}

TEST(OutputStrides, OfAGivenOutputStay) {
  const Tensor a = arange<float>({3, 4});
  const Tensor out = arange<float>({3, 4}, {1, 0});
  const auto iter = TensorIterator::unary_op(out, a);
  EXPECT_EQ(out.strides(), (IntArrayRef{1, 3}));
  EXPECT_EQ(iter.shape(), (IntArrayRef{3, 4}));
}

}  // namespace
}  // namespace structured::strides_test
