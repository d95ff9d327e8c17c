#include "structured/autograd/record.h"

#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/view.h"
#include "structured/base/error.h"

namespace structured::autograd {
namespace {

// The view that the last in-place operator on this thread was to change, and what it looked like before.
struct CheckedView {
  const TensorImpl* view;
  uint64_t hash;
};
constinit thread_local CheckedView checked_view{nullptr, 0};

uint64_t hash_of_geometry(const Tensor& tensor) {
  constexpr uint64_t factor = 0x9e3779b97f4a7c15;
  auto hash = static_cast<uint64_t>(tensor.storage_offset());
  hash = hash * factor + static_cast<uint64_t>(tensor.dim());
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    hash = (hash ^ static_cast<uint64_t>(tensor.size(d))) * factor;
    hash = (hash ^ static_cast<uint64_t>(tensor.stride(d))) * factor;
  }
  return hash;
}

// Whether the recorded nodes of a view lead from `node` to that of its base, `end`. They do unless the base was
// overwritten by a recorded call.
bool leads_to(const Node* node, const Node* end) {
  constexpr int max_views = 64;  // nodes of an older base may have a long history
  for (int i = 0; i < max_views && node != end; ++i) {
    if (node->next_nodes().size() != 1 || !node->needs(0)) return false;
    node = node->next_nodes()[0];
  }
  return node == end;
}

// Throws Error if `self`, or a view that it is a view of, is one of several views that a call has returned.
void check_views(const Tensor& self, const Tensor& base) {
  const auto* node = static_cast<const Node*>(self.impl()->autograd());
  const auto* const end = static_cast<const Node*>(base.impl()->autograd());
  std::size_t output = self.impl()->output_index();
  if (node->result_count() == 1 && !leads_to(node, end)) {
    update_view(self);
    node = static_cast<const Node*>(self.impl()->autograd());
  }
  while (node != end && node->result_count() == 1) {
    if (node->next_nodes().size() != 1 || !node->needs(0)) return;
    output = node->next_edge(0).output;
    node = node->next_nodes()[0];
  }
  STRUCTURED_CHECK(node == end, "Output ", output, " of ", node->name(),
                   " is a view and is being modified inplace. This view is the output of a function that returns "
                   "multiple views. Such functions do not allow the output views to be modified inplace. You should "
                   "replace the inplace operation by an out-of-place one.");
}

}  // namespace

void set_history(const std::vector<Tensor>& results, const NodePtr& node) {
  for (std::size_t i = 0; i < results.size(); ++i) set_history(results[i], node, static_cast<uint16_t>(i));
}

void set_view_history(const Tensor& result, const NodePtr& node, uint16_t index) {
  if (!result.defined() || result.is_inference()) return;
  set_history(result, node, index);
  node->set_view_version(result.version());
}

void set_view_history(const std::vector<Tensor>& results, const NodePtr& node) {
  for (std::size_t i = 0; i < results.size(); ++i) set_view_history(results[i], node, static_cast<uint16_t>(i));
}

Tensor copy_of(const Tensor& self) { return clone(self); }

void check_inplace(const Tensor& self) {
  if (!is_grad_enabled()) return;
  self.storage().check_writable();
  if (self.requires_grad() && self.is_leaf()) {
    fail(self.is_view() ? "a view of a leaf Variable that requires grad is being used in an in-place operation."
                        : "a leaf Variable that requires grad is being used in an in-place operation.");
  }
  if (!self.is_view() || self.is_inference()) return;
  checked_view = {self.impl(), hash_of_geometry(self)};
  const Tensor base = self.base();
  STRUCTURED_CHECK(!base.requires_grad() || !base.is_leaf(),
                   "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  STRUCTURED_CHECK(base.requires_grad() || !self.requires_grad(),
                   "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  if (self.requires_grad()) check_views(self, base);
}

// Operators such as squeeze_ change a view and not the data that it shares with its base.
void rebase_history(const Tensor& self, const NodePtr& node) {
  if (!self.is_view() || self.is_inference()) return replace_history(self, node);
  const bool is_reshaped = self.impl() == checked_view.view && hash_of_geometry(self) != checked_view.hash;
  is_reshaped ? set_view_history(self, node) : rebase_base(self, node);
}

void fail_out(std::string_view op) {
  fail(op,
       "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
       "requires grad.");
}

}  // namespace structured::autograd
