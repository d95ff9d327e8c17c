#include "structured/autograd/view.h"

#include <algorithm>

#include "structured/autograd/grad_mode.h"
#include "structured/autograd/gradient_operators.h"
#include "structured/autograd/leaf.h"
#include "structured/autograd/record.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured::autograd {
namespace {

// Place of a tensor in its storage.
struct Geometry {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset;

  static Geometry of(const Tensor& tensor) {
    return {{tensor.sizes().begin(), tensor.sizes().end()},
            {tensor.strides().begin(), tensor.strides().end()},
            tensor.storage_offset()};
  }
  // Number of elements from the start of the storage to the last one.
  int64_t reach() const {
    int64_t last = offset;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0) return 0;
      last += (sizes[i] - 1) * strides[i];
    }
    return last + 1;
  }
  Tensor of_storage(const Tensor& elements) const { return as_strided(elements, sizes, strides, offset); }
  // `elements` with `values` in this place. While gradients are recorded this is a copy, since views of `elements` from
  // before are needed unchanged.
  Tensor with_values(const Tensor& elements, const Tensor& values) const {
    if (is_grad_enabled()) return as_strided_scatter(elements, values, sizes, strides, offset);
    Tensor place = of_storage(elements);
    copy_in_place(place, values);
    return elements;
  }
};

// Zeros in the place of `geometry`, as a tensor over the elements of its storage up to `reach`.
Tensor zero_storage(int64_t reach, const Tensor& like) { return detail::zeros({reach}, like.options()); }

void check_same_dtype(const Tensor& view, const Tensor& base) {
  STRUCTURED_CHECK(view.dtype() == base.dtype(), "in-place operators on a view of dtype ", view.dtype(),
                   " of a tensor of dtype ", base.dtype(), " are not supported while gradients are recorded");
}

// Computes a view from its base by its place in the storage.
class AsStridedNode final : public NodeOf<1> {
 public:
  AsStridedNode(const Tensor& view, const Tensor& base) : view_(Geometry::of(view)), base_(Geometry::of(base)) {
    connect(0, edge_of(base));
    set_view_version(view.version());
  }

  std::string_view name() const override { return "AsStridedBackward0"; }

  void apply(Gradients results, Gradients inputs) override {
    for (std::size_t i = 0; i < view_.sizes.size(); ++i) {
      STRUCTURED_CHECK(view_.strides[i] != 0 || view_.sizes[i] <= 1,
                       "the gradient of an expanded view whose base was modified by an in-place operator is not "
                       "supported");
    }
    const Tensor zeros = zero_storage(std::max(view_.reach(), base_.reach()), results[0]);
    inputs[0] = base_.of_storage(view_.with_values(zeros, results[0]));
  }

 private:
  Geometry view_;
  Geometry base_;
};

// Computes a base one of whose views was overwritten by `function`. Its inputs are the base's previous value and the
// inputs of `function` but for the first, which is the previous value of the view.
class CopySlices final : public DynamicNode {
 public:
  CopySlices(const Tensor& view, const Tensor& base, NodePtr function)
      : DynamicNode(function->next_nodes().size(), 1),
        view_(Geometry::of(view)),
        base_(Geometry::of(base)),
        function_(std::move(function)) {
    connect(0, edge_of(base));
    for (std::size_t i = 1; i < function_->next_nodes().size(); ++i) {
      connect(i, function_->next_edge(i));
      if (const GradientShape* shape = function_->shape_of(i)) expect_shape(i, *shape);
    }
  }

  std::string_view name() const override { return "CopySlices"; }

  void apply(Gradients results, Gradients inputs) override {
    const Tensor zeros = zero_storage(std::max(view_.reach(), base_.reach()), results[0]);
    const Tensor elements = base_.with_values(zeros, results[0]);
    Tensor of_result = clone(view_.of_storage(elements));
    std::vector<Tensor> of_inputs(inputs.size());
    function_->apply({&of_result, 1}, of_inputs);
    const Tensor of_view = of_inputs[0].defined() ? sum_to_size(of_inputs[0], view_.sizes)
                                                  : detail::zeros(view_.sizes, elements.options());
    inputs[0] = base_.of_storage(view_.with_values(elements, of_view));
    for (std::size_t i = 1; i < inputs.size(); ++i) inputs[i] = std::move(of_inputs[i]);
  }

  void release_saved() override { function_->release_saved(); }

 private:
  Geometry view_;
  Geometry base_;
  NodePtr function_;
};

void set_computed(const Tensor& tensor, Node* node) { replace_history(tensor, NodePtr::adopt(node)); }

}  // namespace

void replace_history(const Tensor& tensor, const NodePtr& node) {
  const auto* const previous = static_cast<const Node*>(tensor.impl()->autograd());
  if (previous != nullptr && previous->retains(tensor.impl()->output_index())) node->retain(0);
  set_history(tensor, node);
}

void update_view(const Tensor& view) {
  auto* const node = static_cast<Node*>(view.impl()->autograd());
  const Tensor base = view.base();
  if (!base.requires_grad() || find_leaf(view) != nullptr || node->view_version() == view.version()) return;
  if (view.dtype() != base.dtype()) return;  // no in-place operator has recorded a write to such a view
  set_computed(view, new AsStridedNode(view, base));
}

void rebase_base(const Tensor& view, const NodePtr& node) {
  const Tensor base = view.base();
  check_same_dtype(view, base);
  set_computed(base, new CopySlices(view, base, node));
  set_computed(view, new AsStridedNode(view, base));
}

}  // namespace structured::autograd
