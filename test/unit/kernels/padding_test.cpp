#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/pad.h>
#include <structured/ops/reflection_pad1d.h>
#include <structured/ops/reflection_pad2d.h>
#include <structured/ops/reflection_pad3d.h>
#include <structured/ops/replication_pad1d.h>
#include <structured/ops/replication_pad2d.h>
#include <structured/ops/replication_pad3d.h>

#include <algorithm>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

int64_t reflected(int64_t i, int64_t size) { return i < 0 ? -i : i < size ? i : 2 * size - 2 - i; }
int64_t clamped(int64_t i, int64_t size) { return std::clamp<int64_t>(i, 0, size - 1); }

TEST(Padding, Reflects) {
  const Tensor dense = counting<float>({2, 3, 5, 40});
  for (const Tensor& self : {dense, strided(dense)}) {
    expect_elements<float>(reflection_pad2d(self, {3, 39, 4, -1}), {2, 3, 8, 82}, [&](const Index& i) {
      return at<float>(dense, {i[0], i[1], reflected(i[2] - 4, 5), reflected(i[3] - 3, 40)});
    });
  }
  expect_elements<float>(reflection_pad1d(counting<float>({1, 4}), {3, 2}), {1, 9},
                         [](const Index& i) { return static_cast<double>(reflected(i[1] - 3, 4)); });
  const Tensor deep = counting<double>({2, 3, 4, 5});
  expect_elements<double>(reflection_pad3d(deep, {1, 2, 0, 1, 2, 1}), {2, 6, 5, 8}, [&](const Index& i) {
    return at<double>(deep, {i[0], reflected(i[1] - 2, 3), reflected(i[2], 4), reflected(i[3] - 1, 5)});
  });
}

TEST(Padding, Replicates) {
  const Tensor dense = counting<float>({2, 3, 5, 4});
  for (const Tensor& self : {dense, strided(dense)}) {
    expect_elements<float>(replication_pad2d(self, {9, -2, 0, 7}), {2, 3, 12, 11}, [&](const Index& i) {
      return at<float>(dense, {i[0], i[1], clamped(i[2], 5), clamped(i[3] - 9, 4)});
    });
    expect_elements<float>(replication_pad3d(self, {1, 1, 1, 1, 1, 1}), {2, 5, 7, 6}, [&](const Index& i) {
      return at<float>(dense, {i[0], clamped(i[1] - 1, 3), clamped(i[2] - 1, 5), clamped(i[3] - 1, 4)});
    });
  }
  Tensor out = strided(empty({2, 3, 6}));
  replication_pad1d_out(out, counting<float>({2, 3, 4}), {1, 1});
  expect_elements<float>(
      out, {2, 3, 6}, [](const Index& i) { return static_cast<double>(i[0] * 12 + i[1] * 4 + clamped(i[2] - 1, 4)); });
}

TEST(Padding, CropsBeyondTheOtherEnd) {
  const Tensor self = counting<int32_t>({1, 6});
  EXPECT_EQ(to_vector<int32_t>(reflection_pad1d(self, {-7, 3})), (std::vector<int32_t>{3, 2}));
  EXPECT_EQ(to_vector<int32_t>(replication_pad1d(self, {-8, 4})), (std::vector<int32_t>{5, 5}));
  EXPECT_EQ(to_vector<int32_t>(replication_pad1d(self, {4, -8})), (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(to_vector<uint8_t>(replication_pad2d(counting<uint8_t>({1, 3, 4}), {-5, 2, 1, -1})),
            (std::vector<uint8_t>{3, 3, 7}));
}

TEST(Padding, SelectsTheMode) {
  const Tensor self = counting<float>({2, 3, 5, 4});
  expect_elements<float>(pad(self, {1, 2}), {2, 3, 5, 7}, [&](const Index& i) {
    return i[3] >= 1 && i[3] < 5 ? at<float>(self, {i[0], i[1], i[2], i[3] - 1}) : 0.0F;
  });
  expect_elements<float>(pad(self, {0, 1}, "constant", 7.0), {2, 3, 5, 5},
                         [&](const Index& i) { return i[3] < 4 ? at<float>(self, {i[0], i[1], i[2], i[3]}) : 7.0F; });
  expect_elements<float>(pad(self, {1, 2, 3, 0}, "reflect"), {2, 3, 8, 7}, [&](const Index& i) {
    return at<float>(self, {i[0], i[1], reflected(i[2] - 3, 5), reflected(i[3] - 1, 4)});
  });
  expect_elements<float>(pad(self, {1, 2, 3, 0}, "replicate"), {2, 3, 8, 7}, [&](const Index& i) {
    return at<float>(self, {i[0], i[1], clamped(i[2] - 3, 5), clamped(i[3] - 1, 4)});
  });
  expect_elements<float>(pad(self, {1, 2, 3, -1}, "circular"), {2, 3, 7, 7}, [&](const Index& i) {
    return at<float>(self, {i[0], i[1], (i[2] - 3 + 5) % 5, (i[3] - 1 + 4) % 4});
  });
  expect_error([&] { pad(self, {1, 1}, "mirror"); }, "pad: expected `mode` constant, reflect, replicate or circular");
  expect_error([&] { pad(self, {1, 1}, "reflect"); }, "pad: expected two numbers for each of the last 1, 2 or 3");
  expect_error([&] { pad(self, {5, 0, 0, 0}, "circular"); }, "pad: expected circular padding of at most 4 elements");
}

TEST(Padding, OfNothingTakesNoTime) {
  EXPECT_EQ(replication_pad1d(empty({0, 3, 3}), {int64_t{1} << 40, 2}).numel(), 0);
}

TEST(Padding, RefusesWhatDoesNotFit) {
  const Tensor self = counting<float>({2, 3, 4});
  expect_error([&] { reflection_pad1d(self, {4, 0}); },
               "expected `padding` to be less than the size that is reflected, 4");
  expect_error([&] { reflection_pad1d(self, {0}); }, "expected `padding` to have 2 elements");
  expect_error([&] { replication_pad1d(self, {-2, -2}); },
               "expected `padding` to give a positive size for input size 4");
  expect_error([&] { replication_pad1d(self, {INT64_MAX, INT64_MAX}); }, "expected `padding` to give a positive size");
  expect_error([&] { replication_pad1d(empty({2, 0, 4}), {1, 1}); }, "only the batch of `self` to be empty");
  expect_error([&] { reflection_pad2d(counting<float>({2, 2}), {1, 1, 1, 1}); }, "to have 3 or 4 dimensions");
  expect_error([&] { reflection_pad1d(filled<bool>({2, 4}, [](int64_t) { return true; }), {1, 1}); },
               "expected `self` of dtype");
  EXPECT_EQ(reflection_pad1d(empty({0, 3, 4}), {1, 1}).sizes(), IntArrayRef({0, 3, 6}));
  EXPECT_EQ(replication_pad2d(empty({3, 4, 5}, kMeta), {1, 1, 2, 2}).sizes(), IntArrayRef({3, 8, 7}));
}

TEST(Padding, ConstantPadsAndCuts) {
  const Tensor dense = counting<int64_t>({2, 3, 4});
  for (const Tensor& self : {dense, strided(dense)}) {
    expect_elements<int64_t>(constant_pad_nd(self, {1, -2, 0, 2, -1, 1}, 7), {2, 5, 3}, [&](const Index& i) -> double {
      const bool is_inside = i[0] < 1 && i[1] < 3 && i[2] >= 1;
      return is_inside ? static_cast<double>(at<int64_t>(dense, {i[0] + 1, i[1], i[2] - 1})) : 7;
    });
    expect_elements<int64_t>(constant_pad_nd(self, {-1, -1}), {2, 3, 2}, [&](const Index& i) {
      return static_cast<double>(at<int64_t>(dense, {i[0], i[1], i[2] + 1}));
    });
  }
  EXPECT_EQ(to_vector<float>(constant_pad_nd(empty({0}), {1, 2}, 3)), (std::vector<float>{3, 3, 3}));
  const Tensor images = empty({2, 3, 4, 5}, TensorOptions(), MemoryFormat::ChannelsLast);
  EXPECT_TRUE(constant_pad_nd(images, {1, 1, 1, 1}).is_contiguous(MemoryFormat::ChannelsLast));
  expect_error([&] { constant_pad_nd(dense, {-3, -3}); }, "expected `pad` to leave no negative size in dimension 2");
  expect_error([&] { constant_pad_nd(dense, {1}); }, "expected `pad` to have two numbers for each dimension");
  expect_error([&] { constant_pad_nd(dense, {INT64_MAX, 1}); }, "expected `pad` to leave no negative size");
}

}  // namespace
}  // namespace structured
