// Matrix products by cuBLASLt. On the emulator, a library of the tests takes its place.
#include <gtest/gtest.h>
#include <structured/cuda/stream.h>

#include <cstdlib>

#include "compare_with_cpu.h"
#include "skip.h"

namespace {

using namespace structured;
using namespace structured::test;

// The library is looked for when the first product runs.
const bool kIsSet =
    !emulator::is_used() || setenv("STRUCTURED_CUDA_LIBRARIES", "/nowhere:" STRUCTURED_FAKE_LIBRARIES, 1) == 0;

// Compares products. cuBLASLt computes `count` of them.
void compare_products(const Tensors& inputs, uint64_t count, const std::function<Tensors(const Tensors&)>& function,
                      double tolerance) {
  ASSERT_TRUE(kIsSet);
  const uint64_t before = emulator::statistics().products;
  compare(inputs, function, tolerance);
  if (emulator::is_used()) {
    EXPECT_EQ(emulator::statistics().products, before + count);
  }
}

TEST(CudaBlas, ComputesEveryOrderOfDimensions) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kComplexFloat, kComplexDouble}) {
    const double tolerance = 2 * tolerance_of(dtype);
    for (const bool is_transposed : {false, true}) {
      for (const bool is_other_transposed : {false, true}) {
        const auto turned = [](const Tensor& tensor, bool turns) { return turns ? t(tensor) : tensor; };
        compare_products(
            {sample(is_transposed ? DimVector{9, 14} : DimVector{14, 9}, dtype),
             sample(is_other_transposed ? DimVector{6, 9} : DimVector{9, 6}, dtype, 2)},
            2,
            [&](const Tensors& in) -> Tensors {
              const Tensor a = turned(in[0], is_transposed), b = turned(in[1], is_other_transposed);
              Tensor column_major = t(empty({6, 14}, a.options()));
              mm_out(column_major, a, b);
              return {mm(a, b), column_major};
            },
            tolerance);
      }
    }
  }
}

TEST(CudaBlas, AddsSummandsAndBiases) {
  for (const ScalarType dtype : {kFloat, kHalf, kComplexDouble}) {
    compare_products(
        {sample({7, 5}, dtype), sample({5, 8}, dtype, 2), sample({7, 8}, dtype, 3), sample({8}, dtype, 4)}, 4,
        [](const Tensors& in) -> Tensors {
          Tensor sum = clone(in[2]);
          addmm_(sum, in[0], in[1], 2, -1);
          return {addmm(in[2], in[0], in[1], 0.5, 3), sum, addmm(in[3], in[0], in[1]), linear(in[0], t(in[1]), in[3])};
        },
        4 * tolerance_of(dtype));
  }
}

TEST(CudaBlas, ComputesBatchesAndVectors) {
  compare_products(
      {sample({3, 6, 4}), sample({3, 4, 5}, kFloat, 2), sample({4}, kFloat, 3)}, 4,
      [](const Tensors& in) -> Tensors {
        const Tensor shared = expand(unsqueeze(select(in[1], 0, 1), 0), IntArrayRef{3, 4, 5});
        return {bmm(in[0], in[1]), bmm(in[0], shared), mv(select(in[0], 0, 2), in[2]),
                bmm(in[0], transpose(contiguous(transpose(in[1], 1, 2)), 1, 2))};
      },
      1e-5);
}

TEST(CudaBlas, LeavesOtherProductsToOurKernel) {
  compare_products(
      {sample({12, 10}), sample({10, 6}, kLong, 2)}, 0,
      [](const Tensors& in) -> Tensors {
        const Tensor gaps = as_strided(in[0], {4, 5}, {20, 2});
        return {mm(gaps, t(gaps)), mm(t(in[1]), in[1])};
      },
      1e-5);
}

TEST(CudaBlas, KeepsTheOrderOfTheStream) {
  emulator::set_late_streams(true);
  const Tensor a = on(kDevice, sample({6, 6}));
  {
    const cuda::StreamGuard guard(cuda::new_stream(0));
    const Tensor twice = add(a, a);
    const Tensor product = mm(twice, twice);
    EXPECT_TRUE(allclose(on(kCPU, product), mul(mm(sample({6, 6}), sample({6, 6})), 4)));
  }
  emulator::set_late_streams(false);
}

TEST(CudaBlas, KeepsABoundedNumberOfPlans) {
  STRUCTURED_NEED_EMULATOR("it counts plans");
  const TensorOptions options(kFloat, kDevice);
  const int64_t before = emulator::statistics().plans;
  for (int64_t size = 1; size < 1300; ++size) {
    mm(empty({1, size}, options), empty({size, 1}, options));
    ASSERT_LE(emulator::statistics().plans, 1024);
  }
  EXPECT_GT(emulator::statistics().plans, before) << "the test cannot fail";
}

}  // namespace
