#include <structured/core/factory.h>

#include <structured/format/print.h>

#include <cstring>
#include <vector>

#include "../../expect_error.h"
#include "counting_allocator.h"
#include "throws_error.h"

namespace structured {
namespace {

using test::expect_error;

TEST(Empty, IsDense) {
  const Tensor tensor = empty({2, 3}, kDouble);
  EXPECT_EQ(tensor.dtype(), kDouble);
  EXPECT_EQ(tensor.strides(), IntArrayRef({3, 1}));
  EXPECT_EQ(tensor.storage().nbytes(), 48u);
  std::memset(tensor.data(), 1, 48);
  EXPECT_EQ(empty({2}).dtype(), kFloat);
  EXPECT_EQ(empty({}).numel(), 1);
  EXPECT_EQ(empty({0, 5}).storage().nbytes(), 0u);
}

TEST(Empty, FollowsTheMemoryFormat) {
  const DimVector channels_last = {60, 1, 15, 3};
  EXPECT_EQ(empty({2, 3, 4, 5}, {}, MemoryFormat::ChannelsLast).strides(), IntArrayRef(channels_last));
  EXPECT_EQ(empty({2, 3, 4, 5}, MemoryFormat::ChannelsLast).strides(), IntArrayRef(channels_last));
  EXPECT_EQ(empty({2, 3, 4, 5}, MemoryFormat::ChannelsLast, MemoryFormat::Contiguous).strides(),
            IntArrayRef({60, 20, 5, 1}));
  EXPECT_ERROR(empty({2, 3}, {}, MemoryFormat::ChannelsLast),
               "expected 4 dimensions for memory format ChannelsLast, got sizes [2, 3]");
  EXPECT_ERROR(empty({2, 3}, {}, MemoryFormat::Preserve),
               "expected a memory format with an order of its own, got Preserve");
}

TEST(Empty, RefusesWhatItCannotMake) {
  EXPECT_ERROR(empty({-1}), "expected sizes of 0 or more, got [-1]");
  EXPECT_ERROR(empty({2}, kSparse), "empty: expected layout Strided, got Sparse");
  EXPECT_ERROR(empty({2}, ScalarType::Undefined), "empty: expected a dtype that tensors have, got Undefined");
  EXPECT_ERROR(empty({2}, TensorOptions().pinned_memory(true)),
               "empty: expected `pin_memory` to be false: this build has no device that pinned memory would serve");
  EXPECT_ERROR(empty({2}, kPrivateUse1),
               "expected a device type with an allocator, got privateuseone; see `set_allocator`");
  EXPECT_ERROR(empty({int64_t{1} << 61}, kDouble),
               "expected a number of bytes that fits int64_t, got sizes [2305843009213693952] and strides [1] from "
               "offset 0");
}

TEST(Empty, OfAnySizeHasNoDataOnMeta) {
  const Tensor tensor = empty({int64_t{1} << 40}, kMeta);
  EXPECT_EQ(tensor.data(), nullptr);
  EXPECT_EQ(tensor.storage().nbytes(), std::size_t{1} << 42);
}

TEST(EmptyStrided, HoldsWhatTheStridesReach) {
  EXPECT_EQ(empty_strided({2, 3}, {4, 1}, kFloat).storage().nbytes(), 28u);
  EXPECT_EQ(empty_strided({2, 3}, {0, 0}, kFloat).storage().nbytes(), 4u);
  EXPECT_EQ(empty_strided({0, 3}, {100, 1}, kFloat).storage().nbytes(), 0u);
  EXPECT_ERROR(empty_strided({2}, {-1}, kFloat), "expected strides of 0 or more, got [-1]");
  EXPECT_ERROR(empty_strided({2}, {}, kFloat), "expected as many strides as sizes, got sizes [2] and strides []");
}

TEST(StorageNbytes, CountsUpToTheLastElement) {
  EXPECT_EQ(detail::storage_nbytes({}, {}, 4), 4u);
  EXPECT_EQ(detail::storage_nbytes({2, 3}, {10, 2}, 2, 5), 2u * (5 + 10 + 4 + 1));
  EXPECT_EQ(detail::storage_nbytes({0}, {10}, 2, 5), 0u);
}

TEST(TensorFromElements, CopiesThem) {
  const Tensor matrix = tensor<int32_t>({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(matrix.dtype(), kInt);
  EXPECT_EQ(matrix.sizes(), IntArrayRef({2, 2}));
  EXPECT_EQ(to_vector<int32_t>(matrix), (std::vector<int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(tensor<float>({1, 2, 3}).sizes(), IntArrayRef(3));
  const std::vector<double> doubles = {1, 2};
  EXPECT_EQ(to_vector<double>(tensor<double>(doubles, {2, 1})), doubles);
  EXPECT_EQ(to_vector<bool>(tensor<bool>({true, false})), (std::vector<bool>{true, false}));
  EXPECT_EQ(to_vector<float>(tensor<float>({}, {0, 3})), std::vector<float>());
}

TEST(TensorFromElements, ChecksTheirNumberAndType) {
  EXPECT_ERROR(tensor<float>({1, 2, 3}, {2, 2}), "tensor: expected as many elements as sizes [2, 2] hold, got 3");
  EXPECT_ERROR(to_vector<float>(tensor<double>({1})), "to_vector: expected a tensor of dtype Float, got Double");
  EXPECT_ERROR(to_vector<float>(empty({1}, kMeta)), "to_vector: expected a tensor on cpu, got meta");
}

TEST(ScalarTensor, HasTheDtypeThatIsAskedFor) {
  EXPECT_EQ(to_string(scalar_tensor(1)), "tensor(1.)");
  EXPECT_EQ(scalar_tensor(1).dim(), 0);
  EXPECT_EQ(scalar_tensor(1.5, kHalf).item<double>(), 1.5);
  EXPECT_TRUE(scalar_tensor(1, kMeta).is_meta());
  EXPECT_FALSE(scalar_tensor(1).is_wrapped_number());
  EXPECT_ERROR(scalar_tensor(300, kByte), "expected a number that fits Byte, got 300");
}

TEST(Zeros, HasZeros) {
  EXPECT_EQ(to_string(zeros({2, 2}, kInt)), "tensor([[0, 0],\n        [0, 0]], dtype=Int)");
  EXPECT_EQ(zeros({2}).dtype(), kFloat);
  EXPECT_EQ(zeros({1000000, 1000000, 1000}, kMeta).sizes(), (IntArrayRef{1000000, 1000000, 1000}));
  EXPECT_EQ(zeros({0, 2}).numel(), 0);
  CountingAllocator counting(/*is_host_accessible=*/false);
  const ScopedAllocator scope(kPrivateUse1, counting);
  EXPECT_ERROR(zeros({1}, kPrivateUse1),
               "zeros: expected device meta or one whose memory the host can write, got privateuseone");
}

TEST(Full, HasTheValueEverywhere) {
  EXPECT_EQ(to_vector<int64_t>(full({5}, 7)), (std::vector<int64_t>{7, 7, 7, 7, 7}));
  EXPECT_EQ(full({1}, 1.5).dtype(), kFloat);
  EXPECT_EQ(full({1}, true).dtype(), kBool);
  EXPECT_EQ(full({1}, Complex<double>(0, 1)).dtype(), kComplexFloat);
  EXPECT_EQ(to_vector<double>(full({3}, 2, kDouble)), (std::vector<double>{2, 2, 2}));
  EXPECT_ERROR(full({1}, 300, kByte), "expected a number that fits Byte, got 300");
}

TEST(Tensor, IsMadeOfRows) {
  const Tensor matrix = tensor<float>({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(matrix.sizes(), (IntArrayRef{2, 3}));
  EXPECT_EQ(to_vector<float>(matrix), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(to_vector<bool>(tensor<bool>({{true, false}, {false, true}})),
            (std::vector<bool>{true, false, false, true}));
  EXPECT_ERROR(tensor<float>({{1, 2}, {3}}), "tensor: expected rows of 2 elements, got one of 1");
}

/// Stands in for the operator library, whose header declares a function with the same name and parameters.
namespace operators {
int calls = 0;
Tensor empty(IntArrayRef sizes, TensorOptions options = {}, std::optional<MemoryFormat> format = std::nullopt) {
  ++calls;
  return structured::empty(sizes, options, format);
}
}  // namespace operators

TEST(Empty, IsNotAmbiguousWithTheOperator) {
  using operators::empty;
  using structured::empty;
  empty({2, 3}, kFloat);
  empty({2});
  empty({1, 2, 3, 4}, kFloat, MemoryFormat::ChannelsLast);
  EXPECT_EQ(operators::calls, 3);
}

TEST(WrappedScalarTensor, HasTheTypeOfTheNumber) {
  EXPECT_TRUE(wrapped_scalar_tensor(1).is_wrapped_number());
  EXPECT_EQ(to_string(wrapped_scalar_tensor(1)), "tensor(1)");
  EXPECT_EQ(wrapped_scalar_tensor(1.5).dtype(), kDouble);
  EXPECT_EQ(wrapped_scalar_tensor(true).dtype(), kBool);
}

TEST(ScalarTensor, IsMadeOnDevicesThatTheHostWritesTo) {
  CountingAllocator counting(/*is_host_accessible=*/false);
  const ScopedAllocator scope(kPrivateUse1, counting);
  EXPECT_ERROR(scalar_tensor(1, kPrivateUse1),
               "scalar_tensor: expected device meta or one whose memory the host can write, got privateuseone");
}

TEST(FromBlob, UsesTheMemory) {
  float memory[] = {1, 2, 3, 4};
  int releases = 0;
  {
    const Tensor tensor =
        from_blob(memory, {2, 2}, kFloat, [](void* count) { ++*static_cast<int*>(count); }, &releases);
    EXPECT_EQ(tensor.data(), memory);
    const Tensor view = as_strided(tensor, {2}, {1}, 2);
    EXPECT_EQ(to_vector<float>(view), (std::vector<float>{3, 4}));
  }
  EXPECT_EQ(releases, 1);
}

TEST(FromBlob, CallsAnyDeleterOnce) {
  float memory[] = {1, 2};
  std::vector<void*> deleted;
  const auto deleter = [&deleted](void* data) { deleted.push_back(data); };
  {
    const Tensor tensor = from_blob(memory, {2}, kFloat, deleter);
    const Tensor view = as_strided(tensor, {1}, {1}, 1);
    EXPECT_EQ(view.item<float>(), 2);
    EXPECT_TRUE(deleted.empty());
  }
  EXPECT_EQ(deleted, std::vector<void*>{memory});
  expect_error([&] { from_blob(nullptr, {2}, kFloat, deleter); },
               "from_blob: expected memory of 8 bytes for sizes [2], got a null pointer");
  EXPECT_EQ(deleted.size(), 1u);
}

TEST(FromBlob, RefusesElementsThatAreNowhere) {
  EXPECT_ERROR(from_blob(nullptr, {4}, kFloat),
               "from_blob: expected memory of 16 bytes for sizes [4], got a null pointer");
  EXPECT_EQ(from_blob(nullptr, {4, 0}, kFloat).numel(), 0);
  float memory[4];
  EXPECT_ERROR(from_blob(memory, {4}, TensorOptions(kFloat).device(kMeta)),
               "from_blob: expected a device whose tensors have elements, got meta");
}

TEST(FromBlob, ReleasesNothingIfTheShapeIsWrong) {
  float memory[4];
  int releases = 0;
  EXPECT_ERROR(from_blob(
                   memory, {-2}, kFloat, [](void* count) { ++*static_cast<int*>(count); }, &releases),
               "expected sizes of 0 or more, got [-2]");
  EXPECT_EQ(releases, 0);
}

}  // namespace
}  // namespace structured
