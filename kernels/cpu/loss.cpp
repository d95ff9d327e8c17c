#include "cpu/loss.h"

#include <structured/base/error.h>
#include <structured/iterator/copy.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>
#include <structured/ops/mul.h>
#include <structured/ops/sum.h>

#include <cmath>
#include <optional>

#include "math/exponential.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {

void set_reduced_loss(const Tensor& out, double sum, int64_t count, int64_t reduction) {
  const double result = reduction == Reduction::Mean ? sum / static_cast<double>(count) : sum;
  visit<kAllFloatingTypes>("loss", out.scalar_type(), [&]<class T>() { *out.data_ptr<T>() = convert<T>(result); });
}

double total_of(const Tensor& tensor) {
  const ScalarType dtype = tensor.scalar_type() == kDouble ? kDouble : kFloat;
  return structured::sum(tensor, dtype).item<double>();
}

namespace {

// log(1 + y) for -1 < y <= 1, corrected for the rounding of 1 + y by the derivative of the logarithm.
template <class T>
STRUCTURED_ALWAYS_INLINE T log1p(T y) {
  const T u = T(1) + y;
  return math::log(u) + (y - (u - T(1))) / u;
}

// log(1 + exp(-|x|)), which is log(1 + exp(x)) - max(x, 0).
template <class T>
STRUCTURED_ALWAYS_INLINE T log1p_exp(T x) {
  return log1p(math::exp(-std::fabs(x)));
}

// Throws Error unless all elements are in [0, 1].
void check_probabilities(const Tensor& self) {
  Tensor dense = self;
  if (!self.is_contiguous()) {
    dense = empty(self.sizes(), self.options());
    copy_into(dense, self);
  }
  visit<kAllFloatingTypes>("binary_cross_entropy", self.scalar_type(), [&]<class T>() {
    using C = typename structured::detail::Computed<T>::Type;
    const T* const elements = static_cast<const T*>(dense.data());
    const auto check = [elements](int64_t begin, int64_t end) {
      bool is_outside = false;
      for (int64_t i = begin; i < end; ++i) {
        const C x = static_cast<C>(elements[i]);
        is_outside |= !(x >= C(0) && x <= C(1));
      }
      STRUCTURED_CHECK(!is_outside, "binary_cross_entropy: expected all elements of `self` to be from 0 to 1");
    };
    parallel_for(0, dense.numel(), kGrainSize, check);
  });
}

template <class T>
STRUCTURED_ALWAYS_INLINE T cross_entropy(T x, T target) {
  const T log_of_other = log1p(-x);  // NaN if x is 1, which the comparison below replaces by -100
  const T log_of_it = math::log(x);
  return (target - T(1)) * (log_of_other > T(-100) ? log_of_other : T(-100)) -
         target * (log_of_it > T(-100) ? log_of_it : T(-100));
}

bool is_given(const std::optional<Tensor>& tensor) { return tensor && tensor->defined(); }

}  // namespace

[[structured::impl("mse_loss.out", "CPU")]]
void mse_loss_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction,
                  const Tensor& out) {
  run_loss(
      "mse_loss", op, reduction, out, []<class T>() { return [](T x, T y) -> T { return (x - y) * (x - y); }; }, self,
      target);
}

[[structured::impl("smooth_l1_loss.out", "CPU")]]
void smooth_l1_loss_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction,
                        double beta, const Tensor& out) {
  const auto make = [beta]<class T>() {
    return [beta = static_cast<T>(beta)](T x, T y) -> T {
      const T d = std::fabs(x - y);
      return d < beta ? T(0.5) * d * d / beta : d - T(0.5) * beta;
    };
  };
  run_loss("smooth_l1_loss", op, reduction, out, make, self, target);
}

[[structured::impl("huber_loss.out", "CPU")]]
void huber_loss_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction, double delta,
                    const Tensor& out) {
  const auto make = [delta]<class T>() {
    return [delta = static_cast<T>(delta)](T x, T y) -> T {
      const T d = std::fabs(x - y);
      return d <= delta ? T(0.5) * d * d : delta * (d - T(0.5) * delta);
    };
  };
  run_loss("huber_loss", op, reduction, out, make, self, target);
}

[[structured::impl("soft_margin_loss.out", "CPU")]]
void soft_margin_loss_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& target, int64_t reduction,
                          const Tensor& out) {
  const auto make = []<class T>() {
    return [](T x, T y) -> T {
      const T z = -x * y;
      return (z > T(0) ? z : z < T(0) ? T(0) : z) + log1p_exp(z);
    };
  };
  run_loss("soft_margin_loss", op, reduction, out, make, self, target);
}

[[structured::impl("binary_cross_entropy.out", "CPU")]]
void binary_cross_entropy_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                              const std::optional<Tensor>& weight, int64_t reduction, const Tensor& out) {
  check_probabilities(self);
  if (is_given(weight)) {
    const auto make = []<class T>() { return [](T x, T y, T w) -> T { return cross_entropy(x, y) * w; }; };
    return run_loss("binary_cross_entropy", op, reduction, out, make, self, target, *weight);
  }
  run_loss(
      "binary_cross_entropy", op, reduction, out,
      []<class T>() { return [](T x, T y) -> T { return cross_entropy(x, y); }; }, self, target);
}

[[structured::impl("binary_cross_entropy_with_logits.out", "CPU")]]
void binary_cross_entropy_with_logits_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                                          const std::optional<Tensor>& weight, const std::optional<Tensor>& pos_weight,
                                          int64_t reduction, const Tensor& out) {
  constexpr const char* name = "binary_cross_entropy_with_logits";
  // (1 - y) x + log(1 + exp(-x)), where `pos_weight` multiplies the part that belongs to y.
  const auto plain = []<class T>() {
    return [](T x, T y) -> T {
      const T log = (x < T(0) ? -x : T(0)) + log1p_exp(x);
      return (T(1) - y) * x + log;
    };
  };
  const auto weighted = []<class T>() {
    return [](T x, T y, T w) -> T {
      const T log = (x < T(0) ? -x : T(0)) + log1p_exp(x);
      return ((T(1) - y) * x + log) * w;
    };
  };
  const auto positive = []<class T>() {
    return [](T x, T y, T p) -> T {
      const T log = (x < T(0) ? -x : T(0)) + log1p_exp(x);
      return (T(1) - y) * x + ((p - T(1)) * y + T(1)) * log;
    };
  };
  if (!is_given(pos_weight)) {
    if (is_given(weight)) return run_loss(name, op, reduction, out, weighted, self, target, *weight);
    return run_loss(name, op, reduction, out, plain, self, target);
  }
  if (!is_given(weight)) return run_loss(name, op, reduction, out, positive, self, target, *pos_weight);
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
  config.add_output(Tensor()).add_input(self).add_input(target).add_input(*pos_weight);
  const TensorIterator iterator = config.build();
  pointwise_kernel<kAllFloatingTypes>(name, iterator, positive);
  Tensor result = out;
  if (reduction == Reduction::None) {
    structured::mul_out(result, iterator.output(), *weight);
    return;
  }
  const Tensor losses = structured::mul(iterator.output(), *weight);
  set_reduced_loss(out, total_of(losses), losses.numel(), reduction);
}

}  // namespace structured::kernels
