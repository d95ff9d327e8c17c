#pragma once
// Calls, with tensors that require gradients, of operators without a recording wrapper.

namespace structured::autograd {

/// Lets Layer::Autograd handle such calls: the results require gradients, but a backward pass that reaches the call
/// throws. Called when the first tensor requires gradients.
void install_layer();

}  // namespace structured::autograd
