// Fast builds for a few operands whose layout and dtypes cannot break a rule: straight-line code that neither allocates
// nor sorts. Each tests conditions that imply all checks of the general build (build.cpp). If a test fails, the general
// build runs, which also reports all errors. This file builds iterations over dense operands, fast_build_strided.cpp
// all others. Runtimes that are optimised for size have fast builds for operands of one shape and dtype only.
#include "structured/iterator/fast_build.h"

#include <algorithm>
#include <new>

namespace structured {

using detail::are_alike_but_for_dtype;
using detail::have_equal_sizes;
using detail::have_one_dtype;
using detail::is_common_and_contiguous;
using detail::keeps_dtype;
using detail::may_overlap;

namespace {

#if defined(__OPTIMIZE_SIZE__)
constexpr bool kHasFastBuilds = false;
#else
constexpr bool kHasFastBuilds = true;
#endif

}  // namespace

void TensorIteratorBase::begin_plan() {
  if (has_plan()) return;
  new (&plan_) detail::IterationPlan;
  form_ = Form::planned;
}

void TensorIteratorBase::make_plan() const {
  if (kHasFastBuilds && form_ == Form::grid) {
    describe_grid();
  } else {
    describe_dense();
  }
  form_ = Form::planned;
}

// Copies grid_ first: it shares its memory with plan_.
void TensorIteratorBase::describe_grid() const {
  const detail::Grid grid = grid_;
  new (&plan_) detail::IterationPlan;
  const std::size_t count = ntensors();
  plan_.device = few_operands_[0]->device();
  plan_.operands.resize(count);
  plan_.data.resize(count);
  plan_.strides.resize(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    plan_.operands[i] = {few_operands_[i], common_dtype_, common_dtype_, i < num_outputs_};
    plan_.data[i] = static_cast<char*>(few_operands_[i]->data());
    plan_.strides[i] = grid.strides[i];
    plan_.strides[count + i] = grid.strides[count + i];
  }
  plan_.shape.push_back(grid.inner);
  plan_.shape.push_back(grid.outer);
}

void TensorIteratorBase::describe_dense() const {
  new (&plan_) detail::IterationPlan;
  const std::size_t count = ntensors();
  plan_.device = few_operands_[0]->device();
  plan_.needs_cast = form_ == Form::dense_with_casts;
  plan_.operands.resize(count);
  plan_.data.resize(count);
  plan_.strides.resize(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const ScalarType dtype = few_operands_[i]->dtype();
    const bool is_output = i < num_outputs_;
    plan_.operands[i] = {few_operands_[i], dtype, is_output ? dtype : common_dtype_, is_output};
    plan_.data[i] = static_cast<char*>(few_operands_[i]->data());
    plan_.strides[i] = int64_t{1} << item_size_log2(dtype);
    plan_.strides[count + i] = 0;
  }
  if (few_operands_[0]->dim() != 0) plan_.shape.push_back(numel_);
}

// All operands have one shape and dtype and are contiguous. Calls no function, so that all values stay in registers.
template <class... Inputs>
STRUCTURED_ALWAYS_INLINE bool TensorIteratorBase::set_up_dense(const Tensor& out, const Tensor& first,
                                                               const Inputs&... rest) {
  constexpr std::size_t count = 2 + sizeof...(Inputs);
  static_assert(count <= kFewOperands);
  const TensorImpl* const model = first.impl();
  if (!is_common_and_contiguous(model) || has_plan()) return false;
  const auto fits = [model](const TensorImpl* impl) {
    return is_common_and_contiguous(impl) && impl->signature() == model->signature() && have_equal_sizes(*impl, *model);
  };
  if ((!fits(rest.impl()) || ...)) return false;
  const TensorImpl* const written = out.impl();
  if (written != nullptr) {
    if (!fits(written) || may_overlap(written, model) || (may_overlap(written, rest.impl()) || ...)) return false;
  }
  numel_ = model->numel();
  common_dtype_ = model->dtype();
  form_ = Form::dense;
  num_outputs_ = 1;
  num_operands_ = count;
  std::size_t i = 0;
  for (const Tensor* const operand : {&out, &first, &rest...}) few_operands_[i++] = operand;
  return true;
}

// A given output already fits: it needs neither checks nor resizing.
STRUCTURED_ALWAYS_INLINE void TensorIteratorBase::finish_dense_output(const Tensor& out, const Tensor& like) {
  if (out.defined()) {
    mark_output_set(0);
  } else {
    set_output_like(0, like);
  }
}

// set_up_dense for Bool results.
template <class... Inputs>
STRUCTURED_ALWAYS_INLINE bool TensorIteratorBase::set_up_dense_comparison(const Tensor& out, const Tensor& first,
                                                                          const Inputs&... rest) {
  const TensorImpl* const written = out.impl();
  if (written != nullptr) {
    const TensorImpl* const model = first.impl();
    if (model == nullptr || ((rest.impl() == nullptr) || ...)) return false;
    if (!is_common_and_contiguous(written) || written->dtype() != ScalarType::Bool ||
        !are_alike_but_for_dtype(*written, *model) || may_overlap(written, model) ||
        (may_overlap(written, rest.impl()) || ...)) {
      return false;
    }
  }
  const Tensor none;
  if (!set_up_dense(none, first, rest...)) return false;
  form_ = common_dtype_ == ScalarType::Bool ? Form::dense : Form::dense_with_casts;
  few_operands_[0] = &out;
  if (written != nullptr) {
    mark_output_set(0);
  } else {
    set_output_raw_strided(0, first.sizes(), {}, TensorOptions(ScalarType::Bool, first.device()));
  }
  return true;
}

// Two contiguous inputs of one shape and different dtypes.
bool TensorIteratorBase::build_mixed(const Tensor& out, const Tensor& a, const Tensor& b) {
  const TensorImpl* const first = a.impl();
  const TensorImpl* const second = b.impl();
  if (has_plan() || !is_common_and_contiguous(first) || !is_common_and_contiguous(second) ||
      first->dtype() == second->dtype() || !are_alike_but_for_dtype(*first, *second)) {
    return false;
  }
  const ScalarType dtype = promote_types(first->dtype(), second->dtype());
  const TensorImpl* const written = out.impl();
  if (written != nullptr) {
    if (!is_common_and_contiguous(written) || written->dtype() != dtype || !are_alike_but_for_dtype(*written, *first) ||
        may_overlap(written, first) || may_overlap(written, second)) {
      return false;
    }
  }
  numel_ = first->numel();
  common_dtype_ = dtype;
  form_ = Form::dense_with_casts;
  num_outputs_ = 1;
  num_operands_ = 3;
  few_operands_[0] = &out;
  few_operands_[1] = &a;
  few_operands_[2] = &b;
  if (written != nullptr || first->dtype() == dtype || second->dtype() == dtype) {
    finish_dense_output(out, first->dtype() == dtype ? a : b);
  } else {
    set_output_raw_strided(0, first->sizes(), {}, TensorOptions(dtype, first->device()));
  }
  return true;
}

template <class... Inputs>
__attribute__((noinline)) void TensorIteratorBase::build_general(Pointwise kind, const Tensor& out,
                                                                 const Inputs&... inputs) {
  if constexpr (kHasFastBuilds) {
    const Tensor* const list[] = {&inputs...};
    const auto is_floating_already = [](const Tensor& input) {
      return input.defined() && !is_integral(input.dtype(), true);
    };
    const bool stays = kind != Pointwise::floating || (is_floating_already(inputs) && ...);
    if constexpr (sizeof...(Inputs) == 2) {
      if (stays && (have_one_dtype(inputs...) ? build_grid(out, inputs...) : build_mixed(out, inputs...))) return;
    }
    if (stays && build_flat(out, list)) return;
  }
  build_pointwise(kind, out, {&inputs...});
}

__attribute__((noinline)) void TensorIteratorBase::build_with_number(const Tensor& out, const Tensor& a,
                                                                     const Scalar& b) {
  if constexpr (kHasFastBuilds) {
    const Tensor* const list[] = {&a};
    if (a.defined() && keeps_dtype(a.dtype(), b) && build_flat(out, list)) return;
  }
  build_pointwise(Pointwise::promoting, out, {&a}, &b);
}

void TensorIteratorBase::build_binary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  if (set_up_dense(*out, *a, *b)) return finish_dense_output(*out, *a);
  build_general(Pointwise::promoting, *out, *a, *b);
}

void TensorIteratorBase::build_binary_op(BorrowedTensor out, BorrowedTensor a, const Scalar& b) {
  if (a->defined() && keeps_dtype(a->dtype(), b) && set_up_dense(*out, *a)) return finish_dense_output(*out, *a);
  build_with_number(*out, *a, b);
}

void TensorIteratorBase::build_binary_float_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  const bool stays = a->defined() && !is_integral(a->dtype(), true);
  if (stays && set_up_dense(*out, *a, *b)) return finish_dense_output(*out, *a);
  build_general(Pointwise::floating, *out, *a, *b);
}

void TensorIteratorBase::build_comparison_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b) {
  if (set_up_dense_comparison(*out, *a, *b)) return;
  build_elementwise(*out, {a, b}, {}, /*is_boolean=*/true, /*is_floating=*/false);
}

void TensorIteratorBase::build_comparison_op(BorrowedTensor out, BorrowedTensor a, const Scalar& b) {
  if (a->defined() && keeps_dtype(a->dtype(), b) && set_up_dense_comparison(*out, *a)) return;
  build_elementwise(*out, {a}, {&b}, /*is_boolean=*/true, /*is_floating=*/false);
}

void TensorIteratorBase::build_unary_force_boolean_op(BorrowedTensor out, BorrowedTensor a) {
  if (set_up_dense_comparison(*out, *a)) return;
  build_elementwise(*out, {a}, {}, /*is_boolean=*/true, /*is_floating=*/false);
}

void TensorIteratorBase::build_ternary_op(BorrowedTensor out, BorrowedTensor a, BorrowedTensor b, BorrowedTensor c) {
  if (set_up_dense(*out, *a, *b, *c)) return finish_dense_output(*out, *a);
  build_general(Pointwise::promoting, *out, *a, *b, *c);
}

void TensorIteratorBase::build_elementwise_op(BorrowedTensor out, std::initializer_list<BorrowedTensor> inputs,
                                              std::initializer_list<const Scalar*> numbers, bool is_boolean,
                                              bool is_floating) {
  if (inputs.size() == 1 && !is_boolean) {
    const Tensor& a = **inputs.begin();
    const auto keeps = [&a](const Scalar* number) { return number == nullptr || keeps_dtype(a.dtype(), *number); };
    const bool stays = a.defined() && !(is_floating && is_integral(a.dtype(), true)) &&
                       std::all_of(numbers.begin(), numbers.end(), keeps);
    if (stays && set_up_dense(*out, a)) return finish_dense_output(*out, a);
  }
  build_elementwise(*out, inputs, numbers, is_boolean, is_floating);
}

void TensorIteratorBase::build_unary_op(BorrowedTensor out, BorrowedTensor a) {
  if (set_up_dense(*out, *a)) return finish_dense_output(*out, *a);
  build_general(Pointwise::keeping, *out, *a);
}

void TensorIteratorBase::build_unary_float_op(BorrowedTensor out, BorrowedTensor a) {
  const bool stays = a->defined() && !is_integral(a->dtype(), true);
  if (stays && set_up_dense(*out, *a)) return finish_dense_output(*out, *a);
  build_general(Pointwise::floating, *out, *a);
}

}  // namespace structured
