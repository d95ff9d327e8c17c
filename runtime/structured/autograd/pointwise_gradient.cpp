#include "structured/autograd/pointwise_gradient.h"

#include <algorithm>
#include <string>
#include <vector>

#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/record.h"
#include "structured/autograd/saved.h"
#include "structured/base/error.h"
#include "structured/iterator/config.h"

namespace structured::autograd::impl {
namespace {

// A gradient of a pointwise operator, or the derivative of one by input number `by`.
struct Gradient {
  const char* name;
  const GradientLoops& loops;
  const void* make;
  std::shared_ptr<const void> owner;  // keeps `make` alive; null: the caller does
  std::optional<std::size_t> by;
};

Tensor run(const Gradient& gradient, const Tensor& weight, ArrayRef<const Tensor*> inputs) {
  const bool has_weight = gradient.loops.count < kMaxPointwiseInputs;
  const auto build = [&] {
    TensorIteratorConfig config;
    config.add_output(Tensor()).promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
    config.allow_cpu_scalars(true);
    if (has_weight) config.add_input(weight);
    for (const Tensor* input : inputs) config.add_input(*input);
    return TensorIterator(config);
  };
  const Tensor none;
  const TensorIterator iterator = inputs.size() == 1 ? TensorIterator::binary_op(none, weight, *inputs[0]) : build();
  STRUCTURED_CHECK(is_floating(iterator.common_dtype()), "derivative for ", gradient.name, " is not implemented for '",
                   iterator.common_dtype(), "'");
  const DeviceType device = iterator.output().device().type();
  STRUCTURED_CHECK(device == kCPU || device == kMeta, "derivative for ", gradient.name,
                   " is not implemented for device ", iterator.output().device());
  const RunGradient loop = gradient.by ? gradient.loops.second[*gradient.by] : gradient.loops.first;
  if (device == kCPU) loop(gradient.make, iterator);
  return has_weight ? iterator.output() : mul(weight, iterator.output());
}

Tensor compute(Gradient gradient, const Tensor& weight, ArrayRef<const Tensor*> inputs);

// Node of a gradient that was computed while recording.
class GradientNode final : public DynamicNode {
 public:
  GradientNode(Gradient gradient, const Tensor& result, const Tensor& weight, ArrayRef<const Tensor*> inputs)
      : DynamicNode(inputs.size() + 1),
        gradient_(std::move(gradient)),
        name_(std::string(gradient_.name) + "Backward"),
        inputs_(inputs.size()) {
    if (gradient_.owner == nullptr) {
      gradient_.owner = gradient_.loops.copy(gradient_.make);
      gradient_.make = gradient_.owner.get();
    }
    connect(0, weight, result);
    weight_.save(weight);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      connect(i + 1, *inputs[i], result);
      inputs_[i].save(*inputs[i]);
    }
  }

  std::string_view name() const override { return name_; }

  void apply(Gradients results, Gradients gradients) override {
    std::vector<Tensor> inputs;
    std::vector<const Tensor*> pointers;
    for (const SavedTensor& saved : inputs_) inputs.push_back(saved.get(*this));
    for (const Tensor& input : inputs) pointers.push_back(&input);
    if (needs(0)) gradients[0] = compute(gradient_, results[0], pointers);
    Tensor weight;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!needs(i + 1)) continue;
      STRUCTURED_CHECK(!gradient_.by, "derivative of order 3 of ", gradient_.name, " is not implemented");
      if (!weight.defined()) weight = mul(results[0], weight_.get(*this));
      Gradient by_input = gradient_;
      by_input.by = i;
      gradients[i + 1] = compute(std::move(by_input), weight, pointers);
    }
  }

  void release_saved() override {
    weight_.release();
    for (SavedTensor& saved : inputs_) saved.release();
  }

 private:
  Gradient gradient_;
  std::string name_;
  SavedTensor weight_;
  std::vector<SavedTensor> inputs_;
};

Tensor compute(Gradient gradient, const Tensor& weight, ArrayRef<const Tensor*> inputs) {
  const bool is_recorded =
      is_grad_enabled() && (weight.requires_grad() || std::any_of(inputs.begin(), inputs.end(),
                                                                  [](const Tensor* t) { return t->requires_grad(); }));
  if (!is_recorded) return run(gradient, weight, inputs);
  const Tensor result = [&] {
    const NoGradGuard guard;
    return run(gradient, weight, inputs);
  }();
  set_history(result, NodePtr::adopt(new GradientNode(std::move(gradient), result, weight, inputs)));
  return result;
}

}  // namespace

Tensor compute_gradient(const char* name, const GradientLoops& loops, const void* make, const Tensor& weight,
                        ArrayRef<const Tensor*> inputs) {
  if (!weight.defined()) return Tensor();
  return compute({name, loops, make, nullptr, std::nullopt}, weight, inputs);
}

}  // namespace structured::autograd::impl
