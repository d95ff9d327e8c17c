#include "structured/autograd/forward_mode.h"

#include <atomic>
#include <utility>

#include "structured/autograd/engine.h"
#include "structured/autograd/grad_mode.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/node.h"
#include "structured/autograd/record.h"
#include "structured/autograd/saved.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured {

namespace detail {

STRUCTURED_THREAD_LOCAL uint64_t tangent_scope = 0;

}  // namespace detail

namespace {

constinit std::atomic<uint64_t> scope_count = 0;

class ScopeGuard {
 public:
  explicit ScopeGuard(uint64_t scope) : previous_(std::exchange(detail::tangent_scope, scope)) {}
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;
  ~ScopeGuard() { detail::tangent_scope = previous_; }

 private:
  uint64_t previous_;
};

class MakeDual final : public autograd::NodeOf<1> {
 public:
  std::string_view name() const override { return "MakeDualBackward"; }
  void apply(autograd::Gradients results, autograd::Gradients inputs) override { inputs[0] = results[0]; }
};

// Computed a gradient that stands for a variable.
class Variable final : public autograd::NodeOf<0> {
 public:
  std::string_view name() const override { return "Variable"; }
  void apply(autograd::Gradients, autograd::Gradients) override {}
};

}  // namespace

ForwardModeGuard::ForwardModeGuard() : previous_(std::exchange(detail::tangent_scope, ++scope_count)) {}

Tensor make_dual(const Tensor& primal, const Tensor& tangent) {
  STRUCTURED_CHECK(detail::tangent_scope != 0, "make_dual: expected a ForwardModeGuard in a scope around the call");
  STRUCTURED_CHECK(is_grad_enabled(), "make_dual: no tangents are computed in a NoGradGuard");
  STRUCTURED_CHECK(autograd::is_differentiable(primal.dtype()),
                   "make_dual: expected `primal` of a floating-point or complex dtype, got ", primal.dtype());
  STRUCTURED_CHECK(
      tangent.sizes() == primal.sizes() && tangent.dtype() == primal.dtype() && tangent.device() == primal.device(),
      "make_dual: expected `tangent` to have the sizes, dtype and device of `primal`, ", primal.sizes(), ", ",
      primal.dtype(), " and ", primal.device(), "; got ", tangent.sizes(), ", ", tangent.dtype(), " and ",
      tangent.device());
  auto* const node = new MakeDual;
  Tensor result = Tensor::adopt(TensorImpl::create_detached(*primal.impl()));
  result.impl()->set_autograd(node, true);
  node->connect(0, primal);
  node->set_tangent(0, detail::tangent_scope, tangent.detach());
  return result;
}

Tensor tangent_of(const Tensor& tensor) {
  const autograd::Edge edge = autograd::edge_of(tensor);
  return edge.node ? edge.node->tangent(edge.output, detail::tangent_scope) : Tensor();
}

Jvp jvp(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function,
        const std::vector<Tensor>& inputs, TensorList tangents) {
  STRUCTURED_CHECK(tangents.size() == inputs.size(), "jvp: expected a tangent for each of ", inputs.size(),
                   " inputs, got ", tangents.size());
  const EnableGradGuard recording;
  const ForwardModeGuard scope;
  std::vector<Tensor> duals;
  for (std::size_t i = 0; i < inputs.size(); ++i) duals.push_back(make_dual(inputs[i], tangents[i]));
  Jvp jvp;
  for (const Tensor& result : function(duals)) {
    const Tensor tangent = tangent_of(result);
    jvp.results.push_back(result.detach());
    jvp.tangents.push_back(tangent.defined() ? tangent : detail::zeros(result.sizes(), result.options()));
  }
  return jvp;
}

namespace autograd {

// The derivative of a call maps the gradient of the result to those of the inputs, and is linear. The derivative of
// that map, by its argument, therefore maps the tangents of the inputs to that of the result.
void propagate_tangents(Node& node, uint16_t index, const Tensor& result) {
  const std::span<Node* const> next = node.next_nodes();
  std::vector<Tensor> tangents(next.size());
  bool is_constant = true;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] == nullptr) continue;
    tangents[i] = next[i]->tangent(node.next_edge(i).output, detail::tangent_scope);
    is_constant &= !tangents[i].defined();
  }
  if (is_constant) return;
  const uint64_t scope = detail::tangent_scope;
  const ScopeGuard outside(0);
  Tensor tangent;
  {
    const EnableGradGuard recording;
    const SavedTensor::WithoutHistory constants;
    // Some derivatives take logarithms of gradients, and those of complex eigenvectors reject most gradients but 0.
    const Tensor variable = detail::full(result.sizes(), is_complex(result.dtype()) ? 0 : 1, result.options());
    variable.impl()->set_autograd(new Variable, true);
    std::vector<Tensor> results(node.result_count());
    results[index] = variable;
    std::vector<Tensor> gradients(next.size());
    node.apply(results, gradients);
    std::vector<Root> roots;
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (!tangents[i].defined() || !gradients[i].defined()) continue;
      const Tensor gradient = in_edge_shape(node, i, gradients[i]);
      if (gradient.requires_grad()) roots.push_back({edge_of(gradient), tangents[i]});
    }
    const Edge edge = edge_of(variable);
    if (!roots.empty()) tangent = run_gradients(roots, {&edge, 1}, {})[0];
  }
  if (tangent.defined()) node.set_tangent(index, scope, std::move(tangent));
}

}  // namespace autograd
}  // namespace structured
