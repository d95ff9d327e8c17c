#pragma once
// Histories of views. A view and its base share data: a write to one of them changes how the other was computed.
#include "structured/autograd/node.h"

namespace structured::autograd {

/// Gives `view` a new history if an operator has written to its data since the last one was recorded: the view of its
/// base's current value. Precondition: `view` is a view and requires gradients.
void update_view(const Tensor& view);

/// Makes `node`, which computed the elements of `view` in place, part of the history of the view's base.
void rebase_base(const Tensor& view, const NodePtr& node);

/// Makes `node`, which computed the elements of `tensor` in place, its history. The node retains the gradient of its
/// result 0 if `tensor` has retained its gradient.
void replace_history(const Tensor& tensor, const NodePtr& node);

}  // namespace structured::autograd
