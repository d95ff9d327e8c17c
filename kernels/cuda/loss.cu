// Elementwise losses on CUDA, with optional mean or sum.
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/cuda/fault.h>
#include <structured/cuda/pointwise.h>
#include <structured/iterator/config.h>
#include <structured/iterator/copy.h>
#include <structured/ops/mean.h>
#include <structured/ops/mul.h>
#include <structured/ops/sum.h>
#include <structured/cuda/loops.cuh>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

template <class T>
struct SquaredError {
  __device__ T operator()(T x, T y) const { return (x - y) * (x - y); }
};
template <class T>
struct SmoothL1 {
  T beta;
  __device__ T operator()(T x, T y) const {
    const T d = ::fabs(x - y);
    return d < beta ? T(0.5) * d * d / beta : d - T(0.5) * beta;
  }
};
template <class T>
struct Huber {
  T delta;
  __device__ T operator()(T x, T y) const {
    const T d = ::fabs(x - y);
    return d <= delta ? T(0.5) * d * d : delta * (d - T(0.5) * delta);
  }
};

/// log(1 + exp(-|x|)), which is log(1 + exp(x)) - max(x, 0).
template <class T>
__device__ T log1p_exp(T x) {
  return ::log1p(::exp(-::fabs(x)));
}

template <class T>
struct SoftMargin {
  __device__ T operator()(T x, T y) const {
    const T z = -x * y;
    return (z > T(0) ? z : z < T(0) ? T(0) : z) + log1p_exp(z);
  }
};

template <class T>
__device__ T cross_entropy(T x, T target, const cuda::FaultReporter& reporter, const char* text) {
  if (!(x >= T(0) && x <= T(1))) reporter.report(text);
  const T log_of_other = ::log1p(-x);
  const T log_of_it = ::log(x);
  return (target - T(1)) * (log_of_other > T(-100) ? log_of_other : T(-100)) -
         target * (log_of_it > T(-100) ? log_of_it : T(-100));
}
template <class T>
struct CrossEntropy {
  cuda::FaultReporter reporter;
  const char* text;
  __device__ T operator()(T x, T y) const { return cross_entropy(x, y, reporter, text); }
};
template <class T>
struct WeightedCrossEntropy {
  cuda::FaultReporter reporter;
  const char* text;
  __device__ T operator()(T x, T y, T w) const { return cross_entropy(x, y, reporter, text) * w; }
};

// (1 - y) x + log(1 + exp(-x)), where `pos_weight` multiplies the part that belongs to y.
template <class T>
__device__ T negative_log(T x) {
  return (x < T(0) ? -x : T(0)) + log1p_exp(x);
}
template <class T>
struct LogitEntropy {
  __device__ T operator()(T x, T y) const { return (T(1) - y) * x + negative_log(x); }
};
template <class T>
struct WeightedLogitEntropy {
  __device__ T operator()(T x, T y, T w) const { return ((T(1) - y) * x + negative_log(x)) * w; }
};
template <class T>
struct PositiveLogitEntropy {
  __device__ T operator()(T x, T y, T p) const { return (T(1) - y) * x + ((p - T(1)) * y + T(1)) * negative_log(x); }
};

constexpr ScalarTypeSet kTypes = kAllFloatingTypes;
const cuda::PointwiseTable squared_error_table = cuda::pointwise_table<kTypes, true, SquaredError>();
const cuda::PointwiseTable smooth_l1_table = cuda::pointwise_table<kTypes, true, SmoothL1>();
const cuda::PointwiseTable huber_table = cuda::pointwise_table<kTypes, true, Huber>();
const cuda::PointwiseTable soft_margin_table = cuda::pointwise_table<kTypes, true, SoftMargin>();
const cuda::PointwiseTable cross_entropy_table = cuda::pointwise_table<kTypes, true, CrossEntropy>();
const cuda::PointwiseTable weighted_cross_entropy_table = cuda::pointwise_table<kTypes, true, WeightedCrossEntropy>();
const cuda::PointwiseTable logit_table = cuda::pointwise_table<kTypes, true, LogitEntropy>();
const cuda::PointwiseTable weighted_logit_table = cuda::pointwise_table<kTypes, true, WeightedLogitEntropy>();
const cuda::PointwiseTable positive_logit_table = cuda::pointwise_table<kTypes, true, PositiveLogitEntropy>();

void reduce_losses(const Tensor& losses, int64_t reduction, const Tensor& out) {
  Tensor result = out;
  const std::optional<ScalarType> dtype = out.scalar_type();
  if (reduction == Reduction::Mean) {
    structured::mean_out(result, losses, OptionalIntArrayRef(), false, dtype);
  } else {
    structured::sum_out(result, losses, dtype);
  }
}

// Computes a loss. `op` iterates over the inputs if there is no reduction.
template <class Make, class... Inputs>
void run_loss(const char* name, const TensorIteratorBase& op, int64_t reduction, const Tensor& out,
              const cuda::PointwiseTable& table, const Make& make, const Inputs&... inputs) {
  if (reduction == Reduction::None) return cuda::pointwise_kernel<kTypes>(name, op, table, make);
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
  config.add_output(Tensor());
  (config.add_input(inputs), ...);
  const TensorIterator iterator = config.build();
  cuda::pointwise_kernel<kTypes>(name, iterator, table, make);
  reduce_losses(iterator.output(), reduction, out);
}

bool is_given(const std::optional<Tensor>& tensor) { return tensor && tensor->defined(); }

}  // namespace

[[structured::impl("mse_loss.out", "CUDA")]]
void mse_loss_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction,
                   const Tensor& out) {
  run_loss(
      "mse_loss", op, reduction, out, squared_error_table, [&]<class T>() { return SquaredError<T>(); }, self, target);
}

[[structured::impl("smooth_l1_loss.out", "CUDA")]]
void smooth_l1_loss_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction,
                         double beta, const Tensor& out) {
  run_loss(
      "smooth_l1_loss", op, reduction, out, smooth_l1_table,
      [beta]<class T>() { return SmoothL1<T>{static_cast<T>(beta)}; }, self, target);
}

[[structured::impl("huber_loss.out", "CUDA")]]
void huber_loss_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction, double delta,
                     const Tensor& out) {
  run_loss(
      "huber_loss", op, reduction, out, huber_table, [delta]<class T>() { return Huber<T>{static_cast<T>(delta)}; },
      self, target);
}

[[structured::impl("soft_margin_loss.out", "CUDA")]]
void soft_margin_loss_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction,
                           const Tensor& out) {
  run_loss(
      "soft_margin_loss", op, reduction, out, soft_margin_table, [&]<class T>() { return SoftMargin<T>(); }, self,
      target);
}

[[structured::impl("binary_cross_entropy.out", "CUDA")]]
void binary_cross_entropy_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                               const std::optional<Tensor>& weight, int64_t reduction, const Tensor& out) {
  [[maybe_unused]] static constexpr char kText[] = "expected all elements of `self` to be from 0 to 1";
  constexpr const char* name = "binary_cross_entropy";
  const cuda::FaultReporter reporter = cuda::fault_reporter(name);
  if (is_given(weight)) {
    const auto make = [&]<class T>() { return WeightedCrossEntropy<T>{reporter, kText}; };
    return run_loss(name, op, reduction, out, weighted_cross_entropy_table, make, self, target, *weight);
  }
  const auto make = [&]<class T>() { return CrossEntropy<T>{reporter, kText}; };
  run_loss(name, op, reduction, out, cross_entropy_table, make, self, target);
}

[[structured::impl("binary_cross_entropy_with_logits.out", "CUDA")]]
void binary_cross_entropy_with_logits_cuda(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                                           const std::optional<Tensor>& weight, const std::optional<Tensor>& pos_weight,
                                           int64_t reduction, const Tensor& out) {
  constexpr const char* name = "binary_cross_entropy_with_logits";
  const auto plain = [&]<class T>() { return LogitEntropy<T>(); };
  const auto weighted = [&]<class T>() { return WeightedLogitEntropy<T>(); };
  const auto positive = [&]<class T>() { return PositiveLogitEntropy<T>(); };
  if (!is_given(pos_weight)) {
    if (!is_given(weight)) return run_loss(name, op, reduction, out, logit_table, plain, self, target);
    return run_loss(name, op, reduction, out, weighted_logit_table, weighted, self, target, *weight);
  }
  if (!is_given(weight)) {
    return run_loss(name, op, reduction, out, positive_logit_table, positive, self, target, *pos_weight);
  }
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
  config.add_output(Tensor()).add_input(self).add_input(target).add_input(*pos_weight);
  const TensorIterator iterator = config.build();
  cuda::pointwise_kernel<kTypes>(name, iterator, positive_logit_table, positive);
  Tensor result = out;
  if (reduction == Reduction::None) {
    structured::mul_out(result, iterator.output(), *weight);
  } else {
    reduce_losses(structured::mul(iterator.output(), *weight), reduction, out);
  }
}

}  // namespace structured::kernels
