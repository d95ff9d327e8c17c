// Large operands: results written with non-temporal stores equal results computed in pieces with ordinary stores.
#include <structured/device/simd_level.h>
#include <structured/iterator/non_temporal.h>
#include <structured/ops/add.h>
#include <structured/ops/arange.h>
#include <structured/ops/cat.h>
#include <structured/ops/copy.h>
#include <structured/ops/equal.h>
#include <structured/ops/fill.h>
#include <structured/ops/gather.h>
#include <structured/ops/index_select.h>
#include <structured/ops/narrow.h>
#include <structured/ops/remainder.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/transpose.h>
#include <structured/ops/upsample_nearest1d.h>
#include <structured/ops/view.h>

#include <cstring>
#include <vector>

#include "kernels/expect.h"

namespace structured::large_test {
namespace {

using namespace test;

constexpr int64_t kRows = 2903;
constexpr int64_t kColumns = 2911;
constexpr int64_t kPiece = 500;  // rows of a piece, which fits the cache

Tensor numbers(IntArrayRef sizes, ScalarType dtype) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  const Tensor row = remainder(arange(count, kInt), 10007);
  const Tensor result = empty({count}, dtype);
  copy_into(result, row);
  return view(result, sizes);
}

// Output whose rows are not aligned to cache lines, with guard elements around it.
class Result {
 public:
  explicit Result(IntArrayRef sizes) : whole_(empty({sizes[0], sizes[1] + 2}, kFloat)) {
    fill_(whole_, -1);
    inside = narrow(whole_, 1, 1, sizes[1]);
  }
  bool is_alone() const {
    for (int64_t i = 0; i < whole_.size(0); ++i) {
      if (at<float>(whole_, {i, 0}) != -1 || at<float>(whole_, {i, whole_.size(1) - 1}) != -1) return false;
    }
    return true;
  }

  Tensor inside;

 private:
  Tensor whole_;
};

void expect_pieces(const Tensor& whole, const std::function<Tensor(int64_t first, int64_t count)>& piece) {
  ASSERT_TRUE(uses_non_temporal_stores(whole.nbytes()));
  for (int64_t first = 0; first < whole.size(0); first += kPiece) {
    const int64_t count = std::min(kPiece, whole.size(0) - first);
    ASSERT_TRUE(equal(narrow(whole, 0, first, count), piece(first, count))) << first;
  }
}

TEST(Large, SumsAreThoseOfTheirPieces) {
  Tensor a = numbers({kRows, kColumns}, kFloat);
  const Tensor transposed = transpose(numbers({kColumns, kRows}, kFloat), 0, 1);
  const Tensor others[] = {a, transposed, numbers({kRows, kColumns}, kInt), numbers({kColumns}, kFloat),
                           numbers({kRows, 1}, kFloat)};
  for (const Tensor& b : others) {
    const auto piece = [&](int64_t first, int64_t count) {
      return add(narrow(a, 0, first, count), b.size(0) == kRows ? narrow(b, 0, first, count) : b);
    };
    expect_pieces(add(a, b), piece);
    Result result({kRows, kColumns});
    add_out(result.inside, a, b);
    expect_pieces(result.inside, piece);
    EXPECT_TRUE(result.is_alone());
  }
  const Tensor twice = add(a, a);
  EXPECT_TRUE(equal(add_out(a, a, a), twice));
}

TEST(Large, CopiesAreThoseOfTheirPieces) {
  const Tensor a = numbers({kRows, kColumns}, kFloat);
  const auto own = [&](int64_t first, int64_t count) { return narrow(a, 0, first, count); };
  Result result({kRows, kColumns});
  copy_(result.inside, a);
  expect_pieces(result.inside, own);
  EXPECT_TRUE(result.is_alone());
  const Tensor whole = empty({kRows, kColumns}, kFloat);
  copy_into(whole, a);
  expect_pieces(whole, own);
  fill_(result.inside, 7);
  Tensor sevens = empty({kPiece, kColumns}, kFloat);
  fill_(sevens, 7);
  expect_pieces(result.inside, [&](int64_t, int64_t count) { return narrow(sevens, 0, 0, count); });
  EXPECT_TRUE(result.is_alone());
  expect_pieces(cat({a, a}, 1),
                [&](int64_t first, int64_t count) { return cat({own(first, count), own(first, count)}, 1); });
}

TEST(Large, SelectionsAreThoseOfTheirPieces) {
  const Tensor a = numbers({kRows, kColumns}, kFloat);
  const Tensor index = remainder(numbers({kColumns}, kLong), 1999);
  expect_pieces(index_select(a, 1, index),
                [&](int64_t first, int64_t count) { return index_select(narrow(a, 0, first, count), 1, index); });
  const Tensor rows = remainder(numbers({kRows}, kLong), 1999);
  expect_pieces(index_select(a, 0, rows),
                [&](int64_t first, int64_t count) { return index_select(a, 0, narrow(rows, 0, first, count)); });
  const Tensor images = view(a, {kRows, 1, kColumns});
  for (const int64_t size : {2 * kColumns, kColumns + 11}) {
    expect_pieces(upsample_nearest1d(images, size), [&](int64_t first, int64_t count) {
      return upsample_nearest1d(narrow(images, 0, first, count), size);
    });
  }
}

TEST(Large, TablesTakeAndGiveBackWhatWasScatteredAllOverThem) {
  const Tensor values = numbers({1000, 600}, kFloat);
  const Tensor index = empty({1000, 600}, kLong);
  for (int64_t i = 0; i < index.numel(); ++i) index.data_ptr<int64_t>()[i] = (i / 600 * 7 + i % 600) % 1000;
  Tensor table = empty({1000, 600}, kFloat);
  fill_(table, 0.5);
  const Tensor scattered = scatter(table, 0, index, values);
  EXPECT_TRUE(equal(gather(scattered, 0, index), values));
  EXPECT_TRUE(equal(scatter_add(table, 0, index, values), add(scattered, 0.5)));
}

TEST(Stream, CopiesAnyPieceAtEveryLevel) {
  const SimdLevel best = best_simd_level();
  std::vector<char> from(1000);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 7 + 1);
  for (int level = 0; level <= static_cast<int>(best); ++level) {
    set_simd_level(static_cast<SimdLevel>(level));
    for (const size_t start : {0, 1, 63}) {
      for (const size_t size : {0, 1, 64, 65, 200, 700}) {
        std::vector<char> to(1000);
        non_temporal_copy(to.data() + start, from.data() + 3, size);
        non_temporal_fence();
        std::vector<char> expected(1000);
        std::memcpy(expected.data() + start, from.data() + 3, size);
        ASSERT_EQ(to, expected) << start << ' ' << size;
      }
    }
  }
  set_simd_level(best);
}

}  // namespace
}  // namespace structured::large_test
