#include "structured/autograd/overwritten.h"

#include <string>
#include <utility>

#include "structured/base/error.h"

namespace structured::autograd {
namespace {

// Stands for one tensor that a call computed or overwrote. An overwritten tensor's previous value is input 0, as the
// history of its base requires.
class NotImplemented final : public DynamicNode {
 public:
  NotImplemented(std::string op, const Tensor& previous, const std::vector<Tensor>& inputs)
      : DynamicNode(inputs.size() + 1), op_(std::move(op)) {
    if (previous.defined()) connect(0, previous);
    for (std::size_t i = 0; i < inputs.size(); ++i) connect(i + 1, inputs[i]);
  }

  std::string_view name() const override { return "NotImplemented"; }
  void apply(Gradients, Gradients) override { fail("derivative for ", op_, " is not implemented"); }

 private:
  std::string op_;
};

}  // namespace

void check_overwritten(std::string_view op, const std::vector<Tensor>& written) {
  if (!is_grad_enabled()) return;
  for (const Tensor& tensor : written) {
    check_inplace(tensor);
    STRUCTURED_CHECK(!tensor.requires_grad(), op,
                     " writes to a tensor that requires gradients, and its derivative does not cover the new value; "
                     "call it in the scope of a NoGradGuard, or pass a detached tensor");
  }
}

void fail_in_backward(std::string_view op, const std::vector<Tensor>& inputs, const std::vector<Tensor>& written,
                      const std::vector<Tensor>& results) {
  const auto make_node = [&](const Tensor& previous) {
    return NodePtr::adopt(new NotImplemented(std::string(op), previous, inputs));
  };
  std::vector<NodePtr> nodes;  // made before an input gets a new history
  for (const Tensor& tensor : written) nodes.push_back(make_node(tensor));
  for (const Tensor& result : results) set_history(result, make_node({}));
  for (std::size_t i = 0; i < written.size(); ++i) rebase_history(written[i], nodes[i]);
}

}  // namespace structured::autograd
