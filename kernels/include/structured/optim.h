#pragma once
// Optimisers: they update parameters by the gradients that Tensor::backward has left in grad(). Formulas and defaults
// are those of torch.optim.
#include <structured/core/tensor.h>
#include <structured/export.h>
#include <structured/format/npy.h>

#include <cstdint>
#include <string>
#include <vector>

namespace structured::optim {

/// Base of optimisers. Parameters without a gradient are left unchanged. Belongs to one thread at a time.
class STRUCTURED_OPS_API Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Updates all parameters that have a gradient. The update is not recorded.
  void step();

  /// Drops the gradients of all parameters, or fills them with zeros.
  void zero_grad(bool set_to_none = true);

  double learning_rate() const { return learning_rate_; }
  void set_learning_rate(double value) { learning_rate_ = value; }

  /// The values besides parameters and options that the next step depends on, for save_npz: `learning_rate`, `steps`,
  /// and tensors such as `momentum.3`, of parameter number 3. The tensors share memory with the optimiser.
  NamedTensors state() const;

  /// Copies a state that an optimiser of this class for parameters of these shapes has returned. Throws Error, and
  /// changes nothing, if a name or a shape is wrong.
  void load_state(const NamedTensors& state);

 protected:
  /// `buffers` are names of the tensors that each parameter has in the state. Throws Error if a parameter does not
  /// require gradients or is not a leaf.
  Optimizer(std::vector<Tensor> parameters, double learning_rate, std::vector<std::string> buffers);

  /// Updates one parameter. `buffers` are undefined until a step sets them.
  virtual void update(Tensor& parameter, const Tensor& gradient, std::vector<Tensor>& buffers, int64_t step) = 0;

 private:
  struct Slot {
    Tensor parameter;
    int64_t steps = 0;
    std::vector<Tensor> buffers;
  };

  std::vector<Slot> slots_;
  std::vector<std::string> names_;
  double learning_rate_;
};

struct SGDOptions {
  double learning_rate = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

/// Stochastic gradient descent, with momentum: `v = momentum * v + (1 - dampening) * g`, `p -= learning_rate * v`.
class STRUCTURED_OPS_API SGD final : public Optimizer {
 public:
  explicit SGD(std::vector<Tensor> parameters, SGDOptions options = {});

 private:
  void update(Tensor& parameter, const Tensor& gradient, std::vector<Tensor>& buffers, int64_t step) override;

  SGDOptions options_;
};

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
};

/// Adam (D. Kingma and J. Ba, 2015). `weight_decay` is added to the gradient.
class STRUCTURED_OPS_API Adam : public Optimizer {
 public:
  explicit Adam(std::vector<Tensor> parameters, AdamOptions options = {});

 protected:
  /// `is_decoupled` selects the weight decay of AdamW.
  Adam(std::vector<Tensor> parameters, AdamOptions options, bool is_decoupled);

 private:
  void update(Tensor& parameter, const Tensor& gradient, std::vector<Tensor>& buffers, int64_t step) override;

  AdamOptions options_;
  bool is_decoupled_;
};

/// Adam whose weight decay shrinks parameters directly (I. Loshchilov and F. Hutter, 2019). The default decay is 0.01.
class STRUCTURED_OPS_API AdamW final : public Adam {
 public:
  explicit AdamW(std::vector<Tensor> parameters, AdamOptions options = {.weight_decay = 0.01});
};

/// Scales the gradients so that the norm of all of them together is at most `max_norm`. Returns the norm before. A norm
/// of NaN makes all gradients NaN.
STRUCTURED_OPS_API double clip_grad_norm(const std::vector<Tensor>& parameters, double max_norm);

/// Clamps the elements of the gradients to [-`limit`, `limit`].
STRUCTURED_OPS_API void clip_grad_value(const std::vector<Tensor>& parameters, double limit);

}  // namespace structured::optim
