#pragma once
// Functions with a derivative of their own.
#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/node.h"
#include "structured/autograd/record.h"
#include "structured/autograd/saved.h"
#include "structured/base/error.h"
#include "structured/core/array_ref.h"

namespace structured {

/// Carries values from the forward function of an AutogradFunction to its backward function.
class STRUCTURED_API AutogradContext {
 public:
  /// Keeps inputs or results of forward. Call it at most once.
  void save_for_backward(TensorList tensors);
  /// The tensors that were saved. Throws Error in a second pass over a graph that was not retained, and if an operator
  /// has written to one of the tensors.
  std::vector<Tensor> saved_tensors() const;
  /// Whether backward must compute the gradient of this tensor argument.
  bool needs_input_grad(std::size_t index) const;
  /// Results that require no gradients although inputs do.
  void mark_non_differentiable(TensorList results);
  /// Whether gradients that did not arrive are zeros in backward (the default), or undefined.
  void set_materialize_grads(bool value) { materializes_grads_ = value; }

 private:
  template <class T>
  friend class AutogradFunction;
  friend class CustomNode;

  std::vector<Tensor> to_save_;
  std::vector<Tensor> non_differentiable_;
  std::vector<autograd::SavedTensor> saved_;
  autograd::Node* node_ = nullptr;
  bool materializes_grads_ = true;
};

/// Node of a call of an AutogradFunction.
class STRUCTURED_API CustomNode final : public autograd::DynamicNode {
 public:
  using Backward = std::vector<Tensor> (*)(AutogradContext& context, std::vector<Tensor> gradients);

  CustomNode(std::string name, Backward backward, const std::vector<Tensor>& inputs);

  std::string_view name() const override { return name_; }
  void apply(autograd::Gradients results, autograd::Gradients inputs) override;
  void release_saved() override;

  AutogradContext& context() { return context_; }
  /// Makes this node the one that computed `results`; replaces those that are inputs by tensors of their own.
  void record(std::vector<Tensor>& results, const std::vector<Tensor>& inputs);

 private:
  std::string name_;
  Backward backward_;
  AutogradContext context_;
  std::vector<std::vector<int64_t>> result_sizes_;
  std::vector<TensorOptions> result_options_;
};

/// Base of a function with a derivative of its own:
///
///     struct Scale : AutogradFunction<Scale> {
///       static Tensor forward(AutogradContext& context, const Tensor& x, double factor);
///       static std::vector<Tensor> backward(AutogradContext& context, std::vector<Tensor> gradients);
///     };
///     Tensor y = Scale::apply(x, 2.0);
///
/// `forward` returns a Tensor or a std::vector<Tensor>, and its operators are not recorded. `backward` gets a gradient
/// for each result and returns one for each tensor argument of `forward`, in order; undefined means zero.
template <class T>
class AutogradFunction {
 public:
  template <class... Args>
  static auto apply(const Args&... args) {
    std::vector<Tensor> inputs;
    (add_input(inputs, args), ...);
    const bool is_recorded = is_grad_enabled() && autograd::requires_grad(inputs);
    AutogradContext unrecorded;
    autograd::NodePtr owner;
    CustomNode* node = nullptr;
    if (is_recorded) {
      node = new CustomNode(function_name(), &T::backward, inputs);
      owner = autograd::NodePtr::adopt(node);
    }
    auto result = [&] {
      const NoGradGuard guard;
      return T::forward(node != nullptr ? node->context() : unrecorded, args...);
    }();
    if (node == nullptr) return result;
    if constexpr (std::is_same_v<decltype(result), Tensor>) {
      std::vector<Tensor> results{std::move(result)};
      node->record(results, inputs);
      return Tensor(std::move(results[0]));
    } else {
      node->record(result, inputs);
      return result;
    }
  }

 private:
  template <class Argument>
  static void add_input(std::vector<Tensor>& inputs, const Argument& argument) {
    if constexpr (std::is_same_v<Argument, Tensor>) inputs.push_back(argument);
  }

  // The class's name, where the class defines `static constexpr const char* name`.
  static std::string function_name() {
    if constexpr (requires { T::name; }) {
      return std::string(T::name) + "Backward";
    } else {
      return "CustomFunctionBackward";
    }
  }
};

}  // namespace structured
