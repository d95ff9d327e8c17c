// Elementwise losses on CPU, with optional mean or sum.
#pragma once

#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/iterator/config.h>
#include <structured/iterator/parallel.h>
#include <structured/iterator/pointwise.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace structured::kernels {

/// Sets the scalar tensor `out` to `sum`, divided by `count` if `reduction` is the mean.
void set_reduced_loss(const Tensor& out, double sum, int64_t count, int64_t reduction);

/// Returns the sum of a floating-point tensor, computed in double.
double total_of(const Tensor& tensor);

template <class C>
double sum_of_block(const C* values, int64_t size) {
  constexpr int64_t kLanes = 16;
  C lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[i + lane];
  }
  double sum = 0;
  for (; i < size; ++i) sum += static_cast<double>(values[i]);
  for (const C lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

/// Returns the sum of `function` over dense inputs. Intermediate results stay in the first-level cache; the order of
/// summation does not depend on the number of threads.
template <class C, class F>
double sum_dense(const F& function, const C* const (&in)[kMaxPointwiseInputs], int64_t size) {
  constexpr int64_t kBlock = 1024;
  constexpr int64_t kPiece = kGrainSize;
  const detail::DenseLoop loop = detail::PointwiseFunction<F>::loop.chosen();
  std::vector<double> sums(static_cast<size_t>((size + kPiece - 1) / kPiece), 0.0);
  const auto sum_pieces = [&](int64_t begin, int64_t end) {
    C block[kBlock];
    for (int64_t piece = begin; piece < end; ++piece) {
      double sum = 0;
      for (int64_t i = piece * kPiece; i < std::min(size, (piece + 1) * kPiece); i += kBlock) {
        const int64_t count = std::min(kBlock, size - i);
        const auto from = [&](int k) { return in[k] == nullptr ? nullptr : in[k] + i; };
        loop(&function, block, from(0), from(1), from(2), count);
        sum += sum_of_block(block, count);
      }
      sums[static_cast<size_t>(piece)] = sum;
    }
  };
  parallel_for(0, static_cast<int64_t>(sums.size()), 1, sum_pieces);
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

/// Computes a loss. `make.operator()<T>()` returns the elementwise function of the two or three `inputs` of dtype T.
/// `op` iterates over the inputs if there is no reduction.
template <class Make, class... Inputs>
void run_loss(const char* name, const TensorIteratorBase& op, int64_t reduction, const Tensor& out, const Make& make,
              const Inputs&... inputs) {
  if (reduction == Reduction::None) return pointwise_kernel<kAllFloatingTypes>(name, op, make);
  const Tensor* const all[] = {&inputs...};
  const Tensor& first = *all[0];
  const ScalarType dtype = out.scalar_type();
  const bool is_dense =
      ((inputs.is_contiguous() && inputs.scalar_type() == dtype && inputs.sizes() == first.sizes()) && ...);
  if (is_dense && kFloatingTypes.contains(dtype)) {
    visit<kFloatingTypes>(name, dtype, [&]<class T>() {
      const T* in[kMaxPointwiseInputs] = {};
      for (size_t i = 0; i < sizeof...(inputs); ++i) in[i] = static_cast<const T*>(all[i]->data());
      set_reduced_loss(out, sum_dense<T>(make.template operator()<T>(), in, first.numel()), first.numel(), reduction);
    });
    return;
  }
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
  config.add_output(Tensor());
  (config.add_input(inputs), ...);
  const TensorIterator iterator = config.build();
  pointwise_kernel<kAllFloatingTypes>(name, iterator, make);
  set_reduced_loss(out, total_of(iterator.output()), iterator.numel(), reduction);
}

}  // namespace structured::kernels
