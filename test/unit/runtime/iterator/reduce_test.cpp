#include "structured/structured.h"

#include <gmock/gmock.h>
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "naive.h"

namespace structured::reduce_test {
namespace {

using naive::arange;

template <class T, class A>
struct Sum {
  using Element = T;
  using Accumulator = A;
  static A identity() { return A(0); }
  static A lift(T value) { return A(value); }
  static A combine(A a, A b) { return a + b; }
  static T project(A sum) { return T(sum); }
};

// Sum of hashes: depends on every element exactly once.
struct Checksum {
  using Element = int64_t;
  using Accumulator = uint64_t;
  static Accumulator identity() { return 0; }
  static Accumulator lift(int64_t value) { return (static_cast<Accumulator>(value) + 1) * 0x9e3779b97f4a7c15u; }
  static Accumulator combine(Accumulator a, Accumulator b) { return a + b; }
  static int64_t project(Accumulator sum) { return static_cast<int64_t>(sum); }
};

template <class In>
void expect_checksums(const Tensor& in, DimMask mask, bool keepdim) {
  const DimVector sizes = reduced_sizes(in.sizes(), mask, keepdim);
  const Tensor out = arange<int64_t>(sizes, {}, 1);
  reduce<Checksum>(out, in, mask);
  const DimVector kept = reduced_sizes(in.sizes(), mask, true);
  std::vector<uint64_t> expected(static_cast<std::size_t>(out.numel()), 0);
  naive::for_each_index(in.sizes(), [&](const naive::Index& index) {
    std::size_t at = 0;
    for (std::size_t d = 0; d < kept.size(); ++d) {
      if ((mask >> d & 1) == 0) at = at * static_cast<std::size_t>(kept[d]) + static_cast<std::size_t>(index[d]);
    }
    expected[at] += Checksum::lift(static_cast<int64_t>(naive::element<In>(in, index)));
  });
  std::size_t at = 0;
  naive::for_each_index(sizes, [&](const naive::Index& index) {
    ASSERT_EQ(static_cast<uint64_t>(naive::element<int64_t>(out, index)), expected[at++])
        << "sizes " << in.sizes() << " strides " << in.strides() << " mask " << mask;
  });
}

TEST(Reduce, TakesEveryElementOnce) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<int64_t> sizes(random() % 5);
    std::vector<int64_t> order;
    for (int64_t& size : sizes) {
      size = static_cast<int64_t>(random() % 6 + (random() % 4 != 0));
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(random() % (order.size() + 1)),
                   static_cast<int64_t>(order.size()));
    }
    const DimMask mask = random() & ((DimMask{1} << sizes.size()) - 1);
    expect_checksums<int64_t>(arange<int64_t>(sizes, order, random() % 2), mask, random() % 2);
    expect_checksums<int32_t>(arange<int32_t>(sizes, order, random() % 2), mask, random() % 2);
  }
}

TEST(Reduce, LongRowsAndColumns) {
  for (const int64_t length : {511, 512, 513, 5000, 70000, 200000}) {
    expect_checksums<int64_t>(arange<int64_t>({length}), 0b1, false);
    expect_checksums<int64_t>(arange<int64_t>({2, length}), 0b10, true);
    expect_checksums<int64_t>(arange<int64_t>({2, length}), 0b01, false);
    expect_checksums<int64_t>(arange<int64_t>({length, 3}), 0b01, false);
    expect_checksums<int64_t>(arange<int64_t>({length, 3}, {}, 1), 0b11, false);
    expect_checksums<int16_t>(arange<int16_t>({length, 3}, {1, 0}, 1), 0b01, false);
  }
  expect_checksums<int64_t>(arange<int64_t>({130, 1100}), 0b01, false);
  expect_checksums<int64_t>(arange<int64_t>({600, 5000}), 0b01, false);
  expect_checksums<int64_t>(arange<int64_t>({3, 2, 35000}), 0b101, false);
  expect_checksums<int64_t>(arange<int64_t>({300, 2, 90}), 0b101, false);
  expect_checksums<int64_t>(arange<int64_t>({40, 50, 60}), 0b101, false);
  expect_checksums<float>(arange<float>({40, 50, 60}), 0b010, false);
  expect_checksums<int64_t>(naive::expand(arange<int64_t>({1, 5}), {1000, 5}), 0b01, false);
  expect_checksums<int64_t>(naive::expand(arange<int64_t>({1, 5}), {1000, 5}), 0b10, false);
}

TEST(Reduce, NoElementsGiveTheIdentity) {
  const Tensor out = arange<float>({3});
  reduce<Sum<float, float>>(out, arange<float>({3, 0}), 0b10);
  EXPECT_THAT(to_vector<float>(out), testing::Each(0.0f));
  const Tensor one = arange<float>({});
  reduce<Sum<float, float>>(one, arange<float>({0}), 0b1);
  EXPECT_EQ(one.item<float>(), 0);
  reduce<Sum<float, float>>(arange<float>({0}), arange<float>({0, 3}), 0b10);
}

// Sequential summation has an error of about 1e-3 at this length; the tree must be much better.
TEST(Reduce, RoundsLikeATree) {
  const int64_t length = 1 << 22;
  const Tensor in = empty({length}, TensorOptions(kFloat));
  double exact = 0;
  std::mt19937 random(3);
  for (int64_t i = 0; i < length; ++i) {
    const float value = std::uniform_real_distribution<float>(0, 1)(random);
    static_cast<float*>(in.data())[i] = value;
    exact += static_cast<double>(value);
  }
  const auto expect_close = [&](const Tensor& view) {
    const Tensor out = empty({1}, TensorOptions(kFloat));
    reduce<Sum<float, float>>(out, view, 0b1);
    EXPECT_NEAR(static_cast<double>(out.item<float>()) / exact, 1, 2e-7);
  };
  expect_close(in);
  // By columns: sums of length / 4 elements each.
  const Tensor columns = as_strided(in, {length / 4, 4}, {4, 1}, 0);
  const Tensor out = empty({4}, TensorOptions(kFloat));
  reduce<Sum<float, float>>(out, columns, 0b01);
  double sum = 0;
  for (const float part : to_vector<float>(out)) sum += static_cast<double>(part);
  EXPECT_NEAR(sum / exact, 1, 2e-7);
}

TEST(Reduce, DoesNotDependOnTheNumberOfThreads) {
  const Tensor in = empty({300, 700}, TensorOptions(kFloat));
  std::mt19937 random(4);
  for (int64_t i = 0; i < in.numel(); ++i) {
    static_cast<float*>(in.data())[i] = std::normal_distribution<float>(0, 1)(random);
  }
  const int threads = omp_get_max_threads();
  for (const DimMask mask : {0b11, 0b01, 0b10}) {
    const DimVector sizes = reduced_sizes(in.sizes(), mask, false);
    omp_set_num_threads(1);
    const Tensor serial = empty(sizes, TensorOptions(kFloat));
    reduce<Sum<float, float>>(serial, in, mask);
    for (const int count : {2, 3, 5}) {
      omp_set_num_threads(count);
      const Tensor parallel = empty(sizes, TensorOptions(kFloat));
      reduce<Sum<float, float>>(parallel, in, mask);
      EXPECT_EQ(to_vector<float>(parallel), to_vector<float>(serial)) << mask << " on " << count;
    }
  }
  omp_set_num_threads(threads);
}

TEST(Reduce, ReducedPrecisionIsAccumulatedInFloat) {
  const Tensor in = empty({4096}, TensorOptions(kHalf));
  for (int i = 0; i < 4096; ++i) static_cast<Half*>(in.data())[i] = Half(1.0f);
  const Tensor out = empty({}, TensorOptions(kHalf));
  reduce<Sum<Half, float>>(out, in, 0b1);
  EXPECT_EQ(out.item<float>(), 4096);  // Half itself cannot count beyond 2048
}

}  // namespace
}  // namespace structured::reduce_test
