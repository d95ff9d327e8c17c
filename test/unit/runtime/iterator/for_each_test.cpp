#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <vector>

#include "../../expect_error.h"
#include "naive.h"
#include "structured/base/error.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured {
namespace {

using test::expect_error;

void add_rows(char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
  for (int64_t k = 0; k < outer; ++k) {
    for (int64_t i = 0; i < inner; ++i) {
      const auto at = [&](int operand) { return data[operand] + i * strides[operand] + k * strides[3 + operand]; };
      *reinterpret_cast<float*>(at(0)) =
          *reinterpret_cast<const float*>(at(1)) + *reinterpret_cast<const float*>(at(2));
    }
  }
}
const auto add_loop = [](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
  add_rows(data, strides, inner, outer);
};

void expect_sum(const Tensor& out, const Tensor& a, const Tensor& b) {
  naive::for_each_index(out.sizes(), [&](const naive::Index& index) {
    ASSERT_EQ(naive::element<float>(out, index), naive::element<float>(a, index) + naive::element<float>(b, index));
  });
}

// Random sizes, orders of dimensions, gaps, and missing and repeated dimensions.
Tensor random_operand(std::mt19937& random, const std::vector<int64_t>& shape) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<int64_t> sizes(shape.begin() + static_cast<std::ptrdiff_t>(below(shape.size() + 1) * (below(3) == 0)),
                             shape.end());
  for (int64_t& size : sizes) {
    if (below(4) == 0) size = std::min<int64_t>(size, 1);
  }
  std::vector<int64_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  if (below(3) != 0) std::shuffle(order.begin(), order.end(), random);
  const Tensor tensor = naive::arange<float>(sizes, order, static_cast<int64_t>(below(2)));
  return below(4) == 0 ? naive::expand(tensor, shape) : tensor;
}

TEST(ForEach, VisitsWhatANaiveWalkVisits) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<int64_t> shape(random() % 7 + 1);
    for (int64_t& size : shape) size = static_cast<int64_t>(random() % 4 + (random() % 8 != 0));
    const Tensor a = random_operand(random, shape);
    const Tensor b = random_operand(random, shape);
    const Tensor none;
    const auto iter = TensorIterator::binary_op(none, a, b);
    iter.for_each(Loop2d(add_loop));
    expect_sum(iter.output(), a, b);
    // On several threads, in pieces that split rows.
    const Tensor out = naive::arange<float>(iter.output().sizes(), {}, 1);
    TensorIterator::binary_op(out, a, b).for_each(Loop2d(add_loop), 5);
    expect_sum(out, a, b);
  }
}

TEST(ForEach, RangesVisitTheirElementsOnce) {
  const Tensor in = naive::arange<int32_t>({3, 4, 5, 2}, {2, 0, 3, 1}, 1);
  const Tensor out = naive::arange<int32_t>({3, 4, 5, 2}, {0, 1, 2, 3}, 3);
  const auto iter = TensorIterator::unary_op(out, in);
  ASSERT_GT(iter.ndim(), 2u);
  for (int64_t begin = 0; begin <= iter.numel(); begin += 7) {
    for (int64_t end = begin; end <= iter.numel(); end += 13) {
      int64_t visited = 0;
      std::vector<int> seen(120, 0);
      const auto loop = [&](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
        for (int64_t k = 0; k < outer; ++k) {
          for (int64_t i = 0; i < inner; ++i) {
            ++seen.at(
                static_cast<std::size_t>(*reinterpret_cast<const int32_t*>(data[1] + i * strides[1] + k * strides[3])));
            ++visited;
          }
        }
      };
      iter.serial_for_each(Loop2d(loop), begin, end);
      ASSERT_EQ(visited, end - begin);
      ASSERT_LE(*std::max_element(seen.begin(), seen.end()), 1);
    }
  }
}

TEST(ForEach, RangesTogetherVisitAll) {
  const Tensor a = naive::arange<float>({3, 4, 5, 2}, {2, 0, 3, 1}, 1);
  const Tensor b = naive::arange<float>({5, 1});
  const Tensor none;
  const auto iter = TensorIterator::binary_op(none, a, b);
  for (int64_t begin = 0; begin < iter.numel(); begin += 11) {
    iter.serial_for_each(Loop2d(add_loop), begin, std::min(iter.numel(), begin + 11));
  }
  expect_sum(iter.output(), a, b);
}

TEST(ForEach, OneDimensionalLoopsSeeRows) {
  const Tensor a = naive::arange<float>({3, 4}, {}, 1);
  const Tensor b = naive::arange<float>({4});
  const Tensor none;
  const auto iter = TensorIterator::binary_op(none, a, b);
  int rows = 0;
  iter.for_each(Loop1d([&](char* const* data, const int64_t* strides, int64_t size) {
    const int64_t two_dimensional[] = {strides[0], strides[1], strides[2], 0, 0, 0};
    add_rows(data, two_dimensional, size, 1);
    ++rows;
  }));
  EXPECT_EQ(rows, 3);
  expect_sum(iter.output(), a, b);
}

TEST(ForEach, LargeIterationsAreTheSameOnManyThreads) {
  const Tensor a = naive::arange<float>({300, 1, 400}, {2, 1, 0});
  const Tensor b = naive::arange<float>({2, 1});
  const Tensor none;
  const auto parallel = TensorIterator::binary_op(none, a, b);
  std::atomic<int> pieces = 0;
  parallel.for_each(Loop2d([&](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
    add_rows(data, strides, inner, outer);
    ++pieces;
  }));
  const auto serial = TensorIterator::binary_op(none, a, b);
  serial.for_each(Loop2d(add_loop), serial.numel());
  EXPECT_GE(pieces, max_threads() > 1 ? 2 : 1);
  naive::for_each_index({300, 2, 400}, [&](const naive::Index& index) {
    ASSERT_EQ(naive::element<float>(parallel.output(), index), naive::element<float>(serial.output(), index));
  });
}

TEST(ForEach, PassesExceptionsOn) {
  const Tensor a = naive::arange<float>({100});
  const Tensor none;
  const auto iter = TensorIterator::unary_op(none, a);
  const auto loop = [](char* const*, const int64_t*, int64_t, int64_t) { fail("loop failed"); };
  expect_error([&] { iter.for_each(Loop2d(loop), 10); }, "loop failed");
}

}  // namespace
}  // namespace structured
