// Layer, group and batch normalization on CUDA.
//
// Layer and group normalization: a block computes the moments of a row of adjacent elements, in one pass with Welford's
// updates, and normalizes it. Batch normalization: moments by reductions, then one elementwise step.
#include <structured/core/factory.h>
#include <structured/core/memory_format.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/add.h>
#include <structured/ops/full.h>
#include <structured/ops/gt.h>
#include <structured/ops/lerp.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/mean.h>
#include <structured/ops/mul.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/var.h>
#include <structured/ops/where.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cuda/element_loop.cuh"
#include "cuda/walk.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

constexpr unsigned kNormThreads = 256;

/// Number, mean and sum of squared deviations.
template <class C>
struct Moments {
  C count;
  C mean;
  C squares;
  __device__ void add(C value) {
    count += C(1);
    const C distance = value - mean;
    mean += distance / count;
    squares += distance * (value - mean);
  }
  __device__ void add(const Moments& other) {
    if (other.count == C(0)) return;
    const C total = count + other.count;
    const C distance = other.mean - mean;
    const C share = other.count / total;
    mean += distance * share;
    squares += other.squares + distance * distance * (count * share);
    count = total;
  }
};

/// Rows of `size` elements. Element i of row r has the parameters number (r % groups) * members + i / inner.
template <class T, class C>
struct RowNorm {
  const T* in;
  T* out;
  const C* weight;  ///< may be null, as `bias`
  const C* bias;
  C* means;
  C* deviations;
  int64_t size;
  int64_t groups;
  int64_t members;
  int64_t inner;
  C eps;
};

template <class T, class C>
__global__ __launch_bounds__(kNormThreads) void row_norm_kernel(const __grid_constant__ RowNorm<T, C> norm) {
  __shared__ Moments<C> shared[kNormThreads];
  const int64_t row = blockIdx.x;
  const T* const from = norm.in + row * norm.size;
  Moments<C> moments{C(0), C(0), C(0)};
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < norm.size; i += blockDim.x) {
    moments.add(cuda::detail::converted<C>(from[i]));
  }
  shared[threadIdx.x] = moments;
#pragma unroll 1
  for (unsigned step = blockDim.x / 2; step != 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) shared[threadIdx.x].add(shared[threadIdx.x + step]);
  }
  __syncthreads();
  const C mean = shared[0].mean;
  const C deviation = C(1) / ::sqrt(shared[0].squares / shared[0].count + norm.eps);
  if (threadIdx.x == 0) {
    norm.means[row] = mean;
    norm.deviations[row] = deviation;
  }
  T* const to = norm.out + row * norm.size;
  const int64_t first = row % norm.groups * norm.members;
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < norm.size; i += blockDim.x) {
    const int64_t parameter = first + i / norm.inner;
    C value = (cuda::detail::converted<C>(from[i]) - mean) * deviation;
    if (norm.weight != nullptr) value *= norm.weight[parameter];
    if (norm.bias != nullptr) value += norm.bias[parameter];
    to[i] = cuda::detail::converted<T>(value);
  }
}

bool is_given(const std::optional<Tensor>& tensor) { return tensor && tensor->defined(); }

Tensor parameter(const std::optional<Tensor>& tensor, ScalarType dtype) {
  return is_given(tensor) ? dense(*tensor, dtype) : Tensor();
}

struct Rows {
  int64_t count;
  int64_t size;
  int64_t groups;
  int64_t members;
  int64_t inner;
};

void normalize_rows(const char* name, const Tensor& input, const std::optional<Tensor>& weight,
                    const std::optional<Tensor>& bias, const Rows& rows, double eps, const Tensor& out,
                    const Tensor& mean, const Tensor& rstd) {
  visit<kAllFloatingTypes>(name, input.scalar_type(), [&]<class T>() {
    using C = typename cuda::detail::ComputedType<T, true>::Type;
    constexpr ScalarType computed = scalar_type_of<C>;
    const Tensor in = dense(input, input.scalar_type());
    const Tensor result = writable(out, out.scalar_type());
    const Tensor means = writable(mean, computed);
    const Tensor deviations = writable(rstd, computed);
    const Tensor factors = parameter(weight, computed);
    const Tensor summands = parameter(bias, computed);
    const RowNorm<T, C> norm{in.data_ptr<T>(),
                             result.data_ptr<T>(),
                             factors.defined() ? factors.data_ptr<C>() : nullptr,
                             summands.defined() ? summands.data_ptr<C>() : nullptr,
                             means.data_ptr<C>(),
                             deviations.data_ptr<C>(),
                             rows.size,
                             rows.groups,
                             rows.members,
                             rows.inner,
                             static_cast<C>(eps)};
    unsigned threads = 32;
    while (threads < kNormThreads && threads < rows.size) threads *= 2;
    row_norm_kernel<T, C>
        <<<static_cast<unsigned>(rows.count), threads, 0, cuda::current_handle(out.device().index())>>>(norm);
    STRUCTURED_CUDA_CHECK(cudaGetLastError());
    store(out, result);
    store(mean, means);
    store(rstd, deviations);
  });
}

/// Scales and shifts the elements of channels.
template <class T, class C>
struct ScaleChannels {
  cuda::StridedWalk<2> walk;
  const T* in;
  T* out;
  const C* scale;
  const C* shift;
  int64_t channels;
  int64_t inner;
  __device__ void operator()(int64_t i) const {
    int64_t offsets[2] = {};
    walk.add_offsets(static_cast<uint32_t>(i), offsets);
    const int64_t channel = i / inner % channels;
    const C value =
        cuda::detail::converted<C>(*reinterpret_cast<const T*>(reinterpret_cast<const char*>(in) + offsets[1]));
    *reinterpret_cast<T*>(reinterpret_cast<char*>(out) + offsets[0]) =
        cuda::detail::converted<T>(value * scale[channel] + shift[channel]);
  }
};

Tensor channel_values(const std::optional<Tensor>& tensor, int64_t channels, double otherwise, TensorOptions options) {
  if (!is_given(tensor)) return structured::full({channels}, otherwise, options);
  return dense(*tensor, options.dtype());
}

// Moves a running statistic towards the batch's by the share `momentum`.
void move_towards(const std::optional<Tensor>& running, const Tensor& batch, double momentum) {
  if (!is_given(running)) return;
  Tensor values = *running;
  copy_into(values, structured::lerp(dense(values, batch.scalar_type()), batch, momentum));
  values.bump_version();
}

}  // namespace

[[structured::impl("native_layer_norm.out", "CUDA")]]
void native_layer_norm_cuda(const Tensor& input, IntArrayRef normalized_shape, const std::optional<Tensor>& weight,
                            const std::optional<Tensor>& bias, double eps, const Tensor& out0, const Tensor& out1,
                            const Tensor& out2) {
  if (out1.numel() == 0) return;
  int64_t size = 1;
  for (const int64_t extent : normalized_shape) size *= extent;
  normalize_rows("native_layer_norm", input, weight, bias, {out1.numel(), size, 1, 0, 1}, eps, out0, out1, out2);
}

[[structured::impl("native_group_norm.out", "CUDA")]]
void native_group_norm_cuda(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                            int64_t N, int64_t C, int64_t HxW, int64_t group, double eps, const Tensor& out0,
                            const Tensor& out1, const Tensor& out2) {
  if (input.numel() == 0) return;
  const int64_t members = C / group;
  normalize_rows("native_group_norm", input, weight, bias, {N * group, members * HxW, group, members, HxW}, eps, out0,
                 out1, out2);
}

[[structured::impl("native_batch_norm.out", "CUDA")]]
void native_batch_norm_cuda(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                            const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                            bool training, double momentum, double eps, const Tensor& out, const Tensor& save_mean,
                            const Tensor& save_invstd) {
  const ScalarType computed = input.scalar_type() == kDouble ? kDouble : kFloat;
  const TensorOptions options = input.options().dtype(computed);
  const int64_t channels = input.size(1);
  Tensor means;
  Tensor variances;
  if (training) {
    DimVector dims(1, 0);
    for (int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
    const Tensor wide = input.scalar_type() == computed ? input : dense(input, computed);
    means = structured::mean(wide, dims);
    variances = structured::var(wide, dims, Scalar(0));
    if (input.numel() != 0) {
      const double count = static_cast<double>(input.numel()) / static_cast<double>(channels);
      move_towards(running_mean, means, momentum);
      move_towards(running_var, structured::mul(variances, Scalar(count / (count - 1))), momentum);
    }
  } else {
    means = dense(*running_mean, computed);
    variances = dense(*running_var, computed);
  }
  const Tensor factors = structured::rsqrt(structured::add(variances, Scalar(eps)));
  if (training) {
    copy_into(save_mean, means);
    copy_into(save_invstd, factors);
  }
  if (input.numel() == 0) return;
  const Tensor scale = structured::mul(channel_values(weight, channels, 1, options), factors);
  const Tensor shift = structured::add(channel_values(bias, channels, 0, options), structured::mul(means, scale), -1);
  int64_t inner = 1;
  for (int64_t d = 2; d < input.dim(); ++d) inner *= input.size(d);
  visit<kAllFloatingTypes>("native_batch_norm", input.scalar_type(), [&]<class T>() {
    using C = typename cuda::detail::ComputedType<T, true>::Type;
    for_each_element(input.numel(), ScaleChannels<T, C>{walk_over(out, input), input.data_ptr<T>(), out.data_ptr<T>(),
                                                        scale.data_ptr<C>(), shift.data_ptr<C>(), channels, inner});
  });
}

[[structured::impl("renorm.out", "CUDA")]]
void renorm_cuda(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  DimVector others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != wrap_dim(dim, self.dim())) others.push_back(d);
  }
  const ScalarType dtype = item_size(self.scalar_type()) == 2 ? kFloat : self.scalar_type();
  const Tensor norms = structured::linalg_vector_norm(self, p, others, true, dtype);
  // min(1, maxnorm / (norm + 1e-7)) where the norm is too large
  const Tensor shrunk = structured::mul(structured::reciprocal(structured::add(norms, Scalar(1e-7))), maxnorm);
  const Tensor one = structured::full({}, 1, norms.options());
  const Tensor factors = structured::where(structured::gt(norms, maxnorm), shrunk, one);
  Tensor result = out;
  structured::mul_out(result, self, factors);
}

}  // namespace structured::kernels
