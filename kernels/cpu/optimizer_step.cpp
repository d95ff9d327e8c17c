// Fused steps of optimisers: one pass over memory updates parameters and their state.
#include <structured/base/error.h>
#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>
#include <structured/iterator/convert_row.h>
#include <structured/iterator/function_ref.h>
#include <structured/iterator/leveled.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "optimizer_rows.h"
#include "shared/dense.h"
#include "shared/vectorized_loops.h"

namespace structured::kernels {
namespace {

// Adam's tensors with `amsgrad`; other optimisers have fewer.
constexpr std::size_t kMostTensors = 5;
// An element takes a division and a square root.
constexpr int64_t kStepGrain = kGrainSize / 4;
// Elements that are converted to Float at once.
constexpr int64_t kBlock = 512;

// Tensors of one parameter with equal sizes and a common dtype.
struct StepTensors {
  std::array<Tensor, kMostTensors> tensors;
  std::size_t count = 0;

  void add(const Tensor& tensor) { tensors[count++] = tensor; }
};

// Runs for `size` elements at each of `rows`, the memory of a parameter's tensors.
using RunRows = void (*)(const void* step, void* const* rows, int64_t size);

template <class Rows>
void run_rows(const void* step, void* const* rows, int64_t size) {
  run_leveled<Rows>(step, rows, size);
}

// Calls `run` for ranges of elements, converted to type `computed`, at the same offset in all tensors. If `scale` is
// not 1, calls `run_scale` for each range first.
__attribute__((noinline)) void run_ranges(const StepTensors& given, ScalarType computed, const void* step, RunRows run,
                                          float scale, RunRows run_scale) {
  std::array<Tensor, kMostTensors> tensors = given.tensors;
  const std::size_t count = given.count;
  const Tensor parameter = tensors[0];
  const ScalarType dtype = parameter.scalar_type();
  const bool is_dense = parameter.is_non_overlapping_and_dense() &&
                        std::all_of(tensors.begin() + 1, tensors.begin() + static_cast<std::ptrdiff_t>(count),
                                    [&](const Tensor& each) { return each.strides() == parameter.strides(); });
  if (!is_dense) {
    for (std::size_t k = 0; k < count; ++k) tensors[k] = dense(tensors[k], dtype);
  }
  const bool is_converted = dtype != computed;
  const bool is_scaled = scale != 1;
  const auto is_written = [&](std::size_t k) { return k != kGradient || is_scaled; };
  const detail::ConvertRow widen = detail::convert_row(computed, dtype);
  const detail::ConvertRow narrow = detail::convert_row(dtype, computed);
  const auto item_size = static_cast<int64_t>(parameter.element_size());
  parallel_for(0, parameter.numel(), kStepGrain, [&](int64_t begin, int64_t end) {
    constexpr auto wide_size = static_cast<int64_t>(sizeof(float));
    float buffers[kMostTensors][kBlock];
    std::array<void*, kMostTensors> rows{};
    const int64_t block = is_converted || is_scaled ? kBlock : end - begin;
    for (int64_t first = begin; first < end; first += block) {
      const int64_t size = std::min(block, end - first);
      const auto memory = [&](std::size_t k) { return static_cast<char*>(tensors[k].data()) + first * item_size; };
      for (std::size_t k = 0; k < count; ++k) {
        rows[k] = is_converted ? static_cast<void*>(buffers[k]) : memory(k);
        if (is_converted) widen(static_cast<char*>(rows[k]), wide_size, memory(k), item_size, size);
      }
      if (is_scaled) run_scale(&scale, rows.data(), size);
      run(step, rows.data(), size);
      for (std::size_t k = 0; is_converted && k < count; ++k) {
        if (is_written(k)) narrow(memory(k), item_size, static_cast<const char*>(rows[k]), wide_size, size);
      }
    }
  });
  for (std::size_t k = 0; k < count; ++k) {
    if (is_written(k)) store(given.tensors[k], tensors[k]);
  }
}

// Options that all fused steps have.
struct Options {
  const char* name;
  double learning_rate, decay;
  bool is_maximized;
  float scale;

  // The number in a Float tensor, or `otherwise` without one.
  static float number(const char* name, const char* argument, const std::optional<Tensor>& tensor, float otherwise) {
    if (!tensor.has_value() || !tensor->defined()) return otherwise;
    STRUCTURED_CHECK(tensor->scalar_type() == kFloat && tensor->numel() == 1, name,
                     ": expected scalar type Float and 1 element in `", argument, "`, got ", tensor->scalar_type(),
                     " and ", tensor->numel(), " elements");
    return tensor->item<float>();
  }

  template <class T>
  GradientStep<T> gradient_step(double decay_of_gradient) const {
    return {is_maximized ? T(-1) : T(1), static_cast<T>(decay_of_gradient)};
  }
};

// Checks that each of the tensors in `self` has one in `list`.
void check_count(const char* name, const char* argument, TensorList self, TensorList list) {
  STRUCTURED_CHECK(list.size() == self.size(), name, ": Expected ", argument, ".size() == n_tensors, got ", list.size(),
                   " and ", self.size());
}

// Checks that the numbers of steps can be read.
void check_steps(const char* name, TensorList self, TensorList state_steps) {
  check_count(name, "state_steps", self, state_steps);
  for (const Tensor& steps : state_steps) {
    STRUCTURED_CHECK(steps.numel() == 1, name, ": expected tensors of 1 element in `state_steps`, got sizes ",
                     steps.sizes());
  }
}

// Checks that the tensor of the list `argument` fits its parameter.
void check_tensor(const char* name, const char* argument, const Tensor& parameter, const Tensor& tensor) {
  STRUCTURED_CHECK(tensor.scalar_type() == parameter.scalar_type(), name, ": expected scalar type ",
                   parameter.scalar_type(), " but found ", tensor.scalar_type(), " in `", argument, "`");
  STRUCTURED_CHECK(tensor.sizes() == parameter.sizes(), name, ": expected a tensor of sizes ", parameter.sizes(),
                   " in `", argument, "`, got ", tensor.sizes());
}

// Calls `step(tensors, i)` for each parameter `i` and its state in `lists`, after all have been checked: a call that
// fails changes nothing. `arguments` are the names of the lists.
__attribute__((noinline)) void for_each_parameter(const char* name, std::initializer_list<TensorList> lists,
                                                  const char* const* arguments, bool is_skipped,
                                                  FunctionRef<void(const StepTensors&, std::size_t)> step) {
  const TensorList self = *lists.begin();
  STRUCTURED_CHECK(!self.empty(), name, ": Tensor list must have at least one tensor.");
  for (std::size_t i = 0; i < self.size(); ++i) {
    const ScalarType dtype = self[i].scalar_type();
    STRUCTURED_CHECK(is_floating(dtype), name, ": expected floating-point tensors in `self`, got ", dtype);
    const char* const* argument = arguments;
    for (const TensorList list : lists) {
      if (!list.empty()) check_tensor(name, *argument, self[i], list[i]);
      ++argument;
    }
  }
  for (std::size_t i = 0; !is_skipped && i < self.size(); ++i) {
    if (self[i].is_meta() || self[i].numel() == 0) continue;
    StepTensors tensors;
    for (const TensorList list : lists) {
      if (!list.empty()) tensors.add(list[i]);
    }
    step(tensors, i);
  }
}

// Calls `make_step.operator()<T, Stored>(run)` with the type in which the tensors are computed and the type of elements
// that the loop reads and writes. It calls `run` with a step.
//
// Loops convert BFloat16 themselves, which takes less time than the divisions of the step. Half, and scaled gradients,
// whose quotients are used before they are rounded, are converted in blocks.
template <class MakeStep>
void run_step(const Options& options, const StepTensors& tensors, const MakeStep& make_step) {
  const auto call = [&]<class T, class Stored>() {
    make_step.template operator()<T, Stored>([&](RunRows run, const void* step) {
      run_ranges(tensors, scalar_type_of<Stored>, step, run, options.scale, run_rows<ScaleRows<T>>);
    });
  };
  const ScalarType dtype = tensors.tensors[0].scalar_type();
  if (dtype == kDouble) return call.template operator()<double, double>();
  if (dtype == kBFloat16 && options.scale == 1) return call.template operator()<float, BFloat16>();
  call.template operator()<float, float>();
}

struct AdamOptions {
  double beta1, beta2, eps;
  bool is_decoupled;  // the decay of AdamW
};

__attribute__((noinline)) void adam(const Options& options, const AdamOptions& adam, TensorList self, TensorList grads,
                                    TensorList exp_avgs, TensorList exp_avg_sqs, TensorList max_exp_avg_sqs,
                                    TensorList state_steps, bool amsgrad, bool is_skipped) {
  const char* const name = options.name;
  check_count(name, "grads", self, grads);
  check_count(name, "exp_avgs", self, exp_avgs);
  check_count(name, "exp_avg_sqs", self, exp_avg_sqs);
  if (amsgrad) {
    check_count(name, "max_exp_avg_sqs", self, max_exp_avg_sqs);
  } else {
    STRUCTURED_CHECK(max_exp_avg_sqs.empty(), name, ": Expected max_exp_avg_sqs.empty() without `amsgrad`, got ",
                     max_exp_avg_sqs.size(), " tensors");
  }
  check_steps(name, self, state_steps);
  static constexpr const char* arguments[] = {"self", "grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"};
  const auto step_one = [&](const StepTensors& tensors, std::size_t i) {
    const double count = state_steps[i].item<float>();
    const double decay = options.decay;
    run_step(options, tensors, [&]<class T, class Stored>(const auto& run) {
      const AdamStep<T> step{.gradient = options.gradient_step<T>(adam.is_decoupled ? 0 : decay),
                             .shrink = static_cast<T>(adam.is_decoupled ? 1 - options.learning_rate * decay : 1),
                             .first_weight = static_cast<T>(1 - adam.beta1),
                             .second_decay = static_cast<T>(adam.beta2),
                             .second_weight = static_cast<T>(1 - adam.beta2),
                             .correction = static_cast<T>(std::sqrt(1 - std::pow(adam.beta2, count))),
                             .eps = static_cast<T>(adam.eps),
                             .size = static_cast<T>(options.learning_rate / (1 - std::pow(adam.beta1, count)))};
      run(amsgrad ? run_rows<StepRows<AdamUpdate<T, true>, Stored>> : run_rows<StepRows<AdamUpdate<T, false>, Stored>>,
          &step);
    });
  };
  for_each_parameter(name, {self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs}, arguments, is_skipped, step_one);
}

__attribute__((noinline)) void sgd(const Options& options, TensorList self, TensorList grads,
                                   TensorList momentum_buffer_list, double momentum, double dampening, bool nesterov,
                                   bool is_first_step, bool is_skipped) {
  const char* const name = options.name;
  check_count(name, "grads", self, grads);
  if (momentum != 0) {
    check_count(name, "momentum_buffer_list", self, momentum_buffer_list);
  } else {
    STRUCTURED_CHECK(momentum_buffer_list.empty(), name,
                     ": Expected momentum_buffer_list.empty() without momentum, got ", momentum_buffer_list.size(),
                     " tensors");
  }
  static constexpr const char* arguments[] = {"self", "grads", "momentum_buffer_list"};
  const auto step_one = [&](const StepTensors& tensors, std::size_t) {
    run_step(options, tensors, [&]<class T, class Stored>(const auto& run) {
      const SGDStep<T> step{.gradient = options.gradient_step<T>(options.decay),
                            .momentum = static_cast<T>(momentum),
                            .weight = static_cast<T>(1 - dampening),
                            .size = static_cast<T>(options.learning_rate),
                            .is_first = static_cast<T>(is_first_step),
                            .is_nesterov = static_cast<T>(nesterov)};
      run(momentum != 0 ? run_rows<StepRows<SGDUpdate<T, true>, Stored>>
                        : run_rows<StepRows<SGDUpdate<T, false>, Stored>>,
          &step);
    });
  };
  for_each_parameter(name, {self, grads, momentum_buffer_list}, arguments, is_skipped, step_one);
}

__attribute__((noinline)) void adagrad(const Options& options, TensorList self, TensorList grads, TensorList state_sums,
                                       TensorList state_steps, double lr_decay, double eps, bool is_skipped) {
  const char* const name = options.name;
  check_count(name, "grads", self, grads);
  check_count(name, "state_sums", self, state_sums);
  check_steps(name, self, state_steps);
  static constexpr const char* arguments[] = {"self", "grads", "state_sums"};
  const auto step_one = [&](const StepTensors& tensors, std::size_t i) {
    const double count = state_steps[i].item<float>();
    run_step(options, tensors, [&]<class T, class Stored>(const auto& run) {
      const AdagradStep<T> step{.gradient = options.gradient_step<T>(options.decay),
                                .eps = static_cast<T>(eps),
                                .size = static_cast<T>(options.learning_rate / (1 + (count - 1) * lr_decay))};
      run(run_rows<StepRows<AdagradUpdate<T>, Stored>>, &step);
    });
  };
  for_each_parameter(name, {self, grads, state_sums}, arguments, is_skipped, step_one);
}

// The rate in the tensor `lr`, which is not read for tensors without data.
double rate(TensorList self, const Tensor& lr) { return !self.empty() && self[0].is_meta() ? 0 : lr.item<double>(); }

// `found_inf` and `grad_scale` of a call with data.
bool is_step_skipped(const char* name, TensorList self, const std::optional<Tensor>& found_inf) {
  return !self.empty() && !self[0].is_meta() && Options::number(name, "found_inf", found_inf, 0) == 1;
}
float scale_of(const char* name, TensorList self, const std::optional<Tensor>& grad_scale) {
  return !self.empty() && self[0].is_meta() ? 1 : Options::number(name, "grad_scale", grad_scale, 1);
}

}  // namespace

// The parameters of the steps, which have overloads with a number and with a tensor for the learning rate `lr`.
#define STRUCTURED_FUSED_ADAM(function, name, Rate, lr_value, is_decoupled)                                            \
  void function([[structured::alias("a!")]] TensorList self, [[structured::alias("b!")]] TensorList grads,             \
                [[structured::alias("c!")]] TensorList exp_avgs, [[structured::alias("d!")]] TensorList exp_avg_sqs,   \
                [[structured::alias("e!")]] TensorList max_exp_avg_sqs, TensorList state_steps,                        \
                [[structured::kwonly]] Rate lr, double beta1, double beta2, double weight_decay, double eps,           \
                bool amsgrad, bool maximize, const std::optional<Tensor>& grad_scale = std::nullopt,                   \
                const std::optional<Tensor>& found_inf = std::nullopt) {                                               \
    adam({name, lr_value, weight_decay, maximize, scale_of(name, self, grad_scale)},                                   \
         {beta1, beta2, eps, is_decoupled}, self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, amsgrad, \
         is_step_skipped(name, self, found_inf));                                                                      \
  }
#define STRUCTURED_FUSED_SGD(function, Rate, lr_value)                                                                 \
  void function([[structured::alias("a!")]] TensorList self, [[structured::alias("b!")]] TensorList grads,             \
                [[structured::alias("c!")]] TensorList momentum_buffer_list,                                           \
                [[structured::kwonly]] double weight_decay, double momentum, Rate lr, double dampening, bool nesterov, \
                bool maximize, bool is_first_step, const std::optional<Tensor>& grad_scale = std::nullopt,             \
                const std::optional<Tensor>& found_inf = std::nullopt) {                                               \
    constexpr const char* name = "_fused_sgd_";                                                                        \
    sgd({name, lr_value, weight_decay, maximize, scale_of(name, self, grad_scale)}, self, grads, momentum_buffer_list, \
        momentum, dampening, nesterov, is_first_step, is_step_skipped(name, self, found_inf));                         \
  }
#define STRUCTURED_FUSED_ADAGRAD(function, steps_attributes, Rate, lr_value)                                     \
  void function([[structured::alias("a!")]] TensorList self, [[structured::alias("b!")]] TensorList grads,       \
                [[structured::alias("c!")]] TensorList state_sums, steps_attributes TensorList state_steps,      \
                [[structured::kwonly]] Rate lr, double lr_decay, double weight_decay, double eps, bool maximize, \
                const std::optional<Tensor>& grad_scale = std::nullopt,                                          \
                const std::optional<Tensor>& found_inf = std::nullopt) {                                         \
    constexpr const char* name = "_fused_adagrad_";                                                              \
    adagrad({name, lr_value, weight_decay, maximize, scale_of(name, self, grad_scale)}, self, grads, state_sums, \
            state_steps, lr_decay, eps, is_step_skipped(name, self, found_inf));                                 \
  }

// clang-format off: it indents what follows a macro.

/// Step of Adam, in place, for the parameters `self`: from the gradients `grads`, the moments `exp_avgs` and
/// `exp_avg_sqs` and, with `amsgrad`, the largest second moments `max_exp_avg_sqs`. `state_steps` are the numbers of
/// steps, this one included.
///
/// The tensors of one parameter have one floating-point dtype and equal sizes; Half and BFloat16 are computed in Float.
/// `weight_decay` times the parameter is added to the gradient. `grad_scale` (Float) divides the gradients, which are
/// written then; if `found_inf` (Float) is 1, the call has no effect.
[[structured::kernel("_fused_adam_", "CPU", "Meta"), structured::not_differentiable]]
STRUCTURED_FUSED_ADAM(fused_adam_cpu, "_fused_adam_", double, lr, false)

/// Step of Adam, in place, for the parameters `self`, with the learning rate in the tensor `lr` of one element.
/// Other arguments are those of `_fused_adam_`.
[[structured::kernel("_fused_adam_.tensor_lr", "CPU", "Meta"), structured::not_differentiable,
  structured::device_check(false)]]
STRUCTURED_FUSED_ADAM(fused_adam_cpu, "_fused_adam_", const Tensor&, rate(self, lr), false)

/// Step of AdamW, in place, for the parameters `self`: from the gradients `grads`, the moments `exp_avgs` and
/// `exp_avg_sqs` and, with `amsgrad`, the largest second moments `max_exp_avg_sqs`. `state_steps` are the numbers
/// of steps, this one included.
///
/// The tensors of one parameter have one floating-point dtype and equal sizes; Half and BFloat16 are computed in
/// Float. Parameters are multiplied by `1 - lr * weight_decay`. `grad_scale` (Float) divides the gradients, which
/// are written then; if `found_inf` (Float) is 1, the call has no effect.
[[structured::kernel("_fused_adamw_", "CPU", "Meta"), structured::not_differentiable]]
STRUCTURED_FUSED_ADAM(fused_adamw_cpu, "_fused_adamw_", double, lr, true)

/// Step of AdamW, in place, for the parameters `self`, with the learning rate in the tensor `lr` of one element.
/// Other arguments are those of `_fused_adamw_`.
[[structured::kernel("_fused_adamw_.tensor_lr", "CPU", "Meta"), structured::not_differentiable,
  structured::device_check(false)]]
STRUCTURED_FUSED_ADAM(fused_adamw_cpu, "_fused_adamw_", const Tensor&, rate(self, lr), true)

/// Step of stochastic gradient descent, in place, for the parameters `self`: from the gradients `grads` and, if
/// `momentum` is not 0, `momentum_buffer_list`. The first step sets the buffers to the gradients.
///
/// The tensors of one parameter have one floating-point dtype and equal sizes; Half and BFloat16 are computed in
/// Float. `weight_decay` times the parameter is added to the gradient. `grad_scale` (Float) divides the gradients,
/// which are written then; if `found_inf` (Float) is 1, the call has no effect.
[[structured::kernel("_fused_sgd_", "CPU", "Meta"), structured::not_differentiable]]
STRUCTURED_FUSED_SGD(fused_sgd_cpu, double, lr)

/// Step of stochastic gradient descent, in place, for the parameters `self`, with the learning rate in the tensor
/// `lr` of one element. Other arguments are those of `_fused_sgd_`.
[[structured::kernel("_fused_sgd_.tensor_lr", "CPU", "Meta"), structured::not_differentiable,
  structured::device_check(false)]]
STRUCTURED_FUSED_SGD(fused_sgd_cpu, const Tensor&, rate(self, lr))

/// Step of Adagrad, in place, for the parameters `self`: from the gradients `grads` and the sums of their squares
/// `state_sums`. The learning rate of step k, in `state_steps`, is `lr / (1 + (k - 1) * lr_decay)`.
///
/// The tensors of one parameter have one floating-point dtype and equal sizes; Half and BFloat16 are computed in
/// Float. `weight_decay` times the parameter is added to the gradient. `grad_scale` (Float) divides the gradients,
/// which are written then; if `found_inf` (Float) is 1, the call has no effect. The schema declares `state_steps`
/// as mutable, but they are not written.
[[structured::kernel("_fused_adagrad_", "CPU", "Meta"), structured::not_differentiable]]
STRUCTURED_FUSED_ADAGRAD(fused_adagrad_cpu, [[structured::alias("d!")]], double, lr)

/// Step of Adagrad, in place, for the parameters `self`, with the learning rate in the tensor `lr` of one element.
/// Other arguments are those of `_fused_adagrad_`.
[[structured::kernel("_fused_adagrad_.tensor_lr", "CPU", "Meta"), structured::not_differentiable,
  structured::device_check(false)]]
STRUCTURED_FUSED_ADAGRAD(fused_adagrad_cpu, , const Tensor&, rate(self, lr))

// clang-format on

}  // namespace structured::kernels
