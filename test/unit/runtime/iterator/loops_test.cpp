#include "structured/iterator/loops.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

#include "naive.h"

namespace structured::loops_test {
namespace {

using naive::arange;
const Tensor none;

// Compares cpu_kernel with a loop over all indices.
template <class Out, class... In, class F>
void expect_kernel(const F& function, const Tensor& out, const std::vector<Tensor>& inputs) {
  TensorIteratorConfig config;
  config.check_all_same_dtype(false);
  if (out.defined()) {
    config.resize_outputs(false).add_output(out);
  } else {
    config.add_output(Tensor()).declare_static_dtype(scalar_type_of<Out>);
  }
  for (const Tensor& input : inputs) config.add_input(input);
  const auto iter = config.build();
  cpu_kernel(iter, function);
  naive::for_each_index(iter.output().sizes(), [&](const naive::Index& index) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ASSERT_EQ(naive::element<Out>(iter.output(), index), function(naive::element<In>(inputs[I], index)...));
    }(std::make_index_sequence<sizeof...(In)>());
  });
}

constexpr int64_t lengths[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100};

TEST(CpuKernel, DenseRowsOfEveryLength) {
  for (const int64_t length : lengths) {
    const Tensor a = arange<float>({length});
    const Tensor b = arange<float>({length});
    const auto function = [](float x, float y) -> float { return x * y + 1; };
    expect_kernel<float, float, float>(function, none, {a, b});
    // Views that start at any lane of a vector register.
    const Tensor memory = arange<float>({length + 3});
    const Tensor shifted = as_strided(memory, {length}, {1}, 3);
    expect_kernel<float, float, float>(function, none, {shifted, b});
  }
}

TEST(CpuKernel, RepeatedScalarOnEitherSide) {
  for (const int64_t length : lengths) {
    const Tensor a = arange<double>({3, length});
    const Tensor one = tensor<double>({2.5});
    const Tensor column = arange<double>({3, 1});
    const auto minus = [](double x, double y) -> double { return x - y; };
    expect_kernel<double, double, double>(minus, none, {a, one});
    expect_kernel<double, double, double>(minus, none, {one, a});
    expect_kernel<double, double, double>(minus, none, {a, column});
    expect_kernel<double, double, double>(minus, none, {column, a});
    const auto fused = [](double x, double y, double z) -> double { return x * y - z; };
    expect_kernel<double, double, double, double>(fused, none, {a, one, a});
    expect_kernel<double, double, double, double>(fused, none, {one, one, a});
    const Tensor out = arange<double>({3, length});
    expect_kernel<double, double>([](double x) -> double { return x + 1; }, out, {one});
  }
}

TEST(CpuKernel, StridedOperands) {
  const Tensor a = arange<int64_t>({5, 6, 7}, {2, 0, 1}, 1);
  const Tensor b = arange<int64_t>({6, 1}, {1, 0}, 0);
  const Tensor out = arange<int64_t>({5, 6, 7}, {1, 0, 2}, 2);
  const auto function = [](int64_t x, int64_t y) -> int64_t { return 2 * x - y; };
  expect_kernel<int64_t, int64_t, int64_t>(function, none, {a, b});
  expect_kernel<int64_t, int64_t, int64_t>(function, out, {b, a});
}

TEST(CpuKernel, FourInputsOfFourTypes) {
  const Tensor a = arange<float>({3, 4});
  const Tensor b = arange<int32_t>({4});
  const Tensor c = arange<bool>({3, 1});
  const Tensor d = arange<double>({3, 4}, {1, 0});
  const auto function = [](float w, int32_t x, bool y, double z) -> double { return y ? w * x : z; };
  expect_kernel<double, float, int32_t, bool, double>(function, none, {a, b, c, d});
}

TEST(CpuKernel, NoInput) {
  const Tensor out = arange<float>({3, 4}, {1, 0}, 1);
  cpu_kernel(TensorIterator::nullary_op(out), []() -> float { return 3; });
  EXPECT_THAT(to_vector<float>(out), testing::Each(3.0f));
}

TEST(CpuKernel, InPlace) {
  for (const int64_t length : lengths) {
    const Tensor a = arange<float>({length});
    const auto iter = TensorIterator::binary_op(a, a, a);
    cpu_kernel(iter, [](float x, float y) -> float { return x + y; });
    for (int64_t i = 0; i < length; ++i) {
      ASSERT_EQ(static_cast<const float*>(a.data())[i], 2 * static_cast<float>(i));
    }
  }
}

TEST(CpuKernel, ManyElementsOnManyThreads) {
  const Tensor a = arange<int32_t>({3 * kGrainSize + 1});
  const auto function = [](int32_t x) -> int32_t { return x ^ 0x55; };
  expect_kernel<int32_t, int32_t>(function, none, {a});
  const Tensor b = arange<int32_t>({kGrainSize, 5}, {1, 0}, 1);
  expect_kernel<int32_t, int32_t>(function, none, {b});
}

TEST(CpuKernel, RefusesTypesThatOperandsDoNotHave) {
  const Tensor a = arange<float>({3});
  const auto iter = TensorIterator::unary_op(none, a);
  EXPECT_THROW(cpu_kernel(iter, [](double x) -> double { return x; }), InternalError);
  EXPECT_THROW(cpu_kernel(iter, [](float x) -> bool { return x > 0; }), InternalError);
  EXPECT_THROW(cpu_kernel(iter, [](float x, float y) -> float { return x + y; }), InternalError);
}

}  // namespace
}  // namespace structured::loops_test
