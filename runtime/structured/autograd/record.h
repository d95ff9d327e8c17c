#pragma once
// Steps of the wrappers that record calls.
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/autograd/forward_mode.h"
#include "structured/autograd/grad_mode.h"
#include "structured/autograd/node.h"
#include "structured/base/error.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/backend.h"
#include "structured/dispatch/operator.h"

namespace structured::autograd {

/// Whether some tensor of an argument requires gradients.
template <class T>
STRUCTURED_ALWAYS_INLINE bool requires_grad(const T& argument) {
  if constexpr (std::is_same_v<T, Tensor>) {
    return argument.requires_grad();
  } else if constexpr (std::is_same_v<T, std::optional<Tensor>>) {
    return argument.has_value() && argument->requires_grad();
  } else {
    for (const auto& element : argument) {
      if (requires_grad(element)) return true;
    }
    return false;
  }
}

/// Whether a call with these differentiable inputs is to be recorded.
template <class... T>
STRUCTURED_ALWAYS_INLINE bool records(const T&... inputs) {
  return is_grad_enabled() && (requires_grad(inputs) || ...);
}

/// Whether tensors of this dtype have gradients.
constexpr bool is_differentiable(ScalarType dtype) { return is_floating(dtype) || is_complex(dtype); }

/// Runs the kernel of the arguments' backend. The kernel's own calls are not recorded.
template <class R, class... A>
STRUCTURED_ALWAYS_INLINE R call_backend(const Operator<R(A...)>& op, std::type_identity_t<A>... args) {
  const NoGradGuard guard;
  return op.call(dispatch_backend(args...), std::forward<A>(args)...);
}

/// Computes the tangent of a result of `node`, which has been recorded, if an input has one.
STRUCTURED_API STRUCTURED_COLD void propagate_tangents(Node& node, uint16_t index, const Tensor& result);

/// Makes `node` the node that computed `result`, unless its dtype has no gradients.
STRUCTURED_ALWAYS_INLINE void set_history(const Tensor& result, NodePtr node, uint16_t index = 0) {
  if (!result.defined() || !is_differentiable(result.dtype())) return;
  Node& computed = *node;
  result.impl()->set_autograd(node.release(), true, index);
  if (structured::detail::tangent_scope != 0) [[unlikely]]
    propagate_tangents(computed, index, result);
}
STRUCTURED_API void set_history(const std::vector<Tensor>& results, const NodePtr& node);
STRUCTURED_ALWAYS_INLINE void set_history(const std::optional<Tensor>& result, NodePtr node, uint16_t index = 0) {
  if (result.has_value()) set_history(*result, std::move(node), index);
}
/// As set_history, for a result that is a view: its gradient follows later writes to the storage. Views of inference
/// tensors have no history.
STRUCTURED_API void set_view_history(const Tensor& result, const NodePtr& node, uint16_t index = 0);
STRUCTURED_API void set_view_history(const std::vector<Tensor>& results, const NodePtr& node);

/// Copy of `self`, which an in-place operator is about to overwrite. The copy is recorded.
STRUCTURED_API Tensor copy_of(const Tensor& self);

/// Throws Error if an in-place operator must not write to `self`: a leaf that requires gradients, or a view of one.
STRUCTURED_API void check_inplace(const Tensor& self);
/// Makes `node` the node that computed `self`, which an in-place operator has overwritten. Input 0 of `node` is the
/// previous value of `self`. If `self` is a view, its base gets the new history, too.
STRUCTURED_API void rebase_history(const Tensor& self, const NodePtr& node);

/// Throws Error if a call is to be recorded whose results are written to the caller's tensors.
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_out(std::string_view op);
template <class... T>
void check_out(std::string_view op, const T&... tensors) {
  if (records(tensors...)) fail_out(op);
}

/// Connects input number `input` of `node`. A tensor that is undefined or requires no gradients is not connected.
template <class NodeType>
void connect(NodeType& node, std::size_t input, const std::optional<Tensor>& tensor, const Tensor& result) {
  if (requires_grad(tensor)) node.connect(input, *tensor, result);
}
template <class NodeType>
STRUCTURED_ALWAYS_INLINE void connect(NodeType& node, std::size_t input, const Tensor& tensor, const Tensor& result) {
  node.connect(input, tensor, result);
}

/// Connects the inputs from number `first` on, one for each tensor.
inline void connect(Node& node, std::size_t first, TensorList tensors, const Tensor& result) {
  for (std::size_t i = 0; i < tensors.size(); ++i) node.connect(first + i, tensors[i], result);
}
/// Connects an input of a call that returns a list of tensors.
inline void connect(Node& node, std::size_t input, const Tensor& tensor) { node.connect(input, tensor); }
inline void connect(Node& node, std::size_t input, const std::optional<Tensor>& tensor) {
  if (tensor.has_value()) node.connect(input, *tensor);
}

namespace impl {

template <std::size_t at>
void set_gradient(Gradients inputs, Tensor gradient) {
  inputs[at] = std::move(gradient);
}
template <std::size_t at>
void set_gradient(Gradients inputs, std::optional<Tensor> gradient) {
  if (gradient.has_value()) inputs[at] = *std::move(gradient);
}
template <std::size_t first>
void set_gradient(Gradients inputs, std::vector<Tensor> gradients) {
  STRUCTURED_CHECK(gradients.size() == inputs.size() - first, "a derivative of a list of ", inputs.size() - first,
                   " tensors returned ", gradients.size(), " gradients");
  for (std::size_t i = 0; i < gradients.size(); ++i) inputs[first + i] = std::move(gradients[i]);
}

}  // namespace impl

/// Stores what a derivative returned as the gradients of these inputs.
template <std::size_t... at, class R>
void set_gradients(Gradients inputs, R gradients) {
  if constexpr (requires { std::tuple_size<R>::value; }) {
    std::apply([&](auto&... each) { (impl::set_gradient<at>(inputs, std::move(each)), ...); }, gradients);
  } else {
    impl::set_gradient<at...>(inputs, std::move(gradients));
  }
}

}  // namespace structured::autograd
