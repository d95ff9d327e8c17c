// Operators that permute, repeat, drop or join elements.
#include <structured/ops/block_diag.h>
#include <structured/ops/channel_shuffle.h>
#include <structured/ops/diag.h>
#include <structured/ops/diag_embed.h>
#include <structured/ops/flip.h>
#include <structured/ops/hstack.h>
#include <structured/ops/meshgrid.h>
#include <structured/ops/narrow_copy.h>
#include <structured/ops/permute.h>
#include <structured/ops/pixel_shuffle.h>
#include <structured/ops/pixel_unshuffle.h>
#include <structured/ops/repeat.h>
#include <structured/ops/repeat_interleave.h>
#include <structured/ops/roll.h>
#include <structured/ops/rot90.h>
#include <structured/ops/slice_scatter.h>
#include <structured/ops/stack.h>
#include <structured/ops/tile.h>
#include <structured/ops/trace.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/vstack.h>

#include <limits>

#include "kernels/expect.h"

namespace structured::flip_roll_shuffle_test {
namespace {

using namespace test;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();

TEST(Flip, ReversesDimensionsOfAnyStrides) {
  for (const Tensor& base : {counting<float>({3, 4, 40}), strided(counting<float>({3, 4, 40}))}) {
    const auto value = [](int64_t a, int64_t b, int64_t c) { return double(a * 160 + b * 40 + c); };
    expect_elements<float>(flip(base, {0, -1}), {3, 4, 40},
                           [&](const Index& i) { return value(2 - i[0], i[1], 39 - i[2]); });
    expect_elements<float>(flip(base, 1), {3, 4, 40}, [&](const Index& i) { return value(i[0], 3 - i[1], i[2]); });
  }
  const Tensor columns = transpose(counting<Complex<double>>({2, 3}), 0, 1);
  EXPECT_EQ(flip(columns, 0).strides(), columns.strides());
  EXPECT_EQ(flip(columns, 0).data_ptr<Complex<double>>()[0], Complex<double>(2));
  expect_error([&] { flip(columns, {0, -2}); }, "expected distinct `dims`, got [0, -2]");
}

TEST(Roll, MovesElementsAround) {
  for (const Tensor& base : {counting<float>({4, 5}), strided(counting<float>({4, 5}))}) {
    expect_elements<float>(roll(base, {1, -2}, {0, 1}), {4, 5},
                           [](const Index& i) { return double((i[0] + 3) % 4 * 5 + (i[1] + 2) % 5); });
    expect_elements<float>(roll(base, 3), {4, 5}, [](const Index& i) { return double((i[0] * 5 + i[1] + 17) % 20); });
    expect_elements<float>(roll(base, {kLeast, kGreatest}, {1, 1}), {4, 5},
                           [](const Index& i) { return double(i[0] * 5 + (i[1] + 1) % 5); });
  }
  expect_error([] { roll(counting<float>({2}), {1, 2}, 0); }, "expected as many `shifts` as `dims`");
}

TEST(Repeat, TilesInEveryDimension) {
  const Tensor base = transpose(counting<int64_t>({3, 2}), 0, 1);
  expect_elements<int64_t>(repeat(base, {2, 2, 1, 3}), {2, 2, 2, 9},
                           [](const Index& i) { return double(i[3] % 3 * 2 + i[2]); });
  EXPECT_EQ(repeat(base, {0, 1}).sizes(), IntArrayRef({0, 3}));
  expect_elements<int64_t>(tile(base, {2}), {2, 6}, [](const Index& i) { return double(i[1] % 3 * 2 + i[0]); });
  expect_error([&] { repeat(base, {2}); }, "expected as many `repeats` as `self` has dimensions (2)");
  expect_error([&] { repeat(base, {2, -1}); }, "expected `repeats` of 0 or more");
  expect_error([&] { repeat(base, {int64_t{1} << 62, 8}); }, "beyond 64 bits");
}

TEST(RepeatInterleave, RepeatsElementsInARow) {
  const Tensor positions = repeat_interleave(tensor<int64_t>({2, 0, 1}));
  EXPECT_EQ(to_vector<int64_t>(positions), std::vector<int64_t>({0, 0, 2}));
  expect_elements<float>(repeat_interleave(counting<float>({2, 3}), 2, 1), {2, 6},
                         [](const Index& i) { return double(i[0] * 3 + i[1] / 2); });
  EXPECT_EQ(repeat_interleave(counting<float>({2, 3}), 2).sizes(), IntArrayRef({12}));
  for (const int64_t repeats : {2, 3, 4, 5}) {
    expect_elements<double>(repeat_interleave(strided(counting<double>({2, 30})), repeats, 1), {2, 30 * repeats},
                            [&](const Index& i) { return double(i[0] * 30 + i[1] / repeats); });
  }
  const Tensor times = tensor<int64_t>({2, 0, 1});
  expect_elements<float>(repeat_interleave(counting<float>({2, 3}), times, 1), {2, 3},
                         [](const Index& i) { return double(i[0] * 3 + (i[1] == 2 ? 2 : 0)); });
  expect_error([&] { repeat_interleave(counting<float>({2, 3}), times, 0); }, "for each of 2 slices, got 3");
  expect_error([] { repeat_interleave(tensor<int64_t>({1, -1})); }, "`repeats` of 0 or more, got -1");
  expect_error([] { repeat_interleave(tensor<int64_t>({kGreatest, 1})); }, "64 bits");
  expect_error([] { repeat_interleave(tensor<int64_t>({2}), std::optional<int64_t>(3)); },
               "the sum of `repeats`, 2, got 3");
}

TEST(Triangles, KeepOneSideOfADiagonal) {
  for (const Tensor& base : {counting<float>({2, 3, 4}), strided(counting<float>({2, 3, 4}))}) {
    for (const int64_t diagonal : {int64_t{0}, int64_t{1}, int64_t{-2}, kLeast, kGreatest}) {
      const auto expected = [diagonal](const Index& i, bool is_upper) {
        const bool keeps = is_upper ? i[2] - i[1] >= diagonal : i[2] - i[1] <= diagonal;
        return keeps ? double(i[0] * 12 + i[1] * 4 + i[2]) : 0;
      };
      expect_elements<float>(tril(base, diagonal), {2, 3, 4}, [&](const Index& i) { return expected(i, false); });
      expect_elements<float>(triu(base, diagonal), {2, 3, 4}, [&](const Index& i) { return expected(i, true); });
    }
  }
  Tensor columns = strided(counting<float>({3, 3}));
  triu_(columns);
  expect_elements<float>(columns, {3, 3}, [](const Index& i) { return i[0] <= i[1] ? double(i[0] * 3 + i[1]) : 0; });
  expect_error([] { tril(counting<float>({3})); }, "2 or more dimensions, got 1");
}

TEST(Diag, GoesBetweenVectorsAndMatrices) {
  const Tensor vector = strided(counting<float>({3}));
  expect_elements<float>(diag(vector, -1), {4, 4}, [](const Index& i) { return i[0] == i[1] + 1 ? double(i[1]) : 0; });
  expect_elements<float>(diag(counting<float>({3, 4}), 2), {2}, [](const Index& i) { return double(5 * i[0] + 2); });
  EXPECT_EQ(diag(counting<float>({3, 4}), kLeast).sizes(), IntArrayRef({0}));
  expect_error([&] { diag(vector, kGreatest); }, "expected a `diagonal` of less than 2^31");
  expect_elements<float>(diag_embed(counting<float>({2, 2}), 1, 0, 2), {3, 2, 3},
                         [](const Index& i) { return i[2] == i[0] + 1 ? double(i[1] * 2 + i[0]) : 0; });
  EXPECT_EQ(trace(counting<int64_t>({2, 3})).item<int64_t>(), 4);
  Tensor out = empty_strided({2, 2}, {1, 2}, kFloat);
  diag_out(out, counting<float>({2}));
  expect_elements<float>(out, {2, 2}, [](const Index& i) { return i[0] == i[1] ? double(i[0]) : 0; });
}

TEST(Rot90, TurnsAPlane) {
  const Tensor base = counting<float>({2, 3});
  expect_elements<float>(rot90(base), {3, 2}, [](const Index& i) { return double(i[1] * 3 + 2 - i[0]); });
  expect_elements<float>(rot90(base, -1), {3, 2}, [](const Index& i) { return double((1 - i[1]) * 3 + i[0]); });
  expect_elements<float>(rot90(base, kGreatest), {3, 2}, [](const Index& i) { return double((1 - i[1]) * 3 + i[0]); });
}

TEST(Pixels, GoToChannelsAndBack) {
  const Tensor base = counting<float>({1, 8, 2, 3});
  const Tensor large = pixel_shuffle(base, 2);
  expect_elements<float>(large, {1, 2, 4, 6}, [](const Index& i) {
    return double((i[1] * 4 + i[2] % 2 * 2 + i[3] % 2) * 6 + i[2] / 2 * 3 + i[3] / 2);
  });
  expect_elements<float>(pixel_unshuffle(large, 2), {1, 8, 2, 3},
                         [](const Index& i) { return double(i[1] * 6 + i[2] * 3 + i[3]); });
  expect_elements<float>(channel_shuffle(base, 2), {1, 8, 2, 3},
                         [](const Index& i) { return double((i[1] % 2 * 4 + i[1] / 2) * 6 + i[2] * 3 + i[3]); });
  expect_error([&] { pixel_shuffle(base, 3); }, "got 8 for 3");
}

TEST(Stack, AddsADimension) {
  const Tensor a = counting<float>({2, 3});
  const Tensor b = transpose(counting<float>({3, 2}), 0, 1);
  const auto value = [](int64_t which, int64_t i, int64_t j) { return double(which == 0 ? i * 3 + j : j * 2 + i); };
  expect_elements<float>(stack({a, b}, 1), {2, 2, 3}, [&](const Index& i) { return value(i[1], i[0], i[2]); });
  expect_elements<float>(stack({a, b}, -1), {2, 3, 2}, [&](const Index& i) { return value(i[2], i[0], i[1]); });
  EXPECT_EQ(stack({a, counting<int64_t>({2, 3})}).dtype(), kFloat);
  Tensor whole = empty({0}, kLong);
  expect_error([&] { stack_out(whole, {a, b}); }, "which `out` of dtype Long cannot hold");
  expect_error([&] { stack({a, counting<float>({3, 2})}); }, "expected all tensors to have sizes [2, 3], got [3, 2]");
  EXPECT_EQ(hstack({counting<float>({2}), counting<float>({})}).sizes(), IntArrayRef({3}));
  EXPECT_EQ(vstack({counting<float>({3}), a}).sizes(), IntArrayRef({3, 3}));
}

TEST(BlockDiag, PutsMatricesAlongTheDiagonal) {
  const Tensor result = block_diag({counting<float>({2}), empty({0, 1}), counting<float>({2, 1})});
  expect_elements<float>(result, {3, 4}, [](const Index& i) {
    if (i[0] == 0) return i[1] < 2 ? double(i[1]) : 0;
    return i[1] == 3 ? double(i[0] - 1) : 0;
  });
}

TEST(Meshgrid, RepeatsEachVectorAlongTheOthers) {
  const std::vector<Tensor> grids = meshgrid({counting<float>({2}), counting<float>({3})}, "xy");
  expect_elements<float>(grids[0], {3, 2}, [](const Index& i) { return double(i[1]); });
  expect_elements<float>(grids[1], {3, 2}, [](const Index& i) { return double(i[0]); });
}

TEST(SliceScatter, LeavesTheTensorAsItWas) {
  const Tensor base = counting<float>({5});
  expect_elements<float>(slice_scatter(base, tensor<float>({-1, -2}), 0, 1, 5, 2), {5}, [](const Index& i) {
    return i[0] == 1 ? -1 : i[0] == 3 ? -2 : double(i[0]);
  });
  EXPECT_EQ(base.data_ptr<float>()[1], 1);
  expect_error([&] { slice_scatter(base, base, 0, 1); }, "expected `src` of sizes [4], got [5]");
}

// Exercises copies by tiles: every element size, partial tiles, several threads.
TEST(Copies, OfPermutedDimensionsHoldEveryElement) {
  const auto check = []<class T>(T) {
    const Tensor base = filled<T>({3, 131, 131}, [](int64_t i) { return static_cast<T>(i % 251); });
    const Tensor turned = permute(base, {2, 0, 1});
    const Tensor copy = roll(turned, 0, 0);
    EXPECT_TRUE(copy.is_contiguous());
    int64_t wrong = 0;
    for (int64_t a = 0; a < 131; ++a) {
      for (int64_t b = 0; b < 3; ++b) {
        for (int64_t c = 0; c < 131; ++c) {
          const T value = static_cast<T>(((b * 131 + c) * 131 + a) % 251);
          wrong += copy.data_ptr<T>()[(a * 3 + b) * 131 + c] != value;
        }
      }
    }
    EXPECT_EQ(wrong, 0);
  };
  check(uint8_t());
  check(int16_t());
  check(float());
  check(double());
  check(Complex<double>());
}

}  // namespace
}  // namespace structured::flip_roll_shuffle_test
