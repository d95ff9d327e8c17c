#include "structured/autograd/checkpoint.h"

#include <memory>
#include <mutex>
#include <utility>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/saved.h"
#include "structured/autograd/saved_hooks.h"
#include "structured/base/error.h"
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

// A call of `function`, in place of the tensors that its operators save. Tensors are numbered in the order of saving.
class Checkpoint {
 public:
  Checkpoint(Function function, const std::vector<Tensor>& inputs)
      : function_(std::move(function)), inputs_(inputs.size()), random_(default_generator(kCPU).state()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs_[i].save(inputs[i]);
      requires_grad_.push_back(inputs[i].defined() && inputs[i].requires_grad());
    }
  }

  std::size_t add_saved() { return count_++; }

  // Calls the function again at the first use of a saved tensor.
  Tensor saved(std::size_t index) {
    const std::scoped_lock lock(mutex_);
    if (tensors_.size() != count_) compute();
    return tensors_[index];
  }
  void drop_saved(std::size_t index) {
    const std::scoped_lock lock(mutex_);
    if (tensors_.size() == count_) tensors_[index] = Tensor();
  }

 private:
  void compute() {
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const Tensor input = inputs_[i].get_input("checkpoint");
      inputs.push_back(requires_grad_[i] ? input.detach().requires_grad_() : input);
    }
    tensors_.clear();
    const EnableGradGuard recording;
    const GeneratorGuard random(random_);
    const SavedTensorHooks hooks([&](const Tensor& tensor) {
      tensors_.push_back(tensor);
      return [tensor] { return tensor; };
    });
    function_(inputs);
    STRUCTURED_CHECK(tensors_.size() == count_, "checkpoint: the function saved ", count_, " tensors at first and ",
                     tensors_.size(), " in the backward pass");
  }

  Function function_;
  std::vector<autograd::SavedTensor> inputs_;
  std::vector<bool> requires_grad_;
  Generator::Range random_;
  std::size_t count_ = 0;
  std::mutex mutex_;
  std::vector<Tensor> tensors_;
};

// One of the tensors that a call saves, while its derivative may use it.
class SavedByCheckpoint {
 public:
  explicit SavedByCheckpoint(std::shared_ptr<Checkpoint> call) : call_(std::move(call)), index_(call_->add_saved()) {}
  SavedByCheckpoint(const SavedByCheckpoint&) = delete;
  SavedByCheckpoint& operator=(const SavedByCheckpoint&) = delete;
  ~SavedByCheckpoint() { call_->drop_saved(index_); }

  Tensor compute() const { return call_->saved(index_); }

 private:
  std::shared_ptr<Checkpoint> call_;
  std::size_t index_;
};

}  // namespace

std::vector<Tensor> checkpoint(const Function& function, const std::vector<Tensor>& inputs) {
  if (!is_grad_enabled()) return function(inputs);
  const auto call = std::make_shared<Checkpoint>(function, inputs);
  const SavedTensorHooks hooks(
      [&](const Tensor&) { return [saved = std::make_shared<SavedByCheckpoint>(call)] { return saved->compute(); }; });
  return function(inputs);
}

}  // namespace structured
