// Tensors of calls on another device.
#include "on_device.h"

#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/core/tensor_impl.h>

#include <vector>

#include "../runtime/core/counting_allocator.h"

namespace structured::replay {
namespace {

// Returns `tensors` on another device.
std::vector<Tensor> on_other_device(const std::vector<Tensor>& tensors) {
  Stack values;
  for (const Tensor& tensor : tensors) values.push_back(tensor);
  std::vector<Tensor> moved;
  for (const Value& value : on_device(values, kPrivateUse1)) moved.push_back(value.to_tensor());
  return moved;
}

class OnDevice : public testing::Test {
 protected:
  CountingAllocator memory_;
  ScopedAllocator scope_{kPrivateUse1, memory_};
};

TEST_F(OnDevice, KeepsElementsAndLayout) {
  const Tensor base = tensor<float>({0, 1, 2, 3, 4, 5, 6, 7});
  const Tensor moved = on_other_device({as_strided(base, {2, 2}, {1, 3}, 1)})[0];
  EXPECT_EQ(moved.device().type(), kPrivateUse1);
  EXPECT_EQ(moved.strides(), IntArrayRef({1, 3}));
  EXPECT_EQ(moved.storage_offset(), 1);
  const auto* const elements = static_cast<const float*>(moved.data());
  EXPECT_EQ(elements[0], 1);
  EXPECT_EQ(elements[4], 5);
}

TEST_F(OnDevice, KeepsSharedMemory) {
  const Tensor base = tensor<float>({0, 1, 2, 3});
  const std::vector<Tensor> moved =
      on_other_device({as_strided(base, {2}, {1}, 0), as_strided(base, {3}, {1}, 1), tensor<float>({0})});
  EXPECT_TRUE(moved[0].storage().is_same(moved[1].storage()));
  EXPECT_FALSE(moved[0].storage().is_same(moved[2].storage()));
  static_cast<float*>(moved[0].data())[1] = 8;
  EXPECT_EQ(static_cast<float*>(moved[1].data())[0], 8);
}

TEST_F(OnDevice, KeepsSharedMemoryOfOtherDtypes) {
  const Tensor base = tensor<float>({0, 1, 2, 3});
  const Tensor integers =
      as_strided(Tensor::adopt(TensorImpl::create(base.storage(), base.device(), kInt)), {2}, {2}, 1);
  const std::vector<Tensor> moved = on_other_device({base, integers});
  static_cast<float*>(moved[0].data())[3] = 0;
  EXPECT_EQ(static_cast<int*>(moved[1].data())[0], 0x3f800000);
  EXPECT_EQ(static_cast<int*>(moved[1].data())[2], 0);
}

}  // namespace
}  // namespace structured::replay
