#include <structured/autograd/grad_mode.h>
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/ops/_fused_adam.h>
#include <structured/ops/_fused_adamw.h>
#include <structured/ops/_fused_sgd.h>
#include <structured/ops/add.h>
#include <structured/ops/addcdiv.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/div.h>
#include <structured/ops/dot.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/mul.h>
#include <structured/ops/reshape.h>
#include <structured/ops/sqrt.h>
#include <structured/ops/zero.h>
#include <structured/ops/zeros_like.h>
#include <structured/optim.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace structured::optim {

Optimizer::Optimizer(std::vector<Tensor> parameters, double learning_rate, std::vector<std::string> buffers)
    : names_(std::move(buffers)), learning_rate_(learning_rate) {
  STRUCTURED_CHECK(!parameters.empty(), "an optimiser got no parameters");
  STRUCTURED_CHECK(learning_rate >= 0, "expected a learning rate of 0 or more, got ", learning_rate);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    STRUCTURED_CHECK(parameters[i].defined() && parameters[i].requires_grad() && parameters[i].is_leaf(),
                     "expected parameter ", i, " of the optimiser to be a leaf that requires gradients");
    slots_.push_back({std::move(parameters[i]), 0, std::vector<Tensor>(names_.size())});
  }
}

Optimizer::~Optimizer() = default;

void Optimizer::step() {
  const NoGradGuard guard;
  for (Slot& slot : slots_) {
    const Tensor gradient = slot.parameter.grad();
    if (gradient.defined()) update(slot.parameter, gradient, slot.buffers, ++slot.steps);
  }
}

void Optimizer::zero_grad(bool set_to_none) {
  const NoGradGuard guard;
  for (Slot& slot : slots_) {
    Tensor gradient = slot.parameter.grad();
    if (!gradient.defined()) continue;
    if (set_to_none) {
      slot.parameter.set_grad(Tensor());
    } else {
      structured::zero_(gradient);
    }
  }
}

NamedTensors Optimizer::state() const {
  NamedTensors result{{"learning_rate", structured::full({}, learning_rate_, kDouble)}};
  const Tensor steps = structured::empty({static_cast<int64_t>(slots_.size())}, kLong);
  for (std::size_t i = 0; i < slots_.size(); ++i) steps.data_ptr<int64_t>()[i] = slots_[i].steps;
  result.emplace_back("steps", steps);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (slots_[i].buffers[k].defined()) {
        result.emplace_back(names_[k] + "." + std::to_string(i), slots_[i].buffers[k]);
      }
    }
  }
  return result;
}

void Optimizer::load_state(const NamedTensors& state) {
  std::map<std::string, Tensor> left(state.begin(), state.end());
  const auto take = [&](const std::string& name) {
    const auto found = left.find(name);
    if (found == left.end()) return Tensor();
    const Tensor tensor = found->second;
    left.erase(found);
    return tensor;
  };
  const auto count = static_cast<int64_t>(slots_.size());
  const Tensor rate = take("learning_rate");
  const Tensor steps = take("steps");
  STRUCTURED_CHECK(rate.defined() && rate.dtype() == kDouble && rate.numel() == 1,
                   "expected `learning_rate` in the optimiser's state, a number of dtype Double");
  STRUCTURED_CHECK(steps.defined() && steps.dtype() == kLong && steps.sizes() == IntArrayRef({count}),
                   "expected `steps` in the optimiser's state, of dtype Long with ", count, " elements");
  std::vector<std::vector<Tensor>> buffers;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    std::vector<Tensor>& loaded = buffers.emplace_back();
    for (const std::string& name : names_) {
      const std::string full_name = name + "." + std::to_string(i);
      const Tensor tensor = take(full_name);
      STRUCTURED_CHECK(!tensor.defined() || tensor.sizes() == slots_[i].parameter.sizes(), "expected `", full_name,
                       "` of sizes ", slots_[i].parameter.sizes(), " in the optimiser's state, got ", tensor.sizes());
      loaded.push_back(tensor);
    }
  }
  STRUCTURED_CHECK(left.empty(), "the optimiser's state has `", left.begin()->first,
                   "`, which this optimiser does not have");
  const NoGradGuard guard;
  learning_rate_ = rate.item<double>();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].steps = steps.data_ptr<int64_t>()[i];
    for (std::size_t k = 0; k < names_.size(); ++k) {
      slots_[i].buffers[k] = buffers[i][k].defined() ? structured::clone(buffers[i][k]) : Tensor();
    }
  }
}

SGD::SGD(std::vector<Tensor> parameters, SGDOptions options)
    : Optimizer(std::move(parameters), options.learning_rate, {"momentum"}), options_(options) {
  STRUCTURED_CHECK(!options.nesterov || (options.momentum > 0 && options.dampening == 0),
                   "Nesterov momentum requires a momentum and zero dampening");
}

namespace {

// Whether a fused step takes the tensors: they are on the CPU, of one floating-point dtype. Other devices and dtypes
// call operators one after the other.
bool has_fused_step(const Tensor& parameter, const Tensor& gradient, const std::vector<Tensor>& buffers) {
  const auto is_equal = [&](const Tensor& other) {
    return !other.defined() || (other.dtype() == parameter.dtype() && other.device() == parameter.device());
  };
  return parameter.is_cpu() && is_floating(parameter.dtype()) && is_equal(gradient) &&
         std::all_of(buffers.begin(), buffers.end(), is_equal);
}

}  // namespace

void SGD::update(Tensor& parameter, const Tensor& gradient, std::vector<Tensor>& buffers, int64_t) {
  Tensor& momentum = buffers[0];
  if (has_fused_step(parameter, gradient, buffers)) {
    const bool is_first = !momentum.defined();
    if (is_first && options_.momentum != 0) momentum = structured::empty_like(parameter);
    structured::_fused_sgd_({parameter}, {gradient}, options_.momentum != 0 ? TensorList(momentum) : TensorList(),
                            options_.weight_decay, options_.momentum, learning_rate(), options_.dampening,
                            options_.nesterov, /*maximize=*/false, is_first);
    return;
  }
  Tensor direction = gradient;
  if (options_.weight_decay != 0) direction = structured::add(direction, parameter, options_.weight_decay);
  if (options_.momentum != 0) {
    if (momentum.defined()) {
      structured::mul_(momentum, options_.momentum);
      structured::add_(momentum, direction, 1 - options_.dampening);
    } else {
      momentum = structured::clone(direction);
    }
    direction = options_.nesterov ? structured::add(direction, momentum, options_.momentum) : momentum;
  }
  structured::add_(parameter, direction, -learning_rate());
}

Adam::Adam(std::vector<Tensor> parameters, AdamOptions options) : Adam(std::move(parameters), options, false) {}

Adam::Adam(std::vector<Tensor> parameters, AdamOptions options, bool is_decoupled)
    : Optimizer(std::move(parameters), options.learning_rate, {"first_moment", "second_moment"}),
      options_(options),
      is_decoupled_(is_decoupled) {
  STRUCTURED_CHECK(options.beta1 >= 0 && options.beta1 < 1 && options.beta2 >= 0 && options.beta2 < 1,
                   "expected betas from 0 to below 1, got ", options.beta1, " and ", options.beta2);
}

void Adam::update(Tensor& parameter, const Tensor& gradient, std::vector<Tensor>& buffers, int64_t step) {
  for (Tensor& buffer : buffers) {
    if (!buffer.defined()) buffer = structured::zeros_like(parameter);
  }
  Tensor& first = buffers[0];
  Tensor& second = buffers[1];
  const auto power = static_cast<double>(step);
  const double decay = options_.weight_decay;
  if (has_fused_step(parameter, gradient, buffers)) {
    const Tensor steps = structured::full({}, power, kFloat);
    const auto fused_step = [&](auto update) {
      update(TensorList(parameter), TensorList(gradient), TensorList(first), TensorList(second), TensorList(),
             TensorList(steps), learning_rate(), options_.beta1, options_.beta2, decay, options_.eps,
             /*amsgrad=*/false, /*maximize=*/false);
    };
    if (is_decoupled_) {
      fused_step([](const auto&... arguments) { structured::_fused_adamw_(arguments...); });
    } else {
      fused_step([](const auto&... arguments) { structured::_fused_adam_(arguments...); });
    }
    return;
  }
  if (is_decoupled_) structured::mul_(parameter, 1 - learning_rate() * decay);
  const Tensor direction = decay != 0 && !is_decoupled_ ? structured::add(gradient, parameter, decay) : gradient;
  structured::mul_(first, options_.beta1);
  structured::add_(first, direction, 1 - options_.beta1);
  structured::mul_(second, options_.beta2);
  structured::addcmul_(second, direction, direction, 1 - options_.beta2);
  const double first_share = 1 - std::pow(options_.beta1, power);
  const double second_share = 1 - std::pow(options_.beta2, power);
  Tensor denominator = structured::sqrt(second);
  structured::div_(denominator, std::sqrt(second_share));
  structured::add_(denominator, options_.eps);
  structured::addcdiv_(parameter, first, denominator, -learning_rate() / first_share);
}

AdamW::AdamW(std::vector<Tensor> parameters, AdamOptions options) : Adam(std::move(parameters), options, true) {}

double clip_grad_norm(const std::vector<Tensor>& parameters, double max_norm) {
  const NoGradGuard guard;
  double sum = 0;
  for (const Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    const double norm = structured::linalg_vector_norm(parameter.grad()).item<double>();
    sum += norm * norm;
  }
  const double norm = std::sqrt(sum);
  const double scale = max_norm / (norm + 1e-6);
  if (scale >= 1) return norm;
  for (const Tensor& parameter : parameters) {
    Tensor gradient = parameter.grad();
    if (gradient.defined()) structured::mul_(gradient, scale);
  }
  return norm;
}

void clip_grad_value(const std::vector<Tensor>& parameters, double limit) {
  const NoGradGuard guard;
  for (const Tensor& parameter : parameters) {
    Tensor gradient = parameter.grad();
    if (gradient.defined()) structured::clamp_(gradient, -limit, limit);
  }
}

}  // namespace structured::optim
