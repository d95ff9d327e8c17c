// Softmax, log_softmax and logsumexp on CUDA.
//
// A row is computed by one thread if it is short or its elements are not adjacent, so that adjacent threads have
// adjacent rows, and otherwise by a block. The maximum and the sum of exponentials are found in one pass; a second one
// writes.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/number/visit.h>
#include <structured/ops/add.h>
#include <structured/ops/amax.h>
#include <structured/ops/exp.h>
#include <structured/ops/isinf.h>
#include <structured/ops/log.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/select.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/view_as_real.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>

#include "math/accumulate_type.h"
#include "shared/dense.h"
#include "shared/dim_extents.h"

namespace structured::kernels {
namespace {

constexpr unsigned kSoftmaxThreads = 256;

/// Maximum, and the sum of exponentials of differences to it.
template <class C>
struct SoftmaxSum {
  C greatest;
  C sum;

  __device__ void add(C value) {
    if (value > greatest || value != value) {
      sum = (sum == 0 ? C(0) : sum * ::exp(greatest - value)) + C(1);
      greatest = value;
    } else if (greatest == greatest) {
      sum += value == greatest ? C(1) : ::exp(value - greatest);
    }
  }
  __device__ void add(const SoftmaxSum& other) {
    if (other.sum == 0) return;
    if (sum == 0) {
      *this = other;
      return;
    }
    const bool is_other = other.greatest > greatest || other.greatest != other.greatest;
    const C top = is_other ? other.greatest : greatest;
    sum = (greatest == top ? sum : sum * ::exp(greatest - top)) +
          (other.greatest == top ? other.sum : other.sum * ::exp(other.greatest - top));
    greatest = top;
  }
};

template <class Out, bool kIsLog, class C>
__device__ __forceinline__ Out softmax_of(C value, const SoftmaxSum<C>& total, C log_of_sum) {
  if constexpr (kIsLog) {
    return cuda::detail::converted<Out>(value - total.greatest - log_of_sum);
  } else {
    return cuda::detail::converted<Out>(::exp(value - total.greatest) / total.sum);
  }
}

template <class T, class Out, bool kIsLog>
__global__ __launch_bounds__(kSoftmaxThreads) void softmax_columns_kernel(const T* const in, Out* const out,
                                                                          const DimExtents shape) {
  using C = AccumulateType<T>;
  const int64_t row = static_cast<int64_t>(blockIdx.x) * kSoftmaxThreads + threadIdx.x;
  if (row >= shape.outer * shape.inner) return;
  const int64_t start = row / shape.inner * shape.size * shape.inner + row % shape.inner;
  SoftmaxSum<C> total{-static_cast<C>(INFINITY), C(0)};
#pragma unroll 1
  for (int64_t i = 0; i < shape.size; ++i) total.add(cuda::detail::converted<C>(in[start + i * shape.inner]));
  const C log_of_sum = kIsLog ? ::log(total.sum) : C(0);
#pragma unroll 1
  for (int64_t i = 0; i < shape.size; ++i) {
    const C value = cuda::detail::converted<C>(in[start + i * shape.inner]);
    out[start + i * shape.inner] = softmax_of<Out, kIsLog>(value, total, log_of_sum);
  }
}

template <class T, class Out, bool kIsLog>
__global__ __launch_bounds__(kSoftmaxThreads) void softmax_rows_kernel(const T* const in, Out* const out,
                                                                       const DimExtents shape) {
  using C = AccumulateType<T>;
  __shared__ SoftmaxSum<C> shared[kSoftmaxThreads];
  const int64_t start = static_cast<int64_t>(blockIdx.x) * shape.size;
  SoftmaxSum<C> total{-static_cast<C>(INFINITY), C(0)};
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < shape.size; i += kSoftmaxThreads) {
    total.add(cuda::detail::converted<C>(in[start + i]));
  }
  shared[threadIdx.x] = total;
#pragma unroll 1
  for (unsigned step = kSoftmaxThreads / 2; step != 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) shared[threadIdx.x].add(shared[threadIdx.x + step]);
  }
  __syncthreads();
  total = shared[0];
  const C log_of_sum = kIsLog ? ::log(total.sum) : C(0);
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < shape.size; i += kSoftmaxThreads) {
    out[start + i] = softmax_of<Out, kIsLog>(cuda::detail::converted<C>(in[start + i]), total, log_of_sum);
  }
}

template <bool kIsLog, class T, class Out>
void softmax_dense(const Tensor& self, const DimExtents& shape, const Tensor& out) {
  constexpr int64_t kShort = 64;
  const T* const from = self.data_ptr<T>();
  Out* const to = out.data_ptr<Out>();
  cudaStream_t const stream = cuda::current_handle(out.device().index());
  const int64_t rows = shape.outer * shape.inner;
  if (shape.inner != 1 || shape.size <= kShort) {
    const auto blocks = static_cast<unsigned>((rows + kSoftmaxThreads - 1) / kSoftmaxThreads);
    softmax_columns_kernel<T, Out, kIsLog><<<blocks, kSoftmaxThreads, 0, stream>>>(from, to, shape);
  } else {
    softmax_rows_kernel<T, Out, kIsLog><<<static_cast<unsigned>(rows), kSoftmaxThreads, 0, stream>>>(from, to, shape);
  }
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
}

template <bool kIsLog>
void softmax(const char* name, const Tensor& self, int64_t dim, const Tensor& out) {
  if (self.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  const DimExtents shape = dim_extents(self, dim);
  const Tensor in = dense(self, self.scalar_type());
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    if (out.scalar_type() == self.scalar_type()) {
      const Tensor result = writable(out, out.scalar_type());
      softmax_dense<kIsLog, T, T>(in, shape, result);
      return store(out, result);
    }
    const Tensor result = writable(out, kFloat);  // half_to_float
    if constexpr (std::is_same_v<T, Half>) softmax_dense<kIsLog, T, float>(in, shape, result);
    store(out, result);
  });
}

}  // namespace

[[structured::impl("_softmax.out", "CUDA")]]
void softmax_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool half_to_float, const Tensor& out) {
  softmax<false>("_softmax", self, dim, out);
}

[[structured::impl("_log_softmax.out", "CUDA")]]
void log_softmax_cuda(const Tensor& self, int64_t dim, [[maybe_unused]] bool half_to_float, const Tensor& out) {
  softmax<true>("_log_softmax", self, dim, out);
}

[[structured::impl("logsumexp.out", "CUDA")]]
void logsumexp_cuda(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& out) {
  const bool is_whole = is_integral(self.scalar_type(), true);
  const Tensor numbers = is_whole ? dense(self, kFloat) : self;
  Tensor result = out;
  if (self.numel() == 0) {
    structured::sum_out(result, numbers, dim, keepdim);
    structured::log_(result);
    return;
  }
  const Tensor real = self.is_complex() ? structured::select(structured::view_as_real(self), -1, 0) : numbers;
  Tensor largest = structured::amax(real, dim, true);
  structured::masked_fill_(largest, structured::isinf(largest), 0);
  Tensor powers = structured::sub(numbers, largest);
  structured::exp_(powers);
  structured::sum_out(result, powers, dim, keepdim);
  structured::log_(result);
  structured::add_(result, as_strided(largest, out.sizes(), contiguous_strides(out.sizes()), 0));
}

}  // namespace structured::kernels
