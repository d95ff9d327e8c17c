#include <structured/ops/_to_copy.h>
#include <structured/ops/_unsafe_masked_index.h>
#include <structured/ops/_unsafe_masked_index_put_accumulate.h>
#include <structured/ops/argwhere.h>
#include <structured/ops/clone.h>
#include <structured/ops/embedding.h>
#include <structured/ops/embedding_renorm.h>
#include <structured/ops/gather.h>
#include <structured/ops/index.h>
#include <structured/ops/index_add.h>
#include <structured/ops/index_copy.h>
#include <structured/ops/index_fill.h>
#include <structured/ops/index_put.h>
#include <structured/ops/index_reduce.h>
#include <structured/ops/index_select.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/masked_scatter.h>
#include <structured/ops/masked_select.h>
#include <structured/ops/nonzero.h>
#include <structured/ops/nonzero_static.h>
#include <structured/ops/one_hot.h>
#include <structured/ops/put.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/scatter_reduce.h>
#include <structured/ops/slice.h>
#include <structured/ops/take.h>
#include <structured/ops/take_along_dim.h>
#include <structured/ops/unsafe_split.h>
#include <structured/ops/var_mean.h>
#include <structured/ops/where.h>

#include <limits>
#include <optional>
#include <random>

#include "kernels/expect.h"

namespace structured::index_test {
namespace {

using namespace test;
using Given = std::vector<std::optional<Tensor>>;

// Returns indices in [0, `limit`), in no particular order.
Tensor indices(IntArrayRef sizes, int64_t limit) {
  std::mt19937 random(7);
  return filled<int64_t>(sizes, [&](int64_t) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); });
}

std::vector<float> values(const Tensor& tensor) { return to_vector<float>(tensor); }
std::vector<int64_t> numbers(const Tensor& tensor) { return to_vector<int64_t>(tensor); }

const Tensor& truths() {
  static const Tensor mask = tensor<bool>({true, false, true, false, false, true}, {2, 3});
  return mask;
}

TEST(Index, IndexPutsAdjacentIndicesInPlaceAndOthersInFront) {
  const Tensor dense = counting<float>({4, 5, 6});
  const Tensor rows = indices({2, 1}, 4);
  const Tensor columns = tensor<int64_t>({-1, 0, 3});
  for (const Tensor& self : {dense, strided(dense)}) {
    expect_elements<float>(structured::index(self, Given{rows, columns}), {2, 3, 6}, [&](const Index& i) {
      return at<float>(dense, {at<int64_t>(rows, {i[0], 0}), (at<int64_t>(columns, {i[1]}) + 5) % 5, i[2]});
    });
    expect_elements<float>(structured::index(self, Given{std::nullopt, columns}), {4, 3, 6}, [&](const Index& i) {
      return at<float>(dense, {i[0], (at<int64_t>(columns, {i[1]}) + 5) % 5, i[2]});
    });
    expect_elements<float>(structured::index(self, Given{rows, std::nullopt, columns}), {2, 3, 5}, [&](const Index& i) {
      return at<float>(dense, {at<int64_t>(rows, {i[0], 0}), i[2],
                               at<int64_t>(columns, {i[1]}) < 0 ? 5 : at<int64_t>(columns, {i[1]})});
    });
  }
}

TEST(Index, IndexTakesMasks) {
  const Tensor self = counting<float>({2, 3, 2});
  EXPECT_EQ(values(structured::index(self, Given{truths()})), (std::vector<float>{0, 1, 4, 5, 10, 11}));
  const Tensor last = tensor<uint8_t>({0, 2});
  EXPECT_EQ(values(structured::index(self, Given{std::nullopt, std::nullopt, last})),
            (std::vector<float>{1, 3, 5, 7, 9, 11}));
  expect_error([&] { structured::index(self, Given{std::nullopt, truths()}); }, "expected a mask of the sizes");
}

TEST(Index, IndexOfManyElementsIsWhatOneByOneGives) {
  const Tensor self = counting<int32_t>({300, 70});
  const Tensor rows = indices({50000}, 300);
  const Tensor columns = indices({50000}, 70);
  const Tensor found = structured::index(self, Given{rows, columns});
  for (int64_t i = 0; i < 50000; ++i) {
    ASSERT_EQ(found.data_ptr<int32_t>()[i], rows.data_ptr<int64_t>()[i] * 70 + columns.data_ptr<int64_t>()[i]);
  }
}

TEST(Index, IndexRefusesWhatIsOutOfRange) {
  const Tensor self = counting<float>({2, 3});
  for (const int64_t wrong :
       {int64_t{2}, int64_t{-3}, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    expect_error([&] { structured::index(self, Given{tensor<int64_t>({0, wrong})}); },
                 "expected indices from -2 to 1 for dimension 0 of size 2");
  }
  expect_error([&] { structured::index(empty({0, 3}), Given{tensor<int64_t>({0})}); },
               "expected no indices for dimension 0 of size 0");
  expect_error([&] { structured::index(self, Given{tensor<int16_t>({0})}); }, "expected indices of dtype Long or Int");
  const Tensor zero = tensor<int64_t>({0});
  expect_error([&] { structured::index(self, Given{zero, zero, zero}); }, "expected at most 2 indices");
  EXPECT_EQ(structured::index(empty({0, 3}), Given{empty({0}, kLong)}).sizes(), IntArrayRef({0, 3}));
}

TEST(Index, FindsOneIndexOutOfRangeAmongMany) {
  Tensor self = counting<float>({5, 3});
  for (const int64_t place : {0, 100, 1500, 2999}) {
    for (const int64_t wrong : {int64_t{5}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
      Tensor rows = indices({3000}, 5);
      rows.data_ptr<int64_t>()[place] = wrong;
      expect_error([&] { index_select(self, 0, rows); }, "got " + std::to_string(wrong));
      const Tensor square = as_strided(rows, {1000, 3}, {3, 1}, 0);
      expect_error([&] { gather(self, 0, square); }, "got " + std::to_string(wrong));
      expect_error([&] { gather(as_strided(self, {5}, {3}, 0), 0, rows); }, "got " + std::to_string(wrong));
      expect_error([&] { scatter_add(self, 0, square, empty({1000, 3})); }, "got " + std::to_string(wrong));
    }
  }
}

TEST(Index, IndexWritesIntoOut) {
  const Tensor self = counting<float>({3, 2});
  const Tensor rows = tensor<int64_t>({2, 0});
  Tensor out = strided(empty({2, 2}, kFloat));
  structured::index_out(out, self, Given{rows});
  EXPECT_EQ(values(out), (std::vector<float>{4, 5, 0, 1}));
  Tensor wrong = empty({2, 2}, kDouble);
  expect_error([&] { structured::index_out(wrong, self, Given{rows}); }, "expected `out` of dtype Float");
  Tensor part = as_strided(self, {2, 2}, {2, 1}, 0);
  expect_error([&] { structured::index_out(part, self, Given{rows}); }, "shares memory with");
}

TEST(Index, ShapesOnMeta) {
  const Tensor self = empty({4, 5, 6}, kMeta);
  const Tensor rows = empty({2, 1}, TensorOptions(kLong).device(kMeta));
  EXPECT_EQ(structured::index(self, Given{rows, std::nullopt, rows}).sizes(), IntArrayRef({2, 1, 5}));
  EXPECT_EQ(index_select(self, 1, empty({3}, rows.options())).sizes(), IntArrayRef({4, 3, 6}));
  Tensor written = self;
  EXPECT_EQ(index_put(self, Given{rows}, empty({6}, kMeta)).sizes(), self.sizes());
  expect_error([&] { index_put_(written, Given{rows}, empty({7}, kMeta)); }, "[2, 1, 5, 6] and [7] do not broadcast");
  expect_error([&] { nonzero(self); }, "depends on elements");
}

TEST(Index, IndexPutWritesAndAdds) {
  for (const bool is_dense : {true, false}) {
    Tensor self = tensor<float>({0, 0, 0, 0, 0, 0}, {3, 2});
    if (!is_dense) self = strided(self);
    const Tensor rows = tensor<int64_t>({0, -1, 0});
    index_put_(self, Given{rows}, tensor<float>({1, 2}), true);
    EXPECT_EQ(values(self), (std::vector<float>{2, 4, 0, 0, 1, 2}));
    index_put_(self, Given{tensor<int64_t>({1, 2}), tensor<int64_t>({1, 0})}, tensor<float>({7, 8}));
    EXPECT_EQ(values(self), (std::vector<float>{2, 4, 0, 7, 8, 2}));
  }
  Tensor self = counting<float>({2, 3});
  index_put_(self, Given{truths()}, tensor<float>({-1}));
  EXPECT_EQ(values(self), (std::vector<float>{-1, 1, -1, 3, 4, -1}));
  expect_error([&] { index_put_(self, Given{tensor<int64_t>({2})}, tensor<float>({1})); },
               "expected indices from -2 to 1");
  expect_error([&] { index_put_(self, Given{truths()}, tensor<double>({1})); }, "expected `values` of dtype");
}

template <class T>
class MovesTest : public testing::Test {};
using Sizes = testing::Types<int8_t, Half, float, double, Complex<double>>;
TYPED_TEST_SUITE(MovesTest, Sizes);

TYPED_TEST(MovesTest, SelectAlongAnyDimension) {
  using T = TypeParam;
  const Tensor dense = filled<T>({5, 40, 9}, [](int64_t i) { return T(static_cast<float>(i % 97)); });
  for (const Tensor& self : {dense, strided(dense)}) {
    for (int64_t dim = 0; dim < 3; ++dim) {
      const Tensor index = indices({2000}, self.size(dim));
      const Tensor found = index_select(self, dim, index);
      ASSERT_EQ(found.size(dim), 2000);
      for_each_index(found.sizes(), [&](const Index& place) {
        Index source = place;
        source[static_cast<size_t>(dim)] = index.data_ptr<int64_t>()[place[static_cast<size_t>(dim)]];
        ASSERT_TRUE(at<T>(found, place) == at<T>(dense, source));
      });
    }
  }
}

TEST(Index, IndexSelectTakesFewDimensionsAndInt) {
  const Tensor number = scalar_tensor(3.0, kDouble);
  EXPECT_EQ(index_select(number, 0, tensor<int32_t>({0})).sizes(), IntArrayRef({}));
  const Tensor self = counting<float>({4});
  EXPECT_EQ(values(index_select(self, -1, tensor<int32_t>({3, 1}))), (std::vector<float>{3, 1}));
  expect_error([&] { index_select(self, 0, tensor<int64_t>({-1})); }, "expected indices from 0 to 3");
  const Tensor nothing = empty({2, 3, 0}, kFloat);
  EXPECT_EQ(index_select(nothing, 1, tensor<int64_t>({2, 0})).sizes(), (IntArrayRef{2, 2, 0}));
  expect_error([&] { index_select(nothing, 1, tensor<int64_t>({2, 5})); }, "expected indices from 0 to 2");
  expect_error([&] { index_select(self, 0, counting<int64_t>({1, 1})); }, "expected `index` to have 1 dimension");
  Tensor part = as_strided(self, {2}, {1}, 0);
  expect_error([&] { index_select_out(part, self, 0, tensor<int64_t>({1, 0})); }, "shares memory with");
  Tensor repeated = as_strided(tensor<float>({0}), {3}, {0}, 0);  // its size is wrong as well
  expect_error([&] { index_select_out(repeated, self, 0, tensor<int64_t>({1, 0})); }, "one memory location");
}

TEST(Index, GatherAndScatterAreInverse) {
  const Tensor dense = counting<float>({6, 5});
  for (const int64_t dim : {0, 1}) {
    for (const bool is_dense : {true, false}) {
      const Tensor order =
          filled<int64_t>({6, 5}, [&](int64_t i) { return dim == 0 ? (i / 5 + i % 5) % 6 : (i % 5 + i / 5) % 5; });
      const Tensor self = is_dense ? dense : strided(dense);
      const Tensor index = is_dense ? order : strided(order);
      const Tensor found = gather(self, dim, index);
      expect_elements<float>(found, {6, 5}, [&](const Index& i) {
        return dim == 0 ? at<float>(dense, {at<int64_t>(order, i), i[1]})
                        : at<float>(dense, {i[0], at<int64_t>(order, i)});
      });
      EXPECT_EQ(values(scatter(empty({6, 5}), dim, index, found)), values(dense));
    }
  }
}

TEST(Index, GatherAndScatterTakeSmallIndices) {
  const Tensor self = counting<float>({2, 3});
  EXPECT_EQ(values(gather(self, 1, tensor<int64_t>({2}, {1, 1}))), (std::vector<float>{2}));
  EXPECT_EQ(gather(self, 1, empty({0}, kLong)).sizes(), IntArrayRef({0}));
  EXPECT_EQ(values(scatter(self, 1, tensor<int64_t>({2}, {1, 1}), Scalar(9))), (std::vector<float>{0, 1, 9, 3, 4, 5}));
  EXPECT_EQ(gather(scalar_tensor(3.0f), 0, scalar_tensor(0, kLong)).item<float>(), 3);
}

TEST(Index, GatherAndScatterTakeIntIndices) {
  const Tensor self = counting<float>({3});
  EXPECT_EQ(values(gather(self, 0, tensor<int32_t>({2, 0}))), (std::vector<float>{2, 0}));
  EXPECT_EQ(values(scatter(self, 0, tensor<int32_t>({2, 0}), tensor<float>({7, 8}))), (std::vector<float>{8, 1, 7}));
  expect_error([&] { gather(self, 0, tensor<int16_t>({1})); }, "gather: expected `index` of dtype Long or Int");
}

TEST(Index, GatherAndScatterRefuseWhatDoesNotFit) {
  const Tensor self = counting<float>({2, 3});
  expect_error([&] { gather(self, 1, tensor<int64_t>({3}, {1, 1})); },
               "expected indices from 0 to 2 for dimension 1 of size 3, got 3");
  expect_error([&] { gather(self, 1, counting<int64_t>({3, 1})); }, "expected `index` to be no larger than `self`");
  expect_error([&] { gather(empty({2, 0}), 1, counting<int64_t>({1, 1})); }, "for dimension 1 of size 0");
  expect_error([&] { scatter(self, 1, tensor<int64_t>({-1}, {1, 1}), Scalar(1)); }, "expected indices from 0");
  expect_error([&] { scatter(self, 1, counting<int64_t>({1, 2}), counting<float>({1, 1})); },
               "expected `index` to be no larger than `src`");
  expect_error([&] { scatter(self, 1, counting<int64_t>({1, 1}), counting<float>({1, 1}), "max"); },
               "expected `reduce`");
}

TEST(Index, ScatterAddAddsAll) {
  const Tensor index = indices({200, 300}, 7);
  const Tensor src = filled<double>({200, 300}, [](int64_t i) { return static_cast<double>(i % 10); });
  for (const int64_t dim : {0, 1}) {
    const Tensor found = scatter_add(tensor<double>(std::vector<double>(200 * 300, 1), {200, 300}), dim, index, src);
    std::vector<double> expected(200 * 300, 1);
    for (int64_t i = 0; i < 200; ++i) {
      for (int64_t j = 0; j < 300; ++j) {
        const int64_t told = at<int64_t>(index, {i, j});
        expected[static_cast<size_t>(dim == 0 ? told * 300 + j : i * 300 + told)] += at<double>(src, {i, j});
      }
    }
    EXPECT_EQ(to_vector<double>(found), expected);
  }
}

TEST(Index, ScatterReduceAndIndexReduce) {
  const Tensor self = tensor<float>({1, 2, 3});
  const Tensor index = tensor<int64_t>({0, 0, 2});
  const Tensor src = tensor<float>({4, 8, -5});
  EXPECT_EQ(values(scatter_reduce(self, 0, index, src, "prod")), (std::vector<float>{32, 2, -15}));
  EXPECT_EQ(values(scatter_reduce(self, 0, index, src, "sum", false)), (std::vector<float>{12, 2, -5}));
  EXPECT_EQ(values(scatter_reduce(self, 0, index, src, "amax")), (std::vector<float>{8, 2, 3}));
  EXPECT_EQ(values(index_reduce(self, 0, index, src, "mean", false)), (std::vector<float>{6, 2, -5}));
  EXPECT_EQ(values(index_reduce(self, 0, index, src, "amin")), (std::vector<float>{1, 2, -5}));
  const Tensor nan = tensor<float>({NAN, 1, 1});
  EXPECT_TRUE(std::isnan(values(scatter_reduce(self, 0, index, nan, "amax"))[0]));
  EXPECT_EQ(numbers(scatter_reduce(tensor<int64_t>({-7}), 0, tensor<int64_t>({0}), tensor<int64_t>({0}), "mean")),
            std::vector<int64_t>{-4});
  expect_error([&] { scatter_reduce(self, 0, index, src, "max"); }, "expected `reduce` to be");
  const Tensor truth = filled<bool>({1, 3}, [](int64_t i) { return i == 0; });
  EXPECT_EQ(to_vector<bool>(index_reduce(truth, 1, index, truth, "amin")), (std::vector<bool>{false, false, false}));
  expect_error([&] { index_reduce(truth, 1, index, truth, "amin", false); },
               "index_reduce: Bool requires `include_self`");
  expect_error([&] { index_reduce(truth, 1, index, truth, "mean"); }, "index_reduce: Bool requires `include_self`");
}

TEST(Index, ChangesSlices) {
  const Tensor self = counting<float>({3, 2});
  const Tensor rows = tensor<int64_t>({2, 0, 2});
  const Tensor source = tensor<float>({1, 2, 3, 4, 5, 6}, {3, 2});
  EXPECT_EQ(values(index_add(self, 0, rows, source, 2)), (std::vector<float>{6, 9, 2, 3, 16, 21}));
  EXPECT_EQ(values(index_copy(self, 0, rows, source)), (std::vector<float>{3, 4, 2, 3, 5, 6}));
  EXPECT_EQ(values(index_fill(self, 1, tensor<int64_t>({-1}), Scalar(9))), (std::vector<float>{0, 9, 2, 9, 4, 9}));
  Tensor halves = strided(self);
  index_add_(halves, 0, rows, source);
  EXPECT_EQ(values(halves), (std::vector<float>{3, 5, 2, 3, 10, 13}));
  expect_error([&] { index_add(self, 0, tensor<int64_t>({3, 0, 0}), source); }, "expected indices from 0 to 2");
  expect_error([&] { index_add(self, 0, rows, counting<float>({3, 3})); }, "expected `source` to have size 2");
  expect_error([&] { index_copy(self, 0, rows, counting<double>({3, 2})); }, "expected `source` of dtype Float");
}

TEST(Index, IndexAddConvertsAlpha) {
  const auto added = []<class T>(T element, const Scalar& alpha) {
    const Tensor self = filled<T>({3}, [](int64_t) { return T(0); });
    const Tensor source = filled<T>({2}, [element](int64_t) { return element; });
    return to_vector<T>(index_add(self, 0, tensor<int64_t>({0, 1}), source, alpha));
  };
  EXPECT_EQ(added(int64_t{3}, 0.5), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(added(int64_t{3}, 2.7), (std::vector<int64_t>{6, 6, 0}));
  EXPECT_EQ(added(uint8_t{3}, -1), (std::vector<uint8_t>{253, 253, 0}));
  EXPECT_EQ(added(true, 0.5), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(added(true, 2), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(added(Half(3), 0.5), (std::vector<Half>{Half(1.5f), Half(1.5f), Half(0.0f)}));
  expect_error([&] { added(1.0f, Complex<double>(1, 2)); }, "1+2i");
  expect_error([&] { added(int8_t{1}, 300); }, "300");
}

TEST(Index, TakeAndPutCountInRowMajorOrder) {
  const Tensor self = strided(counting<float>({2, 3}));
  EXPECT_EQ(values(take(self, tensor<int64_t>({5, -6, 1, 1}, {2, 2}))), (std::vector<float>{5, 0, 1, 1}));
  Tensor written = strided(counting<float>({2, 3}));
  put_(written, tensor<int64_t>({1, -1}), tensor<float>({10, 20}));
  put_(written, tensor<int64_t>({1, 1}), tensor<float>({1, 2}), true);
  EXPECT_EQ(values(written), (std::vector<float>{0, 13, 2, 3, 4, 20}));
  expect_error([&] { take(self, tensor<int64_t>({6})); }, "expected indices from -6 to 5");
  expect_error([&] { put_(written, tensor<int64_t>({-7}), tensor<float>({1})); }, "from -6 to 5");
}

TEST(Index, MasksChooseInRowMajorOrder) {
  const Tensor self = strided(counting<float>({2, 3}));
  EXPECT_EQ(values(masked_select(self, truths())), (std::vector<float>{0, 2, 5}));
  EXPECT_EQ(values(masked_select(self, tensor<bool>({false, true}, {2, 1}))), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(values(masked_fill(self, truths(), Scalar(7))), (std::vector<float>{7, 1, 7, 3, 4, 7}));
  EXPECT_EQ(values(masked_scatter(self, truths(), counting<float>({4}))), (std::vector<float>{0, 1, 1, 3, 4, 2}));
  expect_error([&] { masked_scatter(self, truths(), counting<float>({2})); }, "expected at least 3 elements");
  expect_error([&] { masked_fill(counting<int64_t>({1}), tensor<bool>({true}), Scalar(Complex<double>(0, 1))); },
               "expected a number that fits Long");
  expect_error([&] { masked_select(self, counting<float>({2, 3})); },
               "masked_select: expected a mask of dtype Bool, got Float");
  EXPECT_EQ(numbers(nonzero(truths())), (std::vector<int64_t>{0, 0, 0, 2, 1, 2}));
  EXPECT_EQ(nonzero(scalar_tensor(3.0f)).sizes(), IntArrayRef({1, 0}));
  EXPECT_EQ(nonzero(empty({0, 2})).sizes(), IntArrayRef({0, 2}));
}

TEST(Index, MasksChooseAmongMany) {
  const Tensor mask = filled<bool>({7, 33000}, [](int64_t i) { return i * 2654435761 % 7 == 0; });
  const Tensor self = counting<int64_t>({7, 33000});
  const std::vector<int64_t> chosen = numbers(masked_select(self, mask));
  const Tensor places = nonzero(mask);
  std::vector<int64_t> expected;
  for (int64_t i = 0; i < mask.numel(); ++i) {
    if (mask.data_ptr<bool>()[i]) expected.push_back(i);
  }
  EXPECT_EQ(chosen, expected);
  ASSERT_EQ(places.size(0), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    ASSERT_EQ(at<int64_t>(places, {row, 0}) * 33000 + at<int64_t>(places, {row, 1}), expected[i]);
  }
  EXPECT_EQ(
      numbers(masked_scatter(tensor<int64_t>(std::vector<int64_t>(7 * 33000, -1), {7, 33000}), mask, self))[33000 * 3],
      mask.data_ptr<bool>()[33000 * 3]
          ? static_cast<int64_t>(std::lower_bound(expected.begin(), expected.end(), 33000 * 3) - expected.begin())
          : -1);
}

TEST(Index, TakesIntIndices) {
  const Tensor self = counting<float>({3, 4});
  EXPECT_EQ(values(structured::index(self, Given{tensor<int32_t>({2, -3}), tensor<int64_t>({1, 3})})),
            (std::vector<float>{9, 3}));
  EXPECT_EQ(values(index_put(counting<float>({3}), Given{tensor<int32_t>({0, 2})}, tensor<float>({7, 8}))),
            (std::vector<float>{7, 1, 8}));
}

TEST(Index, WhereConvertsNumbersToTheCommonDtype) {
  const Tensor bytes = counting<uint8_t>({2});
  const Tensor first = tensor<bool>({true, false});
  EXPECT_EQ(to_vector<uint8_t>(structured::where(first, Scalar(-1), bytes)), (std::vector<uint8_t>{255, 1}));
  expect_error([&] { structured::where(first, bytes, Scalar(300)); }, "expected a number that fits Byte, got 300");
  expect_error([&] { structured::where(first, Scalar(1e300), Scalar(2)); }, "expected a number that fits Float");
  EXPECT_EQ(structured::where(first, bytes, Scalar(0.5)).scalar_type(), kFloat);
}

TEST(Index, WhereTakesByteConditions) {
  const Tensor condition = tensor<uint8_t>({2, 0});
  EXPECT_EQ(values(structured::where(condition, tensor<float>({1, 2}), tensor<float>({3, 4}))),
            (std::vector<float>{1, 4}));
  EXPECT_EQ(to_vector<int8_t>(structured::where(condition, tensor<int8_t>({1, 2}), tensor<int8_t>({3, 4}))),
            (std::vector<int8_t>{1, 4}));
}

TEST(Index, MasksAreBool) {
  Tensor self = counting<float>({2});
  const Tensor bytes = tensor<uint8_t>({1, 0});
  expect_error([&] { masked_fill(self, bytes, Scalar(1)); }, "masked_fill: expected a mask of dtype Bool, got Byte");
  expect_error([&] { masked_fill_(self, bytes, Scalar(1)); }, "masked_fill_: expected a mask of dtype Bool, got Byte");
  expect_error([&] { masked_fill(self, tensor<bool>({true, false}), self); }, "masked_fill: expected `value` to have");
}

TEST(Index, WhereTakesNumbersOrNothing) {
  const Tensor self = counting<float>({2, 3});
  EXPECT_EQ(values(structured::where(truths(), self, Scalar(7))), (std::vector<float>{0, 7, 2, 7, 7, 5}));
  EXPECT_EQ(values(structured::where(truths(), Scalar(7), self)), (std::vector<float>{7, 1, 7, 3, 4, 7}));
  EXPECT_EQ(values(structured::where(truths(), Scalar(1.5), Scalar(0))), (std::vector<float>{1.5, 0, 1.5, 0, 0, 1.5}));
  const std::vector<Tensor> places = structured::where(truths());
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(numbers(places[0]), (std::vector<int64_t>{0, 0, 1}));
  EXPECT_EQ(numbers(places[1]), (std::vector<int64_t>{0, 2, 2}));
  EXPECT_EQ(numbers(argwhere(truths())), (std::vector<int64_t>{0, 0, 0, 2, 1, 2}));
  EXPECT_EQ(numbers(structured::where(scalar_tensor(true, kBool))[0]), std::vector<int64_t>{0});
}

TEST(Index, EmbeddingLooksRowsUp) {
  Tensor weight = counting<float>({4, 2});
  const Tensor found = embedding(weight, tensor<int64_t>({3, 0}, {1, 2}));
  EXPECT_EQ(found.sizes(), IntArrayRef({1, 2, 2}));
  EXPECT_EQ(values(found), (std::vector<float>{6, 7, 0, 1}));
  expect_error([&] { embedding(weight, tensor<int64_t>({4})); }, "expected indices from 0 to 3");
  embedding_renorm_(weight, tensor<int64_t>({3, 0, 3}), 1, 1);
  EXPECT_NEAR(values(weight)[6], 6.0f / 13, 1e-6);
  EXPECT_EQ(values(weight)[1], 1);
  expect_error([&] { embedding_renorm_(weight, tensor<int64_t>({-1}), 1, 2); }, "expected indices from 0 to 3");
}

TEST(Index, EmbeddingRenormTakesMagnitudesOfComplexNumbers) {
  using C = Complex<double>;
  Tensor weight = tensor<C>({C(3, 4), C(0, 12), C(0.5, 0.25), C()}, {2, 2});
  embedding_renorm_(weight, tensor<int64_t>({0, 1}), 1, 2);
  const std::vector<C> found = to_vector<C>(weight);
  EXPECT_NEAR(found[0].imag(), 4.0 / 13, 1e-7);
  EXPECT_NEAR(found[1].imag(), 12.0 / 13, 1e-7);
  EXPECT_EQ(found[2], C(0.5, 0.25));
}

TEST(Index, MadeOfOthers) {
  EXPECT_EQ(numbers(one_hot(tensor<int64_t>({1, 0, 2}))), (std::vector<int64_t>{0, 1, 0, 1, 0, 0, 0, 0, 1}));
  expect_error([] { one_hot(tensor<int64_t>({3}), 3); }, "expected indices from 0 to 2");
  const Tensor self = counting<float>({2, 3});
  EXPECT_EQ(values(take_along_dim(self, tensor<int64_t>({2}, {1, 1}), 1)), (std::vector<float>{2, 5}));
}

TEST(Index, NonzeroStaticHasAFixedSize) {
  const Tensor self = tensor<float>({1, 0, 2}, {1, 3});
  EXPECT_EQ(numbers(nonzero_static(self, 3, 7)), (std::vector<int64_t>{0, 0, 0, 2, 7, 7}));
  EXPECT_EQ(numbers(nonzero_static(self, 1)), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(nonzero_static(empty({2, 2, 2}, kMeta), 5).sizes(), IntArrayRef({5, 3}));
}

TEST(Index, OutVariantsCopyTheResult) {
  const Tensor self = counting<float>({3});
  Tensor out = empty({0});
  masked_fill_out(out, self, tensor<bool>({true, false, false}), Scalar(9));
  EXPECT_EQ(values(out), (std::vector<float>{9, 1, 2}));
  index_put_out(out, self, Given{tensor<int64_t>({2})}, tensor<float>({5}));
  EXPECT_EQ(values(out), (std::vector<float>{0, 1, 5}));
  embedding_out(out, counting<float>({2, 2}), tensor<int64_t>({1}));
  EXPECT_EQ(values(out), (std::vector<float>{2, 3}));
  EXPECT_EQ(out.sizes(), IntArrayRef({1, 2}));
  Tensor wide = empty({0}, kDouble);
  expect_error([&] { clone_out(wide, self); }, "clone.out: expected an output of dtype Float, got Double");
  EXPECT_EQ(to_vector<double>(_to_copy_out(wide, self)), (std::vector<double>{0, 1, 2}));
}

TEST(Index, OutVariantsRefuseOutputsThatOverlap) {
  const Tensor memory = counting<float>({8});
  Tensor first = slice(memory, 0, 0, 4);
  Tensor second = slice(memory, 0, 2, 6);
  expect_error([&] { var_mean_out(first, second, counting<float>({4, 4}), IntArrayRef({1})); },
               "got outputs 0 and 1 with memory in common");
}

TEST(Index, OutVariantsReadViewsOfTheInputFirst) {
  const Tensor memory = counting<float>({4});
  const std::vector<Tensor> out{slice(memory, 0, 2, 4), slice(memory, 0, 0, 2)};
  unsafe_split_out(out, memory, 2);
  EXPECT_EQ(values(memory), (std::vector<float>{2, 3, 0, 1}));
}

TEST(UnsafeMaskedIndex, ReadsAndAddsWhereTheMaskIsTrue) {
  const Tensor x = counting<float>({3});
  const Tensor mask = filled<bool>({4}, [](int64_t i) { return i != 1; });
  const Tensor at = filled<int64_t>({4}, [](int64_t i) { return i == 1 ? 99 : i == 3 ? 2 : i; });
  const float read[] = {0, -1, 2, 2};
  expect_elements<float>(_unsafe_masked_index(x, mask, {at}, -1), {4}, [&](const Index& i) { return read[i[0]]; });
  const float sums[] = {10, 1, 22};
  expect_elements<float>(_unsafe_masked_index_put_accumulate(x, mask, {at}, full({4}, 10.0)), {3},
                         [&](const Index& i) { return sums[i[0]]; });
}

}  // namespace
}  // namespace structured::index_test
