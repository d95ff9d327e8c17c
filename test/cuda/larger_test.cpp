// Kernels with more than one block or step, and dtypes that the recorded calls do not have: results equal the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/cuda/device.h>
#include <structured/cuda/library.h>
#include <structured/operators.h>
#include <structured/structured.h>
#include <structured/tensor_operators.h>

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "compare_with_cpu.h"
#include "expect_error.h"

namespace {

using namespace structured;
using namespace structured::test;

TEST(CudaReductions, SplitLongRowsAndColumns) {
  for (const ScalarType dtype : {kFloat, kHalf, kLong, kComplexDouble}) {
    compare(
        {sample({3, 5000}, dtype), sample({70000}, dtype), sample({3000, 40}, dtype)},
        [](const Tensors& in) -> Tensors { return {sum(in[0], -1), sum(in[1]), sum(in[2], 0)}; }, tolerance_of(dtype));
  }
  compare({sample({40, 7, 300}), sample({9000})}, [](const Tensors& in) -> Tensors {
    const auto [greatest, index] = max(in[0], 2);
    return {greatest,
            index,
            argmin(in[1]),
            var(in[0], IntArrayRef{0, 2}, Scalar(1)),
            structured::std(in[1]),
            amax(in[0], 1),
            mean(in[0], IntArrayRef{0, 1})};
  });
}

TEST(CudaReductions, ReadAnyStrides) {
  compare({sample({6, 20, 30})}, [](const Tensors& in) -> Tensors {
    const Tensor moved = permute(in[0], IntArrayRef{2, 0, 1});
    return {sum(moved, 0), sum(moved, IntArrayRef{1, 2}), all(gt(moved, 0), 1), argmax(moved), prod(sign(moved), 2)};
  });
}

TEST(CudaScans, PassTotalsFromTileToTile) {
  compare({sample({20000}), sample({2, 9000}, kHalf), sample({300, 70}, kLong)}, [](const Tensors& in) -> Tensors {
    const auto [greatest, index] = cummax(in[1], 1);
    return {cumsum(in[0], 0), greatest, index, cumsum(in[2], 0), logcumsumexp(in[0], 0)};
  });
}

TEST(CudaSort, OrdersShortAndLongRows) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kByte, kChar, kShort, kInt, kLong, kBool}) {
    for (const int64_t length : {300, 513, 3000}) {
      compare({sample({3, length}, dtype)}, [](const Tensors& in) -> Tensors {
        const auto [ascending, from] = sort(in[0], std::optional<bool>(true), 1, false);
        const auto [descending, down] = sort(in[0], std::optional<bool>(true), 1, true);
        return {ascending, from, descending, down};
      });
    }
  }
  compare({sample({3, 700})}, [](const Tensors& in) -> Tensors {
    return {std::get<0>(topk(in[0], 9)), std::get<0>(kthvalue(in[0], 40)), std::get<0>(median(in[0], 1)),
            std::get<0>(mode(in[0]))};
  });
}

TEST(CudaSort, PutsNanLast) {
  Tensor numbers = sample({40});
  numbers.index({3}) = std::nan("");
  numbers.index({30}) = -0.0;
  compare({numbers}, [](const Tensors& in) -> Tensors {
    const auto [ascending, from] = sort(in[0], std::optional<bool>(true), 0, false);
    const auto [descending, down] = sort(in[0], std::optional<bool>(true), 0, true);
    return {ascending, from, descending, down, median(in[0]), nanmedian(in[0])};
  });
}

TEST(CudaMatmul, ComputesPartialTiles) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kInt, kComplexFloat, kComplexDouble}) {
    compare(
        {sample({70, 45}, dtype), sample({45, 40}, dtype, 2), sample({40}, dtype, 3)},
        [](const Tensors& in) -> Tensors {
          return {mm(in[0], in[1]), addmm(in[2], in[0], in[1], 2, 3), mv(t(in[1]), select(t(in[0]), 1, 5))};
        },
        tolerance_of(dtype));
  }
  compare({sample({3, 33, 17}), sample({3, 17, 5}, kFloat, 2)}, [](const Tensors& in) -> Tensors {
    return {bmm(in[0], in[1]), matmul(in[0], in[1]), linear(in[0], transpose(select(in[1], 0, 0), 0, 1))};
  });
}

// Powers of some elements overflow or vanish in the type in which they are summed. Logarithms of norms are compared,
// since compare() bounds absolute differences of numbers below 1.
TEST(CudaNorm, IsExactWherePowersLeaveTheRange) {
  const auto compare_norms = [](double scale, ScalarType dtype) {
    const Tensor nonzero = add(sample({5, 300}, kDouble), 0.125);
    compare(
        {_to_copy(mul(nonzero, scale), dtype)},
        [](const Tensors& in) -> Tensors {
          Tensors logarithms;
          for (const double order : {2.0, 3.0, -3.0, 0.5}) {
            logarithms.push_back(log(linalg_vector_norm(in[0], order, IntArrayRef{1})));
            logarithms.push_back(log(linalg_vector_norm(in[0], order)));
          }
          return logarithms;
        },
        tolerance_of(dtype));
  };
  for (const double scale : {3e25, 1.0, 3e-30}) compare_norms(scale, kFloat);
  for (const double scale : {3e25, 3e-30}) compare_norms(scale, kBFloat16);
  for (const double scale : {3e200, 3e-200}) compare_norms(scale, kDouble);
}

TEST(CudaNorm, OfNumbersOfEverySizeAndOfSpecialNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor several = _to_copy(tensor({1e38, 0.0, 1e15, 1e-25, 3.0}), kFloat);
  const Tensor special = _to_copy(tensor({{infinity, 1.0}, {1e30, nan}, {infinity, 0.0}, {0.0, 1e-30}}), kFloat);
  const Tensor half = _to_copy(tensor({3000.0, 4000.0}), kHalf);
  compare({several, special, half}, [](const Tensors& in) -> Tensors {
    return {linalg_vector_norm(in[0]), linalg_vector_norm(in[0], 3),
            reciprocal(linalg_vector_norm(in[1], 2, IntArrayRef{1})), linalg_vector_norm(in[1], -1, IntArrayRef{1}),
            linalg_vector_norm(in[2])};
  });
}

TEST(CudaNormalization, ComputesLongRows) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    compare(
        {sample({3, 2000}, dtype), sample({2000}, dtype, 2), sample({4, 6, 5, 5}, dtype, 3), sample({6}, dtype, 4)},
        [](const Tensors& in) -> Tensors {
          return {softmax(in[0], 1), log_softmax(in[0], 0), layer_norm(in[0], IntArrayRef{2000}, in[1], in[1]),
                  group_norm(in[2], 3, in[3], in[3]), logsumexp(in[0], IntArrayRef{1})};
        },
        2 * tolerance_of(dtype));
  }
}

TEST(CudaNormalization, ComputesGradients) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf}) {
    compare(
        {sample({3, 4, 30}, dtype), sample({30}, dtype, 2), sample({4}, dtype, 3), sample({3, 4, 30}, dtype, 4)},
        [](const Tensors& in) -> Tensors {
          const std::array<bool, 3> all = {true, true, true};
          const auto [a, mean, rstd] = native_layer_norm(in[0], IntArrayRef{30}, in[1], in[1], 1e-5);
          const auto [b, c, d] =
              native_layer_norm_backward(in[3], in[0], IntArrayRef{30}, mean, rstd, in[1], in[1], all);
          const auto [e, means, rstds] = native_group_norm(in[0], in[2], in[2], 3, 4, 30, 2, 1e-5);
          const auto [f, g, h] = native_group_norm_backward(in[3], in[0], means, rstds, in[2], 3, 4, 30, 2, all);
          const auto [i, saved, inverse] = native_batch_norm(in[0], in[2], in[2], {}, {}, true, 0.1, 1e-5);
          const auto [j, k, l] =
              native_batch_norm_backward(in[3], in[0], in[2], {}, {}, saved, inverse, true, 1e-5, all);
          return {a, b, c, d, e, f, g, h, i, j, k, l};
        },
        dtype == kHalf ? 3e-2 : 2e-4);
  }
}

TEST(CudaEmbedding, ComputesBagsAndGradients) {
  compare({sample({9, 5}), places({12}, 9), tensor<int64_t>({0, 3, 3, 8}), sample({12, 5}, kFloat, 2)},
          [](const Tensors& in) -> Tensors {
            const auto [mean, bags, sizes, unused] = _embedding_bag(in[0], in[1], in[2], false, 1);
            const auto [greatest, more, lengths, index] = _embedding_bag(in[0], in[1], in[2], false, 2);
            Tensor table = clone(in[0]);
            embedding_renorm_(table, in[1], 9, 2);
            return {mean,
                    bags,
                    sizes,
                    greatest,
                    index,
                    table,
                    embedding(in[0], in[1]),
                    embedding_dense_backward(in[3], in[1], 9, 4, true)};
          });
}

TEST(CudaIndexing, CombinesElementsOfOneEntry) {
  for (const ScalarType dtype : {kFloat, kDouble, kLong, kInt, kShort, kByte, kComplexDouble, kComplexFloat}) {
    compare({sample({7, 5}, dtype), places({300}, 7), sample({300, 5}, dtype, 2)}, [](const Tensors& in) -> Tensors {
      return {index_add(in[0], 0, in[1], in[2]), index_select(in[0], 0, in[1]),
              scatter_add(in[0], 0, expand(unsqueeze(in[1], 1), IntArrayRef{300, 5}), in[2])};
    });
  }
  for (const ScalarType dtype : {kHalf, kBFloat16, kChar, kFloat}) {
    compare({sample({7}, dtype), places({300}, 7), sample({300}, dtype, 2)}, [](const Tensors& in) -> Tensors {
      return {scatter_reduce(in[0], 0, in[1], in[2], "amax"), scatter_reduce(in[0], 0, in[1], in[2], "amin", false)};
    });
  }
  compare({sample({6, 7, 8}, kHalf), places({9}, 6), places({9}, 8, 2), gt(sample({6, 7, 8}), 1)},
          [](const Tensors& in) -> Tensors {
            return {in[0].index({in[1], Slice(), in[2]}), masked_select(in[0], in[3]), nonzero(in[3]),
                    gather(in[0], 2, expand(view(in[2], IntArrayRef{1, 1, 9}), IntArrayRef{6, 7, 9}))};
          });
}

TEST(CudaIndexing, ReportsAnIndexOutOfRangeLater) {
  const Tensor table = on(kDevice, sample({5, 3}));
  const Tensor index = on(kDevice, tensor<int64_t>({1, 7}));
  const Tensor result = index_select(table, 0, index);
  expect_error([] { cuda::synchronize(); },
               "index_select: expected indices from 0 to 4 for dimension 0 of size 5, got 7; a kernel on cuda:0 found");
  cuda::synchronize();  // once
  compare({sample({5, 3})}, [](const Tensors& in) -> Tensors { return {add(in[0], 1)}; });
}

TEST(CudaConvolution, ComputesGroupsStridesAndGradients) {
  const auto convolve = [](const Tensors& in, bool transposed) -> Tensors {
    const int64_t two[] = {2, 2}, one[] = {1, 1}, zero[] = {0, 0};
    const Tensor out = convolution(in[0], in[1], in[2], two, one, two, transposed, zero, 2);
    const auto [a, b, c] =
        convolution_backward(out, in[0], in[1], std::nullopt, two, one, two, transposed, zero, 2, {true, true, true});
    return {out, a, b, c};
  };
  for (const ScalarType dtype : {kFloat, kDouble, kHalf}) {
    const double tolerance = dtype == kHalf ? 2e-2 : 1e-5;
    const auto small = [&](const Tensor& tensor) { return div(tensor, 8); };
    compare(
        {small(sample({2, 4, 9, 8}, dtype)), small(sample({6, 2, 3, 2}, dtype, 2)), sample({6}, dtype, 3)},
        [&](const Tensors& in) { return convolve(in, false); }, tolerance);
    compare(
        {small(sample({2, 4, 5, 4}, dtype)), small(sample({4, 3, 3, 2}, dtype, 2)), sample({6}, dtype, 3)},
        [&](const Tensors& in) { return convolve(in, true); }, tolerance);
  }
}

TEST(CudaPooling, SumsGradientsOfOverlappingWindows) {
  compare({sample({2, 3, 9, 8})}, [](const Tensors& in) -> Tensors {
    const int64_t three[] = {3, 3}, two[] = {2, 2}, one[] = {1, 1};
    const auto [greatest, index] = max_pool2d_with_indices(in[0], three, two, one);
    const Tensor average = avg_pool2d(in[0], three, two, one);
    const Tensor adaptive = _adaptive_avg_pool2d(in[0], two);
    return {greatest,
            index,
            average,
            adaptive,
            max_pool2d_with_indices_backward(greatest, in[0], three, two, one, one, false, index),
            avg_pool2d_backward(average, in[0], three, two, one, false, true, std::nullopt),
            _adaptive_avg_pool2d_backward(adaptive, in[0])};
  });
}

TEST(CudaGridSampler, SamplesInEveryMode) {
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    for (const bool is_deep : {false, true}) {
      const DimVector image = is_deep ? DimVector{2, 3, 4, 5, 6} : DimVector{2, 3, 5, 6};
      const DimVector places = is_deep ? DimVector{2, 3, 2, 4, 3} : DimVector{2, 3, 4, 2};
      const Tensor grid = div(sample(places, dtype, 2), 6.1);  // from -1.3 to 1.3: some positions are outside
      Tensor first = select(grid, 1, 0);
      fill_(first, std::numeric_limits<double>::quiet_NaN());
      compare(
          {sample(image, dtype), grid},
          [is_deep](const Tensors& in) -> Tensors {
            Tensors results;
            for (const int64_t interpolation : {0, 1, 2}) {
              for (const int64_t padding : {0, 1, 2}) {
                for (const bool align_corners : {false, true}) {
                  const Tensor turned = transpose(contiguous(transpose(in[0], 1, 2)), 1, 2);
                  for (const Tensor& each : {in[0], turned}) {
                    results.push_back(is_deep ? grid_sampler_3d(each, in[1], interpolation, padding, align_corners)
                                              : grid_sampler_2d(each, in[1], interpolation, padding, align_corners));
                  }
                }
              }
            }
            return results;
          },
          4 * tolerance_of(dtype));
    }
  }
}

TEST(CudaFourier, TransformsSizesOfAllFactors) {
  for (const ScalarType dtype : {kComplexFloat, kComplexDouble}) {
    for (const int64_t size : {1, 2, 6, 7, 60, 128, 121, 194}) {
      compare(
          {sample({3, size, 2}, dtype), sample({2, size}, to_real(dtype))},
          [&](const Tensors& in) -> Tensors {
            return {_fft_c2c(in[0], IntArrayRef{1}, 1, true), _fft_c2c(in[0], IntArrayRef{0, 1}, 2, false),
                    _fft_r2c(in[1], IntArrayRef{1}, 0, true), _fft_r2c(in[1], IntArrayRef{0, 1}, 0, false),
                    _fft_c2r(_fft_r2c(in[1], IntArrayRef{1}, 0, true), IntArrayRef{1}, 2, size)};
          },
          dtype == kComplexFloat ? 2e-4 : 1e-9);
    }
  }
}

TEST(CudaSearch, FindsPositionsAndMembers) {
  for (const ScalarType dtype : {kFloat, kHalf, kLong, kByte}) {
    compare({std::get<0>(sort(sample({3, 70}, dtype))), sample({3, 40}, dtype, 2), sample({20}, dtype, 3)},
            [](const Tensors& in) -> Tensors {
              const Tensor row = select(in[0], 0, 0);
              return {searchsorted(in[0], in[1]), searchsorted(in[0], in[1], true, true), bucketize(in[1], row),
                      isin(in[1], in[2]), isin(in[1], in[2], false, true)};
            });
  }
}

TEST(CudaUnique, FindsRunsOfSortedElements) {
  for (const ScalarType dtype : {kFloat, kHalf, kLong, kBool}) {
    compare({sample({30, 20}, dtype)}, [](const Tensors& in) -> Tensors {
      const auto [values, inverse, counts] = _unique2(in[0], true, true, true);
      const auto [runs, places, lengths] = unique_consecutive(in[0], true, true);
      return {values, inverse, counts, runs, places, lengths};
    });
  }
  compare({places({500}, 13), sample({500})}, [](const Tensors& in) -> Tensors {
    return {bincount(in[0], std::nullopt, 20), bincount(in[0], in[1]), repeat_interleave(in[0])};
  });
}

TEST(CudaDistance, ComputesPairs) {
  for (const double p : {0.0, 1.0, 2.0, 3.0, static_cast<double>(INFINITY)}) {
    compare({sample({2, 9, 5}), sample({7, 5}, kFloat, 2)}, [&](const Tensors& in) -> Tensors {
      return {_cdist_forward(in[0], in[1], p, std::nullopt), _pdist_forward(in[1], p)};
    });
  }
}

TEST(CudaWindows, AreWrittenAndAdded) {
  compare({sample({2, 3, 9, 8})}, [](const Tensors& in) -> Tensors {
    const int64_t kernel[] = {3, 2}, dilation[] = {1, 2}, padding[] = {1, 1}, stride[] = {2, 1}, size[] = {9, 8};
    const Tensor columns = im2col(in[0], kernel, dilation, padding, stride);
    return {columns, col2im(columns, size, kernel, dilation, padding, stride)};
  });
}

}  // namespace
