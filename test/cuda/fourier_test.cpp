// Fourier transforms by cuFFT. On the emulator, a library of the tests takes its place.
#include <gtest/gtest.h>
#include <structured/cuda/graph.h>
#include <structured/cuda/stream.h>

#include <cstdlib>

#include "compare_with_cpu.h"
#include "skip.h"

namespace {

using namespace structured;
using namespace structured::test;

// The library is looked for when the first transform runs.
const bool kIsSet =
    !emulator::is_used() || setenv("STRUCTURED_CUDA_LIBRARIES", "/nowhere:" STRUCTURED_FAKE_LIBRARIES, 1) == 0;

// Compares transforms. cuFFT computes `count` batches for them.
void compare_transforms(const Tensors& inputs, uint64_t count, const std::function<Tensors(const Tensors&)>& function) {
  ASSERT_TRUE(kIsSet);
  const uint64_t before = emulator::statistics().transforms;
  const bool is_single = to_real(inputs[0].scalar_type()) == kFloat;
  compare(inputs, function, is_single ? 2e-4 : 1e-9);
  if (emulator::is_used()) {
    EXPECT_EQ(emulator::statistics().transforms, before + count);
  }
}

TEST(CudaFft, TransformsAlongEveryDimension) {
  for (const ScalarType dtype : {kComplexFloat, kComplexDouble}) {
    compare_transforms({sample({4, 5, 6}, dtype), sample({4, 5, 6}, to_real(dtype), 2)}, 9,
                       [](const Tensors& in) -> Tensors {
                         Tensors results;
                         for (const int64_t d : {0, 1, -1}) {
                           const int64_t dim[] = {d};
                           const Tensor half = _fft_r2c(in[1], dim, 0, true);
                           results.push_back(_fft_c2c(in[0], dim, 0, d == 1));
                           results.push_back(half);
                           results.push_back(_fft_c2r(half, dim, 2, in[1].size(d)));
                         }
                         return results;
                       });
  }
}

TEST(CudaFft, ScalesByEachNormalization) {
  compare_transforms({sample({3, 8}, kComplexFloat), sample({3, 8}, kFloat, 2)}, 9, [](const Tensors& in) -> Tensors {
    Tensors results;
    for (const int64_t normalization : {0, 1, 2}) {
      const int64_t both[] = {0, 1}, last[] = {1};
      results.push_back(_fft_c2c(in[0], both, normalization, false));
      results.push_back(_fft_r2c(in[1], both, normalization, true));
      results.push_back(_fft_c2r(in[0], last, normalization, 15));
    }
    return results;
  });
}

// The library transforms three dimensions at once; more need several passes.
TEST(CudaFft, TransformsMoreThanThreeDimensions) {
  compare_transforms({sample({2, 3, 4, 3, 2}, kComplexDouble), sample({3, 2, 3, 4, 5}, kDouble, 2)}, 8,
                     [](const Tensors& in) -> Tensors {
                       const int64_t five[] = {0, 1, 2, 3, 4}, four[] = {1, 4, 0, 2}, three[] = {4, 1, 2};
                       const Tensor half = _fft_r2c(in[1], four, 0, true);
                       return {_fft_c2c(in[0], five, 0, true), half, _fft_c2r(half, four, 2, 3),
                               _fft_r2c(in[1], three, 1, true), _fft_c2c(in[0], three, 1, false)};
                     });
}

TEST(CudaFft, CompletesBothSides) {
  compare_transforms({sample({3, 7}, kDouble)}, 2, [](const Tensors& in) -> Tensors {
    const int64_t both[] = {0, 1}, last[] = {1};
    return {_fft_r2c(in[0], both, 0, false), _fft_r2c(in[0], last, 1, false)};
  });
}

TEST(CudaFft, ReadsEveryLayout) {
  compare_transforms(
      {sample({6, 5, 4}, kComplexFloat), sample({6, 9}, kFloat, 2)}, 6, [](const Tensors& in) -> Tensors {
        const int64_t first[] = {0}, last[] = {-1}, both[] = {1, 0};
        const Tensor turned = permute(in[0], IntArrayRef{2, 0, 1});
        const Tensor gaps = as_strided(in[0], {3, 2, 4}, {40, 20, 1}, 0);
        const Tensor odd = as_strided(in[1], {5, 8}, {9, 1}, 1);  // starts at an address that cuFFT does not accept
        const Tensor repeated = expand(unsqueeze(select(in[0], 0, 1), 0), IntArrayRef{3, 5, 4});
        return {_fft_c2c(turned, both, 0, true),   _fft_c2c(gaps, first, 1, false), _fft_r2c(odd, last, 0, true),
                _fft_r2c(t(in[1]), both, 0, true), _fft_c2r(turned, both, 0, 7),    _fft_c2c(repeated, both, 2, true)};
      });
}

TEST(CudaFft, WritesToGivenOutputs) {
  compare_transforms({sample({4, 6}, kComplexFloat), sample({4, 6}, kFloat, 2)}, 3, [](const Tensors& in) -> Tensors {
    const int64_t both[] = {0, 1};
    Tensor turned = t(empty({6, 4}, in[0].options()));
    Tensor other_dtype = empty({4, 4}, in[0].options().dtype(kComplexDouble));
    Tensor real = t(empty({6, 4}, in[1].options()));
    _fft_c2c_out(turned, in[0], both, 1, true);
    _fft_r2c_out(other_dtype, in[1], both, 0, true);
    _fft_c2r_out(real, narrow(in[0], 1, 0, 4), both, 2, 6);
    return {turned, other_dtype, real};
  });
}

TEST(CudaFft, LeavesTheRestToOurKernels) {
  compare_transforms({sample({4, 13}, kComplexDouble), sample({}, kComplexDouble, 2)}, 0,
                     [](const Tensors& in) -> Tensors {
                       const int64_t last[] = {1}, only[] = {0};
                       Tensors results = {_fft_c2c(in[1], only, 0, true), _fft_c2c(in[0], IntArrayRef(), 0, true)};
                       // The library of the tests has no plan for 13 elements.
                       if (emulator::is_used()) results.push_back(_fft_c2c(in[0], last, 0, true));
                       return results;
                     });
}

TEST(CudaFft, KeepsTheOrderOfTheStream) {
  const Tensor a = on(kDevice, sample({6, 8}));
  const int64_t both[] = {0, 1};
  emulator::set_late_streams(true);
  {
    const cuda::StreamGuard guard(cuda::new_stream(0));
    const Tensor twice = add(a, a);
    const Tensor back = _fft_c2r(_fft_r2c(twice, both, 0, true), both, 2, 8);
    EXPECT_TRUE(allclose(on(kCPU, back), mul(sample({6, 8}), 2), 1e-4, 1e-4));
  }
  emulator::set_late_streams(false);
}

// A plan for each of more shapes than are kept, in late streams, and a graph that goes on using one of the first.
TEST(CudaFft, KeepsABoundedNumberOfPlans) {
  STRUCTURED_NEED_EMULATOR("it counts plans");
  const Tensor input = on(kDevice, sample({3, 2}, kComplexFloat));
  const int64_t last[] = {1};
  const Tensor result = _fft_c2c(input, last, 0, true);
  const Tensor expected = on(kCPU, result);
  cuda::Graph graph;
  graph.capture([&] { copy_into(result, _fft_c2c(input, last, 0, true)); });
  const int64_t before = emulator::statistics().plans;
  emulator::set_late_streams(true);
  for (int64_t batches = 4; batches < 1300; ++batches) {
    _fft_c2c(empty({batches, 2}, input.options()), last, 0, true);
    ASSERT_LE(emulator::statistics().plans, before + 1024);
  }
  EXPECT_GT(emulator::statistics().plans, before) << "the test cannot fail";
  emulator::set_late_streams(false);
  copy_into(result, full({3, 2}, 0));
  graph.launch();
  EXPECT_TRUE(equal(on(kCPU, result), expected));
  EXPECT_EQ(emulator::fault(), "");
}

}  // namespace
