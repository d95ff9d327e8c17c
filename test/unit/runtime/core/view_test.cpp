// Tensors that share a storage: sizes, strides and offsets that as_strided accepts and refuses.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>

#include <vector>

#include "throws_error.h"

namespace structured {
namespace {

using Floats = std::vector<float>;

TEST(View, SharesTheStorage) {
  const Tensor base = tensor<float>({0, 1, 2, 3, 4, 5}, {2, 3});
  const Tensor transposed = as_strided(base, {3, 2}, {1, 3}, 0);
  EXPECT_EQ(to_vector<float>(transposed), (Floats{0, 3, 1, 4, 2, 5}));
  transposed.data_ptr<float>()[0] = 9;
  EXPECT_EQ(to_vector<float>(base), (Floats{9, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(transposed.storage().is_same(base.storage()));
}

TEST(View, StartsAtItsOffset) {
  const Tensor base = tensor<float>({0, 1, 2, 3, 4, 5});
  const Tensor tail = as_strided(base, {2}, {2}, 3);
  EXPECT_EQ(tail.storage_offset(), 3);
  EXPECT_EQ(tail.data_ptr<float>(), base.data_ptr<float>() + 3);
  EXPECT_EQ(to_vector<float>(tail), (Floats{3, 5}));
}

TEST(View, RepeatsElements) {
  const Tensor base = tensor<float>({1, 2});
  EXPECT_EQ(to_vector<float>(as_strided(base, {2, 2}, {0, 1}, 0)), (Floats{1, 2, 1, 2}));
}

TEST(View, KnowsItsBase) {
  const Tensor base = empty({4});
  EXPECT_FALSE(base.is_view());
  EXPECT_ERROR(base.base(), "base: expected a view, got a tensor that is none");
  const Tensor view = as_strided(base, {2}, {1}, 0);
  const Tensor view_of_view = as_strided(view, {1}, {1}, 3);  // offsets count from the storage's start
  EXPECT_TRUE(view.is_view() && view_of_view.is_view());
  EXPECT_TRUE(view.base().is_same(base));
  EXPECT_TRUE(view_of_view.base().is_same(base));
}

TEST(View, KeepsItsBaseAlive) {
  Tensor base = tensor<float>({1, 2});
  const Tensor view = as_strided(base, {1}, {1}, 1);
  EXPECT_EQ(base.use_count(), 2u);
  base.reset();
  EXPECT_EQ(view.item<float>(), 2.0f);
  EXPECT_EQ(view.base().numel(), 2);
}

TEST(View, SharesTheVersion) {
  const Tensor base = empty({4});
  const Tensor view = as_strided(base, {2}, {1}, 0);
  EXPECT_EQ(base.version(), 0u);
  view.bump_version();
  EXPECT_EQ(base.version(), 1u);
  base.bump_version();
  EXPECT_EQ(view.version(), 2u);
  EXPECT_EQ(empty({4}).version(), 0u);
}

TEST(View, StaysWithinTheStorage) {
  const Tensor base = empty({4});
  EXPECT_ERROR(as_strided(base, {2}, {1}, 3),
               "as_strided: expected a view within the storage's 16 bytes, got one that needs 20 (sizes [2], strides "
               "[1], storage offset 3)");
  EXPECT_ERROR(as_strided(base, {2, 2}, {3, 1}, 0),
               "as_strided: expected a view within the storage's 16 bytes, got one that needs 20 (sizes [2, 2], "
               "strides [3, 1], storage offset 0)");
  EXPECT_ERROR(as_strided(base, {2}, {1}, -1), "as_strided: expected a storage offset of 0 or more, got -1");
  EXPECT_ERROR(as_strided(Tensor(), {2}, {1}, 0), "as_strided: expected a defined tensor, got an undefined one");
  EXPECT_ERROR(as_strided(base, {2, 2}, {int64_t{1} << 62, int64_t{1} << 62}, 0),
               "expected a number of bytes that fits int64_t, got sizes [2, 2] and strides [4611686018427387904, "
               "4611686018427387904] from offset 0");
  EXPECT_EQ(base.use_count(), 1u);
}

TEST(View, MayBeEmptyAnywhere) {
  const Tensor base = empty({4});
  EXPECT_EQ(as_strided(base, {0}, {1}, 100).numel(), 0);
}

TEST(View, WorksWithoutData) {
  const Tensor base = empty({4}, kMeta);
  const Tensor view = as_strided(base, {2}, {2}, 1);
  EXPECT_EQ(view.data(), nullptr);
  EXPECT_TRUE(view.is_meta());
  EXPECT_ERROR(as_strided(base, {2}, {4}, 0),
               "as_strided: expected a view within the storage's 16 bytes, got one that needs 20 (sizes [2], strides "
               "[4], storage offset 0)");
}

}  // namespace
}  // namespace structured
