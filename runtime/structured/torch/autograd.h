#pragma once
// Derivatives: the base class of emitted nodes, and the Autograd kernels that record calls.
#include <torch/csrc/autograd/VariableTypeUtils.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"
#include "structured/torch/call_operator.h"
#include "structured/torch/layers.h"
#include "structured/torch/node.h"

namespace structured::torch {

using Gradients = ::torch::autograd::variable_list;

/// The edges of the differentiable inputs of a call.
struct InputEdges {
  ::torch::autograd::edge_list edges;
  /// For each input, the position of its first edge; empty if each input has one edge.
  std::vector<std::size_t> begins;
};

/// A recorded call. `results` of the call are the inputs of the node, and the call's differentiable inputs are the
/// node's outputs: a list has one for each of its tensors.
class BackwardNode : public ::torch::autograd::Node {
 public:
  /// Whether the gradient of an input, or of a tensor in a list, is needed.
  bool needs(std::size_t input) const {
    return any_edge(input, [this](std::size_t edge) { return task_should_compute_output(edge); });
  }
  /// Whether a later backward pass may need the gradient of an input, or of a tensor in a list.
  bool may_need(std::size_t input) const {
    return any_edge(input, [this](std::size_t edge) { return next_edge(edge).is_valid(); });
  }

  void set_inputs(InputEdges inputs) {
    begins_ = std::move(inputs.begins);
    set_next_edges(std::move(inputs.edges));
  }

  /// The results that never require gradients, and the mutable arguments that the derivative need not cover. Emitted
  /// classes hide these where the author named some.
  using ConstantResults = std::index_sequence<>;
  using ConstantArguments = std::index_sequence<>;

  /// Adds an undefined result.
  void add_undefined_result() { undefined_results_.push_back(add_input_metadata(undefined_input())); }

  Gradients apply(Gradients&& results) final {
    const std::lock_guard<std::mutex> lock(mutex_);
    Gradients inputs(num_outputs());
    const auto is_defined = [](const at::Tensor& gradient) { return gradient.defined(); };
    if (std::any_of(results.begin(), results.end(), is_defined)) compute(results, inputs);
    return inputs;
  }

 protected:
  /// Sets the gradients of the inputs that are needed.
  virtual void compute(const Gradients& results, Gradients& inputs) = 0;

  /// Stores the result of an author's `backward` function, which has one gradient for each of the inputs.
  template <std::size_t... inputs, class Result>
  void set_gradients(Gradients& gradients, Result&& result) const {
    if constexpr (sizeof...(inputs) == 1) {
      (set_gradient(gradients, inputs, std::forward<Result>(result)), ...);
    } else {
      std::apply([&](auto&&... each) { (set_gradient(gradients, inputs, std::move(each)), ...); },
                 std::forward<Result>(result));
    }
  }

  /// The gradient of a result: zeros if none arrived, undefined if the result was.
  at::Tensor gradient(const Gradients& results, std::size_t index) const {
    const bool was_undefined =
        std::find(undefined_results_.begin(), undefined_results_.end(), index) != undefined_results_.end();
    return results[index].defined() || was_undefined ? results[index] : input_metadata(index).zeros_like();
  }
  Gradients gradients(const Gradients& results) const {
    Gradients all;
    for (std::size_t i = 0; i < results.size(); ++i) all.push_back(gradient(results, i));
    return all;
  }

 private:
  std::size_t begin_of(std::size_t input) const { return begins_.empty() ? input : begins_[input]; }
  std::size_t end_of(std::size_t input) const {
    if (begins_.empty()) return input + 1;
    return input + 1 < begins_.size() ? begins_[input + 1] : num_outputs();
  }
  template <class Test>
  bool any_edge(std::size_t input, const Test& test) const {
    for (std::size_t edge = begin_of(input); edge < end_of(input); ++edge) {
      if (test(edge)) return true;
    }
    return false;
  }

  void set_gradient(Gradients& gradients, std::size_t input, at::Tensor gradient) const {
    gradients[begin_of(input)] = std::move(gradient);
  }
  template <class T>
  void set_gradient(Gradients& gradients, std::size_t input, const c10::optional<T>& gradient) const {
    if (gradient.has_value()) set_gradient(gradients, input, *gradient);
  }
  template <class T>
  void set_gradient(Gradients& gradients, std::size_t input, const std::vector<T>& list) const {
    const std::size_t first = begin_of(input);
    const std::size_t count = end_of(input) - first;
    TORCH_CHECK(list.size() == count, "expected a gradient for each tensor of the list: ", count, ", got ",
                list.size());
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, at::Tensor>) {
        gradients[first + i] = list[i];
      } else if (list[i].has_value()) {
        gradients[first + i] = *list[i];
      }
    }
  }

  std::vector<std::size_t> begins_;  // see InputEdges
  std::vector<std::size_t> undefined_results_;
};

/// The gradient of a result, if one arrived.
inline c10::optional<at::Tensor> optional_gradient(const at::Tensor& gradient) {
  return gradient.defined() ? c10::optional<at::Tensor>(gradient) : c10::nullopt;
}

/// The gradients that arrived of the elements of a list, in the type of list that the author's function takes.
class OptionalGradients {
 public:
  explicit OptionalGradients(const Gradients& results) {
    for (const at::Tensor& gradient : results) gradients_.push_back(optional_gradient(gradient));
  }
  operator std::vector<c10::optional<at::Tensor>>() const { return gradients_; }
  operator c10::ArrayRef<c10::optional<at::Tensor>>() const { return gradients_; }
  operator c10::List<c10::optional<at::Tensor>>() const {
    c10::List<c10::optional<at::Tensor>> list;
    for (const c10::optional<at::Tensor>& gradient : gradients_) list.push_back(gradient);
    return list;
  }

 private:
  std::vector<c10::optional<at::Tensor>> gradients_;
};

namespace detail {

// Functions that all operators share are not inline.

[[gnu::noinline]] inline void add_edge(::torch::autograd::edge_list& edges, const at::Tensor& tensor) {
  edges.push_back(tensor.defined() ? ::torch::autograd::impl::gradient_edge(tensor) : ::torch::autograd::Edge());
}

using NodePointer = decltype(::torch::autograd::Edge::function);

/// Makes a result of a recorded call belong to its node. `is_constant` says that the result requires no gradients.
[[gnu::noinline]] inline void record_result(at::Tensor& result, const NodePointer& node, bool is_constant) {
  if (!result.defined()) {
    static_cast<BackwardNode&>(*node).add_undefined_result();
  } else if (is_constant || !::torch::autograd::isDifferentiableType(result.scalar_type())) {
    node->add_input_metadata(result);
  } else {
    ::torch::autograd::set_history(result, node);
  }
}

template <std::size_t... indices>
bool contains(std::index_sequence<indices...>, std::size_t index) {
  return ((indices == index) || ...);
}

[[gnu::noinline]] inline at::Tensor clone_of(const at::Tensor& tensor) { return tensor.clone(); }
[[gnu::noinline]] inline void copy_result(at::Tensor& self, const at::Tensor& result) { self.copy_(result); }

/// Whether an argument of this type has any number of tensors.
template <class Argument>
inline constexpr bool is_list_of_tensors =
    is_collection_of_tensors<Argument> && !std::is_same_v<Argument, c10::optional<at::Tensor>>;

/// Adds an edge for a tensor, or for each tensor of a list; an empty one for none.
template <class Argument>
void add_edges(::torch::autograd::edge_list& edges, const Argument& argument) {
  if constexpr (std::is_same_v<Argument, c10::optional<at::Tensor>>) {
    add_edge(edges, argument.has_value() ? *argument : at::Tensor());
  } else if constexpr (std::is_same_v<Argument, c10::List<c10::optional<at::Tensor>>>) {
    for (std::size_t i = 0; i < argument.size(); ++i) add_edges<c10::optional<at::Tensor>>(edges, argument.get(i));
  } else if constexpr (is_list_of_tensors<Argument> && requires { argument.has_value(); }) {
    if (argument.has_value()) add_edges(edges, *argument);
  } else {
    visit_tensors(argument, [&](const at::Tensor& tensor) { add_edge(edges, tensor); });
  }
}

/// Returns the edges of the differentiable arguments, whose positions are given. An undefined tensor has an empty edge.
template <class Arguments, std::size_t... positions>
InputEdges edges_of(const Arguments& arguments, std::index_sequence<positions...>) {
  InputEdges inputs;
  const auto add = [&](const auto& argument) {
    inputs.begins.push_back(inputs.edges.size());
    add_edges(inputs.edges, argument);
  };
  (add(std::get<positions>(arguments)), ...);
  constexpr bool has_list =
      (is_list_of_tensors<std::remove_cvref_t<std::tuple_element_t<positions, Arguments>>> || ...);
  if (!has_list) inputs.begins.clear();
  return inputs;
}

/// Whether a call with these arguments is recorded.
template <class Arguments, std::size_t... positions>
bool records(const Arguments& arguments, std::index_sequence<positions...>) {
  return ::torch::autograd::GradMode::is_enabled() && requires_grad(std::get<positions>(arguments)...);
}

/// Returns the results of `call()`, recorded as a node of the emitted class `Node` for the operator and its arguments.
template <class F, class Node, class Call, class... Arguments>
auto record_call(const c10::TypedOperatorHandle<F>& op, const Call& call, Arguments&... arguments) {
  auto owner = make_node<Node>();
  auto& node = static_cast<Node&>(*owner);
  node.set_inputs(edges_of(std::forward_as_tuple(arguments...), typename Node::Differentiable()));
  node.save(arguments...);
  auto result = call();
  Redispatch<F>::check_results(op, result, /*accepts_written=*/false, arguments...);
  visit_results(result, [&](at::Tensor& tensor, std::size_t index) {
    record_result(tensor, owner, contains(typename Node::ConstantResults(), index));
  });
  node.save_results(result);
  return result;
}

}  // namespace detail

/// The Autograd kernel of a functional operator with derivatives. `Node` is the emitted class of recorded calls, with
/// `Differentiable`, the positions of the arguments with gradients, and the functions `save` and `save_results`.
/// `decomposed` is empty, or the name of the operator with the decomposition, which computes forward-mode derivatives.
template <class F, Text name, class Node, Text decomposed = "">
class Recorded;

template <class R, class... A, Text name, class Node, Text decomposed>
class Recorded<R(A...), name, Node, decomposed> : Layers<R(A...), name> {
  using Below = detail::Redispatch<R(A...)>;

 public:
  static R record(c10::DispatchKeySet keys, A... arguments) {
    if constexpr (decomposed.view().empty()) {
      detail::check_tangents(name.view(), arguments...);
    } else if (detail::has_tangent(arguments...)) [[unlikely]] {
      // One level of torch.func may see the tangent of another one only here.
      return detail::find_operator_handle(decomposed.view()).template typed<R(A...)>().call(arguments...);
    }
    const auto& op = Recorded::handle();
    if constexpr (Below::may_be_mutating) {
      // The derivative does not cover the previous values of mutable arguments.
      if (c10::GradMode::is_enabled() && Below::writes_to_gradients(op, arguments...)) [[unlikely]] {
        return Below::fail_in_backward(op, keys, /*records_results=*/true, std::forward<A>(arguments)...);
      }
    }
    if (!detail::records(std::forward_as_tuple(arguments...), typename Node::Differentiable())) [[likely]] {
      return Recorded::below_autograd(keys, std::forward<A>(arguments)...);
    }
    std::vector<at::Tensor> written;
    std::vector<at::Tensor> inputs;  // with gradients, from which `written` is computed
    if constexpr (Below::may_be_mutating) {
      written = writable(op, typename Node::ConstantArguments(), arguments...);
      if (!written.empty()) inputs = Below::requiring_gradients(arguments...);
    }
    const auto call = [&]() -> R { return Recorded::below_autograd(keys, arguments...); };
    R result = detail::record_call<R(A...), Node>(op, call, arguments...);
    if (!written.empty()) detail::fail_in_backward(Below::full_name(op), inputs, written, {});
    return result;
  }

 private:
  template <std::size_t... excepted>
  static std::vector<at::Tensor> writable(const typename Below::Handle& op, std::index_sequence<excepted...>,
                                          const std::remove_reference_t<A>&... arguments) {
    return Below::writable(op, {excepted...}, arguments...);
  }
};

/// The Autograd kernel of an in-place operator with derivatives. It calls the functional variant, which is recorded,
/// and copies the result: PyTorch's compiler would treat the result of a node of its own as a view.
template <class F, Text name, class Node, Text functional, bool is_decomposed = false>
class RecordedInplace;

template <class R, class... A, Text name, class Node, Text functional, bool is_decomposed>
class RecordedInplace<R(at::Tensor&, A...), name, Node, functional, is_decomposed>
    : Layers<R(at::Tensor&, A...), name> {
 public:
  static R record(c10::DispatchKeySet keys, at::Tensor& self, A... arguments) {
    const bool has_tangent = is_decomposed && detail::has_tangent(self, arguments...);
    if (!is_decomposed) detail::check_tangents(name.view(), self, arguments...);
    if (!has_tangent && !detail::records(std::forward_as_tuple(self, arguments...), typename Node::Differentiable()))
        [[likely]] {
      return RecordedInplace::below_autograd(keys, self, std::forward<A>(arguments)...);
    }
    static const auto target =
        detail::find_operator_handle(functional.view()).template typed<at::Tensor(const at::Tensor&, A...)>();
    detail::check_writable(self);
    detail::copy_result(self, target.call(detail::clone_of(self), std::forward<A>(arguments)...));
    return static_cast<R>(self);
  }
};

}  // namespace structured::torch
