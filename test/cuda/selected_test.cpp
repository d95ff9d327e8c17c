// A library for CUDA with one operator and few dtypes that are selected.
#include <cudatest/find_operator.h>
#include <cudatest/ops/plus.h>
#include <cudatest/ops/smooth_abs.h>
#include <gtest/gtest.h>
#include <structured/iterator/copy.h>
#include <structured/structured.h>

#include <cstdint>
#include <vector>

#include "expect_error.h"

namespace {

using namespace structured;
using test::expect_error;

Tensor on_device(const Tensor& tensor) {
  const Tensor result = empty(tensor.sizes(), TensorOptions(tensor.dtype(), Device(kCUDA)));
  copy_into(result, tensor);
  return result;
}

TEST(CudaSelected, ComputesSelectedDtypes) {
  const Tensor a = on_device(tensor<float>({1, -2, 3})), b = on_device(tensor<float>({10, 20, 30}));
  const Tensor sum = empty({3});
  copy_into(sum, cudatest::plus(a, b, 2));
  EXPECT_EQ(to_vector<float>(sum), (std::vector<float>{21, 38, 63}));
  const Tensor integers = on_device(tensor<int64_t>({4, 5}));
  const Tensor doubled = empty({2}, kLong);
  copy_into(doubled, cudatest::plus(integers, integers));
  EXPECT_EQ(to_vector<int64_t>(doubled), (std::vector<int64_t>{8, 10}));
}

TEST(CudaSelected, RefusesOtherDtypesByName) {
  const Tensor halves = empty({2}, TensorOptions(kHalf, Device(kCUDA)));
  expect_error([&] { cudatest::plus(halves, halves); },
               "plus: expected a dtype that this build selects, one of Long, Float, Bool; got Half");
  const Tensor doubles = empty({2}, TensorOptions(kDouble, Device(kCUDA)));
  expect_error([&] { cudatest::smooth_abs(doubles); },
               "smooth_abs: expected a dtype that this build selects, one of Long, Float, Bool; got Double");
}

TEST(CudaSelected, HasSelectedOperatorsByNameOnly) {
  EXPECT_NE(cudatest::find_operator("cudatest::plus"), nullptr);
  EXPECT_EQ(cudatest::find_operator("cudatest::smooth_abs"), nullptr);
}

}  // namespace
