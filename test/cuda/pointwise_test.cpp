// Scalar functions on CUDA: every dtype and layout gives the CPU's results.
#include <cudatest/operators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/cuda/graph.h>
#include <structured/cuda/memory.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/structured.h>

#include <cmath>
#include <random>
#include <vector>

#include "emulator.h"
#include "expect_error.h"
#include "skip.h"

namespace {

using namespace structured;
using test::expect_error;

const Device kDevice(kCUDA, 0);

class Inputs {
 public:
  Tensor make(IntArrayRef sizes, ScalarType dtype) {
    const Tensor numbers = empty(sizes, TensorOptions(kDouble, kCPU));
    for (double& each : span<double>(numbers)) each = std::uniform_int_distribution(-40, 40)(random_) / 4.0;
    const Tensor result = empty(sizes, TensorOptions(dtype, kCPU));
    copy_into(result, numbers);
    return result;
  }

 private:
  std::mt19937 random_{1};
};

Tensor on(Device device, const Tensor& source) {
  const Tensor result = empty_in_order_of(source, source.options().device(device));
  copy_into(result, source);
  return result;
}

void expect_equal(const Tensor& actual, const Tensor& expected, const char* what) {
  ASSERT_EQ(actual.device(), kDevice) << what;
  ASSERT_EQ(actual.scalar_type(), expected.scalar_type()) << what;
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  EXPECT_EQ(actual.strides(), expected.strides()) << what;
  const auto values = [](const Tensor& tensor) {
    const Tensor wide = empty(tensor.sizes(), TensorOptions(kDouble, kCPU));
    copy_into(wide, on(kCPU, tensor));
    return to_vector<double>(wide);
  };
  const std::vector<double> a = values(actual), b = values(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // One unit in the last place of a float, for contracted sums; half-precision results are rounded from float.
    ASSERT_NEAR(a[i], b[i], 1e-6 * std::abs(b[i])) << what << ", element " << i;
  }
  ASSERT_EQ(emulator::fault(), "") << what;
}

constexpr ScalarType kEvery[] = {kByte,   kChar,        kShort,        kInt,           kLong, kHalf,    kFloat,
                                 kDouble, kComplexHalf, kComplexFloat, kComplexDouble, kBool, kBFloat16};

TEST(CudaPointwise, ComputesEveryDtype) {
  Inputs inputs;
  for (const ScalarType dtype : kEvery) {
    // More than one tile and a rest; one element; no element.
    for (const int64_t size : {9001, 1, 0}) {
      const Tensor a = inputs.make({size}, dtype), b = inputs.make({size}, dtype);
      const Scalar factor = dtype == kBool ? Scalar(true) : Scalar(2);
      expect_equal(cudatest::plus(on(kDevice, a), on(kDevice, b), factor), cudatest::plus(a, b, factor),
                   to_string(dtype));
    }
  }
}

TEST(CudaPointwise, AcceptsViewsThatBeginAnywhere) {
  Inputs inputs;
  for (const ScalarType dtype : {kChar, kHalf, kFloat, kDouble}) {
    const Tensor a = inputs.make({9000}, dtype), b = inputs.make({9000}, dtype);
    const auto view = [](const Tensor& tensor, int64_t begin) { return as_strided(tensor, {8000}, {1}, begin); };
    expect_equal(cudatest::plus(view(on(kDevice, a), 1), view(on(kDevice, b), 3)),
                 cudatest::plus(view(a, 1), view(b, 3)), to_string(dtype));
  }
}

TEST(CudaPointwise, BroadcastsTransposesAndConverts) {
  Inputs inputs;
  const ScalarType some[] = {kByte, kLong, kHalf, kFloat, kComplexFloat, kBFloat16, kBool};
  for (const ScalarType first : some) {
    for (const ScalarType second : some) {
      const Tensor a = inputs.make({6, 5, 7}, first), b = inputs.make({7, 1, 6}, second);
      const auto moved = [](const Tensor& tensor) { return as_strided(tensor, {6, 1, 7}, {1, 6, 6}, 0); };
      expect_equal(cudatest::plus(on(kDevice, a), moved(on(kDevice, b))), cudatest::plus(a, moved(b)),
                   to_string(first));
    }
  }
}

TEST(CudaPointwise, ReadsBackwards) {
  Inputs inputs;
  const Tensor a = inputs.make({10, 12}, kFloat), out = empty({10, 6}, kFloat);
  const auto every_other = [](const Tensor& tensor) { return as_strided(tensor, {10, 6}, {12, 2}, 1); };
  expect_equal(cudatest::smooth_abs(every_other(on(kDevice, a))), cudatest::smooth_abs(every_other(a)), "strided");
  Tensor target = on(kDevice, inputs.make({6, 10}, kDouble));
  Tensor view = as_strided(target, {10, 6}, {1, 10}, 0);
  cudatest::smooth_abs_out(view, every_other(on(kDevice, a)));
  Tensor expected = empty({10, 6}, kDouble);
  cudatest::smooth_abs_out(expected, every_other(a));
  expect_equal(cudatest::plus(view, view, 0),
               cudatest::plus(as_strided(on(kCPU, target), {10, 6}, {1, 10}, 0),
                              as_strided(on(kCPU, target), {10, 6}, {1, 10}, 0), 0),
               "out");
  const Tensor result = empty({10, 6}, TensorOptions(kDouble, kDevice));
  copy_into(result, view);
  expect_equal(result, expected, "out");
}

TEST(CudaPointwise, TakesNumbersAndCpuScalars) {
  Inputs inputs;
  for (const ScalarType dtype : {kInt, kHalf, kFloat}) {
    const Tensor a = inputs.make({300}, dtype);
    expect_equal(cudatest::above(on(kDevice, a), 1.5), cudatest::above(a, 1.5), "above");
    expect_equal(cudatest::limit(on(kDevice, a), -1, 3), cudatest::limit(a, -1, 3), "limit");
    expect_equal(cudatest::limit(on(kDevice, a), std::nullopt, 3), cudatest::limit(a, std::nullopt, 3), "limit");
    const Tensor number = scalar_tensor(2.5, kDouble);
    expect_equal(cudatest::plus(on(kDevice, a), number), cudatest::plus(a, number), "plus");
  }
}

TEST(CudaPointwise, SelectsByBooleanTensors) {
  Inputs inputs;
  for (const ScalarType dtype : kEvery) {
    const Tensor mask = inputs.make({5000}, kBool), a = inputs.make({5000}, dtype), b = inputs.make({5000}, dtype);
    expect_equal(cudatest::choose(on(kDevice, mask), on(kDevice, a), on(kDevice, b)), cudatest::choose(mask, a, b),
                 to_string(dtype));
  }
}

TEST(CudaPointwise, StoresBooleansInOtherDtypes) {
  Inputs inputs;
  const Tensor a = inputs.make({50}, kFloat);
  Tensor out = empty({50}, TensorOptions(kInt, kDevice)), expected = empty({50}, kInt);
  cudatest::above_out(out, on(kDevice, a), 0);
  cudatest::above_out(expected, a, 0);
  expect_equal(out, expected, "above.out");
}

TEST(CudaPointwise, WritesInPlaceInTheCurrentStream) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    emulator::set_late_streams(true, seed);
    const cuda::StreamGuard guard(cuda::new_stream(0));
    Tensor a = on(kDevice, full({100}, 1));
    for (int i = 0; i < 5; ++i) cudatest::plus_(a, a);
    expect_equal(a, full({100}, 32), "plus_");
    EXPECT_EQ(a.version(), 5u);
  }
  emulator::set_late_streams(false);
}

TEST(CudaPointwise, RejectsTensorsOfSeveralDevices) {
  STRUCTURED_NEED_DEVICES(2);
  const Tensor here = full({2}, 1);
  expect_error([&] { cudatest::plus(on(kDevice, here), here); }, "cuda:0");
  expect_error([&] { cudatest::plus(on(kDevice, here), on(Device(kCUDA, 1), here)); }, "cuda:1");
}

TEST(CudaPointwise, RunsWithoutDispatchAndPrepared) {
  const Tensor a = on(kDevice, full({100}, 3.0));
  expect_equal(cudatest::cuda::plus(a, a), full({100}, 6.0), "cuda::plus");
  Tensor out = empty({100}, TensorOptions(kFloat, kDevice));
  auto prepared = cudatest::cuda::prepare_plus_out(out, a, a);
  prepared.run();
  prepared.run();
  expect_equal(out, full({100}, 6.0), "prepared");
}

TEST(CudaPointwise, PreparedOperatorsAreRecordedInAGraph) {
  const Tensor a = on(kDevice, full({100}, 1.0));
  Tensor twice = empty({100}, TensorOptions(kFloat, kDevice)), sum = empty({100}, TensorOptions(kFloat, kDevice));
  std::vector<PreparedOperator> list;
  list.push_back(cudatest::cuda::prepare_plus_out(twice, a, a));
  list.push_back(cudatest::cuda::prepare_plus_out(sum, twice, a));
  list.push_back(cudatest::cuda::prepare_plus_out(sum, sum, sum));
  for (PreparedOperator& each : list) each.run();
  const uint64_t allocations = cuda::memory_statistics(0).allocations;
  const uint64_t waits = emulator::statistics().synchronisations;
  cuda::Graph graph;
  graph.capture([&] {
    for (PreparedOperator& each : list) each.run();
  });
  EXPECT_EQ(cuda::memory_statistics(0).allocations, allocations);
  EXPECT_EQ(emulator::statistics().synchronisations, waits);
  copy_into(a, full({100}, 5.0));
  graph.launch();
  expect_equal(sum, full({100}, 30.0), "graph");
}

}  // namespace
