#include "structured/kernel/versions.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "structured/core/factory.h"

namespace structured {
namespace {

TEST(BumpVersions, BumpsWhateverHoldsATensor) {
  const Tensor single = tensor<float>({1});
  const std::vector<Tensor> list{tensor<float>({2}), Tensor()};
  const std::vector<std::optional<Tensor>> optionals{std::nullopt, tensor<float>({3})};
  const Tensor bystander = tensor<float>({4});
  bump_versions(single, TensorList(list), ArrayRef<std::optional<Tensor>>(optionals), std::optional<Tensor>(single), 5);
  EXPECT_EQ(single.version(), 2u);
  EXPECT_EQ(list[0].version(), 1u);
  EXPECT_EQ(optionals[1]->version(), 1u);
  EXPECT_EQ(bystander.version(), 0u);
}

}  // namespace
}  // namespace structured
