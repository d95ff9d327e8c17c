#include "structured/autograd/checkpoint.h"

#include <algorithm>
#include <utility>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/gradient.h"
#include "structured/autograd/node.h"
#include "structured/autograd/record.h"
#include "structured/autograd/saved.h"
#include "structured/core/error.h"
#include "structured/core/generator.h"

namespace structured {
namespace {

using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// Restores the position of the default generator at the end of the scope.
class GeneratorGuard {
 public:
  explicit GeneratorGuard(Generator::Range state) : generator_(default_generator(kCPU)), previous_(generator_.state()) {
    generator_.set_state(state);
  }
  GeneratorGuard(const GeneratorGuard&) = delete;
  GeneratorGuard& operator=(const GeneratorGuard&) = delete;
  ~GeneratorGuard() { generator_.set_state(previous_); }

 private:
  Generator generator_;
  Generator::Range previous_;
};

class CheckpointNode final : public autograd::DynamicNode {
 public:
  CheckpointNode(Function function, const std::vector<Tensor>& inputs)
      : DynamicNode(inputs.size()),
        function_(std::move(function)),
        inputs_(inputs.size()),
        random_(default_generator(kCPU).state()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs_[i].save(inputs[i]);
      if (inputs[i].defined() && inputs[i].requires_grad()) connect(i, inputs[i]);
    }
  }

  std::string_view name() const override { return "CheckpointBackward"; }
  using DynamicNode::set_result_count;

  void apply(autograd::Gradients results, autograd::Gradients gradients) override {
    STRUCTURED_CHECK(!is_grad_enabled(), "checkpoint: gradients cannot be computed with `create_graph`");
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Tensor input = inputs_[i].get(*this);
      inputs.push_back(input.defined() ? input.detach() : input);
      if (needs(i)) inputs[i].requires_grad_();
    }
    const EnableGradGuard recording;
    const std::vector<Tensor> outputs = [&] {
      const GeneratorGuard random(random_);
      return function_(inputs);
    }();
    STRUCTURED_CHECK(outputs.size() == results.size(), "checkpoint: the function returned ", results.size(),
                     " tensors at first and ", outputs.size(), " in the backward pass");
    std::vector<Tensor> roots;
    std::vector<Tensor> weights;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!results[i].defined() || !outputs[i].requires_grad()) continue;
      roots.push_back(outputs[i]);
      weights.push_back(results[i]);
    }
    if (!roots.empty()) structured::backward(roots, weights);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (needs(i)) gradients[i] = inputs[i].grad();
    }
  }

  void release_saved() override {
    for (autograd::SavedTensor& input : inputs_) input.release();
  }

 private:
  Function function_;
  std::vector<autograd::SavedTensor> inputs_;
  Generator::Range random_;
};

}  // namespace

std::vector<Tensor> checkpoint(const Function& function, const std::vector<Tensor>& inputs) {
  const bool is_recorded = is_grad_enabled() && std::ranges::any_of(inputs, [](const Tensor& input) {
                             return input.defined() && input.requires_grad();
                           });
  if (!is_recorded) return function(inputs);
  auto* const node = new CheckpointNode(function, inputs);
  const autograd::NodePtr owner = autograd::NodePtr::adopt(node);
  std::vector<Tensor> results = [&] {
    const NoGradGuard guard;
    return function(inputs);
  }();
  node->set_result_count(results.size());
  for (Tensor& result : results) {
    STRUCTURED_CHECK(result.defined(), "checkpoint: the function returned an undefined tensor");
    const bool is_input = std::ranges::any_of(inputs, [&](const Tensor& input) { return input.is_same(result); });
    if (is_input) result = result.detach();
  }
  autograd::set_history(results, owner);
  return results;
}

}  // namespace structured
