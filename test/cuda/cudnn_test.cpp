// Convolutions by cuDNN. On the emulator, a library of the tests takes its place.
#include <gtest/gtest.h>
#include <structured/cuda/graph.h>
#include <structured/cuda/stream.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "compare_with_cpu.h"
#include "skip.h"

namespace {

using namespace structured;
using namespace structured::test;

// The library is looked for when the first convolution runs.
const bool kIsSet =
    !emulator::is_used() || setenv("STRUCTURED_CUDA_LIBRARIES", "/nowhere:" STRUCTURED_FAKE_LIBRARIES, 0) == 0;

// Compares convolutions. cuDNN computes `count` of them.
void compare_convolutions(const Tensors& inputs, uint64_t count,
                          const std::function<Tensors(const Tensors&)>& function) {
  ASSERT_TRUE(kIsSet);
  const uint64_t before = emulator::statistics().convolutions;
  compare(inputs, function, 4 * tolerance_of(inputs[0].scalar_type()));
  if (emulator::is_used()) {
    EXPECT_EQ(emulator::statistics().convolutions, before + count);
  }
}

/// Arguments of a convolution after its tensors, the same for each spatial dimension.
struct Arguments {
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  bool is_transposed = false;
  int64_t output_padding = 0;
};

Tensor convolve(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const Arguments& with) {
  const int64_t stride[] = {with.stride}, padding[] = {with.padding}, dilation[] = {with.dilation},
                output_padding[] = {with.output_padding};
  return convolution(input, weight, bias, stride, padding, dilation, with.is_transposed, output_padding, with.groups);
}
Tensors gradients(const Tensor& grad, const Tensor& input, const Tensor& weight, const Arguments& with) {
  const int64_t stride[] = {with.stride}, padding[] = {with.padding}, dilation[] = {with.dilation},
                output_padding[] = {with.output_padding}, biases[] = {grad.size(1)};
  const auto [input_grad, weight_grad, bias_grad] =
      convolution_backward(grad, input, weight, IntArrayRef(biases), stride, padding, dilation, with.is_transposed,
                           output_padding, with.groups, std::array<bool, 3>{true, true, true});
  return {input_grad, weight_grad, bias_grad};
}

// Sizes with the given first two and `rank` others.
DimVector sizes_of(int64_t first, int64_t second, std::size_t rank, int64_t others) {
  DimVector sizes(rank + 2, others);
  sizes[0] = first;
  sizes[1] = second;
  sizes.back() += 1;
  return sizes;
}
Tensor channels_last(const Tensor& tensor) {
  const Tensor result = empty(tensor.sizes(), tensor.options(),
                              tensor.dim() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast);
  copy_into(result, tensor);
  return result;
}

const Arguments kArguments[] = {{}, {2, 1, 1, 1}, {1, 2, 2, 2}, {3, 0, 1, 4}};

TEST(CudaConvolution, ComputesEveryDtypeAndRank) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    for (const std::size_t rank : {1u, 2u, 3u}) {
      for (const Arguments& with : kArguments) {
        compare_convolutions({sample(sizes_of(2, 8, rank, 6), dtype),
                              sample(sizes_of(4, 8 / with.groups, rank, 2), dtype, 2), sample({4}, dtype, 3)},
                             2, [&](const Tensors& in) -> Tensors {
                               return {convolve(in[0], in[1], in[2], with), convolve(in[0], in[1], {}, with)};
                             });
      }
    }
  }
}

TEST(CudaConvolution, ComputesGradients) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    for (const std::size_t rank : {1u, 2u, 3u}) {
      for (const Arguments& with : kArguments) {
        const Tensor input = sample(sizes_of(2, 8, rank, 6), dtype);
        const Tensor weight = sample(sizes_of(4, 8 / with.groups, rank, 2), dtype, 2);
        const Tensor grad = sample(convolve(input, weight, {}, with).sizes(), dtype, 3);
        compare_convolutions({input, weight, grad}, 2,
                             [&](const Tensors& in) { return gradients(in[2], in[0], in[1], with); });
      }
    }
  }
}

TEST(CudaConvolution, ComputesTransposedConvolutions) {
  for (const std::size_t rank : {1u, 2u, 3u}) {
    for (const Arguments& with : {Arguments{1, 0, 1, 1, true}, Arguments{2, 1, 1, 2, true, 1}}) {
      const Tensor input = sample(sizes_of(2, 4, rank, 4));
      const Tensor weight = sample(sizes_of(4, 6 / with.groups, rank, 2), kFloat, 2);
      const Tensor grad = sample(convolve(input, weight, {}, with).sizes(), kFloat, 3);
      compare_convolutions({input, weight, sample({6}, kFloat, 4), grad}, 3, [&](const Tensors& in) {
        Tensors results = gradients(in[3], in[0], in[1], with);
        results.push_back(convolve(in[0], in[1], in[2], with));
        return results;
      });
    }
  }
}

TEST(CudaConvolution, KeepsChannelsLast) {
  for (const std::size_t rank : {2u, 3u}) {
    const Arguments with{2, 1, 1, 2};
    const Tensor input = sample(sizes_of(2, 8, rank, 6)), weight = sample(sizes_of(4, 4, rank, 2), kFloat, 2);
    const Tensor grad = sample(convolve(input, weight, {}, with).sizes(), kFloat, 3);
    compare_convolutions({input, weight, grad, sample({4}, kFloat, 4)}, 6, [&](const Tensors& in) {
      const Tensor x = channels_last(in[0]);
      const Tensor result = convolve(x, in[1], in[3], with);
      EXPECT_EQ(result.strides(), channels_last(in[2]).strides());
      Tensors results = gradients(channels_last(in[2]), x, channels_last(in[1]), with);
      for (const Tensor& each : gradients(in[2], x, in[1], with)) results.push_back(each);
      results.push_back(result);
      results.push_back(convolve(in[0], channels_last(in[1]), {}, with));
      return results;
    });
  }
}

TEST(CudaConvolution, ReadsAndWritesEveryLayout) {
  compare_convolutions({sample({9, 7, 8, 3}), sample({3, 3, 5, 9}, kFloat, 2), sample({1001}, kFloat, 3)}, 4,
                       [](const Tensors& in) -> Tensors {
                         const Tensor input = permute(in[0], IntArrayRef{3, 0, 1, 2});
                         const Tensor weight = permute(in[1], IntArrayRef{2, 3, 0, 1});
                         const Tensor odd = as_strided(in[2], {2, 9, 7, 7}, {441, 49, 7, 1}, 1);  // misaligned
                         Tensor turned = permute(empty({6, 5, 5, 3}, in[0].options()), IntArrayRef{3, 2, 1, 0});
                         const int64_t one[] = {1}, none[] = {0};
                         convolution_out(turned, input, weight, std::nullopt, one, none, one, false, none, 1);
                         const Tensor repeated = expand(select(odd, 0, 1), IntArrayRef{4, 9, 7, 7});
                         return {turned, convolve(odd, weight, {}, {}), convolve(repeated, weight, {}, {}),
                                 convolve(slice(input, 3, 0, 8, 2), weight, {}, {2, 1})};
                       });
}

// The rest: other dtypes, depthwise convolutions, tensors without elements, and shapes without a plan.
TEST(CudaConvolution, LeavesTheRestToOurKernels) {
  compare_convolutions({sample({2, 6, 5, 5}, kComplexFloat), sample({4, 6, 3, 3}, kComplexFloat, 2)}, 0,
                       [](const Tensors& in) -> Tensors { return {convolve(in[0], in[1], {}, {1, 1})}; });
  compare_convolutions({sample({2, 6, 5, 16}), sample({6, 1, 3, 3}, kFloat, 2), sample({4, 6, 3, 13}, kFloat, 3)}, 0,
                       [](const Tensors& in) -> Tensors {
                         const Arguments depthwise{1, 1, 1, 6};
                         const Tensor result = convolve(in[0], in[1], {}, depthwise);
                         Tensors results = gradients(result, in[0], in[1], depthwise);
                         results.push_back(result);
                         results.push_back(convolve(narrow(in[0], 0, 0, 0), in[1], {}, depthwise));
                         // The library of the tests has no plan for a kernel of 13 columns.
                         if (emulator::is_used()) results.push_back(convolve(in[0], in[2], {}, {}));
                         return results;
                       });
}

TEST(CudaConvolution, ComputesFloatInFullPrecision) {
  const Tensor ones = full({1, 1, 4, 4}, 1.0), factors = full({1, 1, 3, 3}, 1 + 1.0 / 4096);  // TF32 has 10 bits
  compare_convolutions({ones, factors}, 1,
                       [](const Tensors& in) -> Tensors { return {convolve(in[0], in[1], {}, {})}; });
  EXPECT_GT(std::abs(9 * (1 + 1.0 / 4096) - 9), 4 * tolerance_of(kFloat) * 9) << "the test cannot fail";
}

TEST(CudaConvolution, GivesTheSameResultAgain) {
  const Tensor input = on(kDevice, sample({4, 16, 9, 9})), weight = on(kDevice, sample({8, 16, 3, 3}, kFloat, 2));
  const Tensors first = gradients(convolve(input, weight, {}, {}), input, weight, {});
  const Tensors again = gradients(convolve(input, weight, {}, {}), input, weight, {});
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(equal(on(kCPU, first[i]), on(kCPU, again[i])));
}

TEST(CudaConvolution, KeepsTheOrderOfTheStream) {
  emulator::set_late_streams(true);
  const Tensor input = on(kDevice, sample({1, 2, 6, 6})), weight = on(kDevice, sample({2, 2, 3, 3}, kFloat, 2));
  {
    const cuda::StreamGuard guard(cuda::new_stream(0));
    const Tensor twice = add(input, input);
    const Tensor result = convolve(permute(twice, IntArrayRef{0, 1, 3, 2}), weight, {}, {});
    const Tensor turned = permute(add(sample({1, 2, 6, 6}), sample({1, 2, 6, 6})), IntArrayRef{0, 1, 3, 2});
    EXPECT_TRUE(allclose(on(kCPU, result), convolve(turned, sample({2, 2, 3, 3}, kFloat, 2), {}, {})));
  }
  emulator::set_late_streams(false);
}

// A plan for each of more shapes than are kept, in late streams, and a graph that goes on using one of the first.
TEST(CudaConvolution, KeepsABoundedNumberOfPlans) {
  STRUCTURED_NEED_EMULATOR("it counts plans");
  const Tensor input = on(kDevice, sample({1, 1, 2, 3})), weight = on(kDevice, sample({1, 1, 1, 1}, kFloat, 2));
  const Tensor result = convolve(input, weight, {}, {});
  const Tensor expected = on(kCPU, result);
  cuda::Graph graph;
  graph.capture([&] { copy_into(result, convolve(input, weight, {}, {})); });
  emulator::set_late_streams(true);
  const int64_t before = emulator::statistics().plans;
  for (int64_t width = 4; width < 1300; ++width) {
    convolve(empty({1, 1, 1, width}, kDevice), weight, {}, {});
    ASSERT_LE(emulator::statistics().plans, before + 1024);
  }
  EXPECT_GT(emulator::statistics().plans, before) << "the test cannot fail";
  emulator::set_late_streams(false);
  EXPECT_EQ(emulator::fault(), "");
  copy_into(result, full({1, 1, 2, 3}, 0));
  graph.launch();
  EXPECT_TRUE(equal(on(kCPU, result), expected));
  EXPECT_EQ(emulator::fault(), "");
}

}  // namespace
