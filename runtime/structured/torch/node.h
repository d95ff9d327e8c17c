#pragma once
// Nodes of libtorch's autograd.
#include <torch/csrc/autograd/function.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace structured::torch::detail {

/// Makes a node of autograd. Later versions of libtorch count nodes by intrusive pointers, earlier ones by shared
/// pointers.
template <class Node, class Pointer = decltype(::torch::autograd::Edge::function), class... Arguments>
Pointer make_node(Arguments&&... arguments) {
  if constexpr (std::is_same_v<Pointer, std::shared_ptr<::torch::autograd::Node>>) {
    return Pointer(new Node(std::forward<Arguments>(arguments)...), [](auto* node) { deleteNode(node); });
  } else {
    return c10::make_intrusive<Node>(std::forward<Arguments>(arguments)...);
  }
}

}  // namespace structured::torch::detail
