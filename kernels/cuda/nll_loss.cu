// Losses of class indices on CUDA. One thread computes the loss of a row, in the type that sums are computed in.
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/cuda/fault.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/div.h>
#include <structured/ops/fill.h>
#include <structured/ops/mean.h>
#include <structured/ops/sum.h>
#include <structured/cuda/loops.cuh>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cuda/element_loop.cuh"
#include "math/accumulate_type.h"
#include "shared/dense.h"

namespace structured::kernels {
namespace {

/// Elements [batch, classes, positions], targets [batch, positions].
template <class T>
struct NegativeLogLikelihood {
  using C = AccumulateType<T>;
  const T* in;
  const int64_t* targets;
  const T* weights;  ///< may be null
  C* losses;
  C* scales;
  int64_t classes;
  int64_t positions;
  int64_t ignored;
  cuda::FaultReporter reporter;
  __device__ void operator()(int64_t i) const {
    const int64_t target = targets[i];
    C loss(0);
    C scale(0);
    if (target != ignored) {
      if (target < 0 || target >= classes) {
        reporter.index_out_of_range(target, 0, classes, 1);
        return;
      }
      scale = weights == nullptr ? C(1) : cuda::detail::converted<C>(weights[target]);
      const int64_t place = (i / positions * classes + target) * positions + i % positions;
      loss = -cuda::detail::converted<C>(in[place]) * scale;
    }
    losses[i] = loss;
    scales[i] = scale;
  }
};

template <class T>
struct MultiMargin {
  using C = AccumulateType<T>;
  const T* in;
  const int64_t* targets;
  const T* weights;  ///< may be null
  C* losses;
  int64_t classes;
  C margin;
  bool is_square;
  cuda::FaultReporter reporter;
  __device__ void operator()(int64_t row) const {
    const T* const x = in + row * classes;
    const int64_t target = targets[row];
    if (target < 0 || target >= classes) {
      reporter.index_out_of_range(target, 0, classes, 1);
      return;
    }
    const C at_target = cuda::detail::converted<C>(x[target]);
    C sum(0);
    for (int64_t i = 0; i < classes; ++i) {
      const C z = margin - at_target + cuda::detail::converted<C>(x[i]);
      if (i != target && z > C(0)) sum += is_square ? z * z : z;
    }
    const C weight = weights == nullptr ? C(1) : cuda::detail::converted<C>(weights[target]);
    losses[row] = sum * weight / static_cast<C>(classes);
  }
};

/// `marks` are 0 at first, and 1 at targets afterwards.
template <class T>
struct MultilabelMargin {
  using C = AccumulateType<T>;
  const T* in;
  const int64_t* targets;
  T* marks;
  C* losses;
  int64_t classes;
  cuda::FaultReporter reporter;
  __device__ void operator()(int64_t row) const {
    const T* const x = in + row * classes;
    const int64_t* const y = targets + row * classes;
    T* const mark = marks + row * classes;
    int64_t count = -1;  // targets before the first -1; others are only checked
    for (int64_t k = 0; k < classes; ++k) {
      if (y[k] == -1) {
        if (count < 0) count = k;
        continue;
      }
      if (y[k] < 0 || y[k] >= classes) {
        reporter.index_out_of_range(y[k], 0, classes, 1);
        return;
      }
      if (count < 0) mark[y[k]] = cuda::detail::converted<T>(1.0f);
    }
    if (count < 0) count = classes;
    C sum(0);
    for (int64_t k = 0; k < count; ++k) {
      const C at_target = cuda::detail::converted<C>(x[y[k]]);
      for (int64_t i = 0; i < classes; ++i) {
        const C z = C(1) - at_target + cuda::detail::converted<C>(x[i]);
        if (cuda::detail::converted<C>(mark[i]) == C(0) && z > C(0)) sum += z;
      }
    }
    losses[row] = sum / static_cast<C>(classes);
  }
};

template <class T>
const T* elements_of(const Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}

Tensor given(const std::optional<Tensor>& weight, ScalarType dtype) {
  return weight && weight->defined() ? dense(*weight, dtype) : Tensor();
}

// Copies the losses to `out`, or their sum or mean.
void reduce_rows(const Tensor& losses, int64_t reduction, bool keeps_sizes, const Tensor& out) {
  if (keeps_sizes) {
    copy_into(out, as_strided(losses, out.sizes(), contiguous_strides(out.sizes()), losses.storage_offset()));
  } else {
    copy_into(out, reduction == Reduction::Mean ? structured::mean(losses) : structured::sum(losses));
  }
}

void nll(const char* name, const Tensor& self, int64_t classes, int64_t positions, const Tensor& target,
         const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index, bool keeps_sizes,
         const Tensor& output, const Tensor& total_weight) {
  const Tensor in = dense(self, self.scalar_type());
  const Tensor targets = dense(target, kLong);
  const int64_t size = targets.numel();
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    const TensorOptions options = in.options().dtype(scalar_type_of<C>);
    const Tensor weights = given(weight, in.scalar_type());
    const Tensor losses = empty({size}, options);
    const Tensor scales = empty({size}, options);
    for_each_element(size, NegativeLogLikelihood<T>{in.data_ptr<T>(), targets.data_ptr<int64_t>(),
                                                    elements_of<T>(weights), losses.data_ptr<C>(), scales.data_ptr<C>(),
                                                    classes, positions, ignore_index, cuda::fault_reporter(name)});
    Tensor total = total_weight;
    if (keeps_sizes) {
      structured::fill_(total, 0);
      return reduce_rows(losses, reduction, true, output);
    }
    const Tensor sum = structured::sum(losses);
    const Tensor scale = structured::sum(scales);
    copy_into(total, scale);
    copy_into(output, reduction == Reduction::Mean ? structured::div(sum, scale) : sum);
  });
}

}  // namespace

[[structured::impl("nll_loss_forward.output", "CUDA")]]
void nll_loss_forward_cuda(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                           int64_t reduction, int64_t ignore_index, const Tensor& output, const Tensor& total_weight) {
  const bool keeps_sizes = reduction == Reduction::None && self.dim() == 2;
  nll("nll_loss_forward", self, self.size(-1), 1, target, weight, reduction, ignore_index, keeps_sizes, output,
      total_weight);
}

[[structured::impl("nll_loss2d_forward.output", "CUDA")]]
void nll_loss2d_forward_cuda(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                             int64_t reduction, int64_t ignore_index, const Tensor& output,
                             const Tensor& total_weight) {
  const int64_t positions = std::max<int64_t>(1, self.size(2) * self.size(3));
  nll("nll_loss2d_forward", self, self.size(1), positions, target, weight, reduction, ignore_index,
      reduction == Reduction::None, output, total_weight);
}

[[structured::impl("multi_margin_loss.out", "CUDA")]]
void multi_margin_loss_cuda(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                            const std::optional<Tensor>& weight, int64_t reduction, const Tensor& out) {
  constexpr const char* name = "multi_margin_loss";
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor in = dense(self, self.scalar_type());
  const Tensor targets = dense(target, kLong);
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    const Tensor weights = given(weight, in.scalar_type());
    const Tensor losses = empty({targets.numel()}, in.options().dtype(scalar_type_of<C>));
    for_each_element(
        targets.numel(),
        MultiMargin<T>{in.data_ptr<T>(), targets.data_ptr<int64_t>(), elements_of<T>(weights), losses.data_ptr<C>(),
                       classes, static_cast<C>(margin.to<double>()), p == Scalar(2), cuda::fault_reporter(name)});
    reduce_rows(losses, reduction, reduction == Reduction::None && target.dim() > 0, out);
  });
}

[[structured::impl("multilabel_margin_loss_forward.output", "CUDA")]]
void multilabel_margin_loss_forward_cuda(const Tensor& self, const Tensor& target, int64_t reduction,
                                         const Tensor& output, const Tensor& is_target) {
  constexpr const char* name = "multilabel_margin_loss_forward";
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const int64_t rows = self.dim() == 2 ? self.size(0) : 1;
  const Tensor in = dense(self, self.scalar_type());
  const Tensor targets = dense(target, kLong);
  Tensor marks = writable(is_target, self.scalar_type());
  structured::fill_(marks, 0);
  visit<kAllFloatingTypes>(name, self.scalar_type(), [&]<class T>() {
    using C = AccumulateType<T>;
    const Tensor losses = empty({rows}, in.options().dtype(scalar_type_of<C>));
    for_each_element(rows, MultilabelMargin<T>{in.data_ptr<T>(), targets.data_ptr<int64_t>(), marks.data_ptr<T>(),
                                               losses.data_ptr<C>(), classes, cuda::fault_reporter(name)});
    reduce_rows(losses, reduction, reduction == Reduction::None && self.dim() == 2, output);
  });
  store(is_target, marks);
}

}  // namespace structured::kernels
