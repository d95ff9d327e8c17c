#pragma once
// Definitions of batching rules: torch.vmap calls an operator with tensors that have a hidden batch dimension.
//
// An operator with the tag `pointwise` is called once, with the batch dimension in front and the other dimensions
// aligned from the last one. Any other operator is called once for each element of the batch, without PyTorch's
// warning.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "structured/torch/library.h"

#if STRUCTURED_TORCH_HAS_BATCHING
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/PlumbingHelper.h>
#include <ATen/functorch/VmapInterpreter.h>
#include <ATen/ops/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace structured::torch::detail {

/// A tensor without the batch dimension of one level of torch.vmap, and that dimension, if the tensor has one.
struct Unbatched {
  at::Tensor tensor;
  std::optional<int64_t> dim;

  Unbatched(const at::Tensor& argument, int64_t level) : tensor(argument) {
    if (argument.defined()) std::tie(tensor, dim) = at::functorch::unwrapTensorAtLevel(argument, level);
  }

  /// The rank without the batch dimension.
  int64_t rank() const { return tensor.dim() - (dim ? 1 : 0); }
};

inline bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

/// Returns the position of the mutable argument that a result is; nullopt for a new tensor.
inline std::optional<std::size_t> find_returned_argument(const c10::FunctionSchema& schema,
                                                         const c10::Argument& result) {
  if (!is_written(result)) return std::nullopt;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (is_written(argument) && argument.alias_info()->beforeSets() == result.alias_info()->beforeSets()) return i;
  }
  return std::nullopt;
}

/// Calls `visit` for each tensor in an argument: a tensor, or a list with tensors.
template <class Visit>
void visit_tensors_in(const c10::IValue& argument, const Visit& visit) {
  if (argument.isTensor()) {
    visit(argument.toTensor());
  } else if (argument.isTensorList() || argument.isOptionalTensorList()) {
    for (const c10::IValue& element : argument.toListRef()) {
      if (element.isTensor()) visit(element.toTensor());
    }
  }
}

/// One call of an operator inside of torch.vmap.
class BatchedCall {
 public:
  BatchedCall(const c10::OperatorHandle& op, const std::vector<c10::IValue>& arguments, int64_t level)
      : op_(op), arguments_(arguments), level_(level) {
    for (const c10::IValue& argument : arguments_) {
      visit_tensors_in(argument, [this](const at::Tensor& tensor) { add(tensor); });
    }
  }

  bool is_batched() const { return size_.has_value(); }

  /// Makes a call with no batched argument a call for each of `size` elements.
  void repeat(int64_t size) { size_ = size; }

  /// Calls the operator once. The caller has checked that the operator is elementwise.
  void run_aligned(::torch::jit::Stack& stack) const {
    call(stack, [this](const at::Tensor& argument) {
      const Unbatched unbatched(argument, level_);
      if (!unbatched.dim) return unbatched.tensor;
      at::Tensor tensor = unbatched.tensor.movedim(*unbatched.dim, 0);
      for (int64_t rank = unbatched.rank(); rank < max_rank_; ++rank) tensor = tensor.unsqueeze(1);
      return tensor;
    });
    for (std::size_t i = 0; i < op_.schema().returns().size(); ++i) {
      c10::IValue& result = stack[stack.size() - op_.schema().returns().size() + i];
      const std::optional<c10::IValue> argument = returned_argument(i);
      result = argument ? *argument : at::functorch::makeBatched(result.toTensor(), 0, level_);
    }
  }

  /// Calls the operator once for each element of the batch.
  void run_each(::torch::jit::Stack& stack) const {
    const auto& returns = op_.schema().returns();
    const bool has_new_result = std::any_of(returns.begin(), returns.end(), [this](const c10::Argument& result) {
      return !find_returned_argument(op_.schema(), result);
    });
    TORCH_CHECK(!has_new_result || *size_ > 0, known_name(op_.schema().operator_name()),
                ": vmap over a dimension of size 0 needs an operator with the tag `pointwise`");
    std::vector<std::vector<c10::IValue>> results(returns.size());
    for (int64_t i = 0; i < *size_; ++i) {
      ::torch::jit::Stack values;
      call(values, [this, i](const at::Tensor& argument) {
        const Unbatched unbatched(argument, level_);
        return unbatched.dim ? unbatched.tensor.select(*unbatched.dim, i) : unbatched.tensor;
      });
      for (std::size_t j = 0; j < returns.size(); ++j) results[j].push_back(std::move(values[j]));
    }
    for (std::size_t j = 0; j < returns.size(); ++j) {
      const std::optional<c10::IValue> argument = returned_argument(j);
      stack.push_back(argument ? *argument : stacked(results[j]));
    }
  }

  /// Whether one call on aligned tensors computes what separate calls compute: the dtype of a result depends on which
  /// tensors have dimensions, and alignment gives dimensions to tensors that had none.
  bool can_align() const {
    const auto is_tensor = [](const c10::Argument& result) {
      return result.type()->kind() == c10::TypeKind::TensorType;
    };
    return std::all_of(op_.schema().returns().begin(), op_.schema().returns().end(), is_tensor) &&
           (!has_batched_number_ || is_same_dtype_);
  }

  /// Reports mutable arguments that would need a batch dimension.
  void check_mutable_arguments() const {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const c10::Argument& argument = op_.schema().arguments()[i];
      if (!is_written(argument)) continue;
      visit_tensors_in(arguments_[i], [&](const at::Tensor& tensor) {
        TORCH_CHECK(!tensor.defined() || at::functorch::isBatchedAtLevel(tensor, level_),
                    "vmap: ", known_name(op_.schema().operator_name()), " cannot write to `", argument.name(),
                    "`, which is not batched, since another argument is. Use the functional variant, or batch `",
                    argument.name(), "` too.");
      });
    }
  }

 private:
  void add(const at::Tensor& argument) {
    const Unbatched unbatched(argument, level_);
    if (!unbatched.tensor.defined()) return;
    if (unbatched.dim) {
      size_ = unbatched.tensor.size(*unbatched.dim);
      has_batched_number_ = has_batched_number_ || unbatched.rank() == 0;
    }
    max_rank_ = std::max(max_rank_, unbatched.rank());
    is_same_dtype_ = is_same_dtype_ && (!dtype_ || *dtype_ == unbatched.tensor.scalar_type());
    dtype_ = unbatched.tensor.scalar_type();
  }

  // The argument that result `index` is, if it is one.
  std::optional<c10::IValue> returned_argument(std::size_t index) const {
    const std::optional<std::size_t> argument = find_returned_argument(op_.schema(), op_.schema().returns()[index]);
    return argument ? std::optional(arguments_[*argument]) : std::nullopt;
  }

  // Pushes the arguments, with `replace(tensor)` in place of tensors, and calls the operator.
  template <class Replace>
  void call(::torch::jit::Stack& stack, const Replace& replace) const {
    for (const c10::IValue& argument : arguments_) {
      if (argument.isTensor()) {
        stack.emplace_back(replace(argument.toTensor()));
      } else if (argument.isTensorList()) {
        c10::List<at::Tensor> list;
        for (const at::Tensor& tensor : argument.toTensorVector()) list.push_back(replace(tensor));
        stack.emplace_back(std::move(list));
      } else if (argument.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> list;
        for (const std::optional<at::Tensor>& tensor : argument.toOptionalTensorVector()) {
          list.push_back(tensor ? std::optional(replace(*tensor)) : std::nullopt);
        }
        stack.emplace_back(std::move(list));
      } else {
        stack.push_back(argument);
      }
    }
    op_.callBoxed(stack);
  }

  // Returns the results of all calls as one batched value.
  c10::IValue stacked(const std::vector<c10::IValue>& values) const {
    const auto stack = [&](const auto& tensor_of) {
      std::vector<at::Tensor> tensors;
      for (const c10::IValue& value : values) tensors.push_back(tensor_of(value));
      return at::functorch::makeBatched(at::stack(tensors), 0, level_);
    };
    if (values.front().isTensor()) {
      return stack([](const c10::IValue& value) { return value.toTensor(); });
    }
    if (std::all_of(values.begin(), values.end(), [](const c10::IValue& value) { return value.isNone(); })) return {};
    TORCH_CHECK(values.front().isTensorList(), "vmap: ", known_name(op_.schema().operator_name()),
                " returns a value that is neither a tensor nor a list of tensors");
    c10::List<at::Tensor> list;
    for (std::size_t i = 0; i < values.front().toListRef().size(); ++i) {
      for (const c10::IValue& value : values) {
        TORCH_CHECK(value.toListRef().size() == values.front().toListRef().size(),
                    "vmap: ", known_name(op_.schema().operator_name()),
                    " returned lists of different lengths for elements of the batch");
      }
      list.push_back(stack([i](const c10::IValue& value) { return value.toListRef()[i].toTensor(); }));
    }
    return list;
  }

  const c10::OperatorHandle& op_;
  const std::vector<c10::IValue>& arguments_;
  int64_t level_;
  std::optional<int64_t> size_;  // number of elements in the batch
  int64_t max_rank_ = 0;
  bool has_batched_number_ = false;  // a batched tensor that has no other dimension
  bool is_same_dtype_ = true;
  std::optional<at::ScalarType> dtype_;
};

void call_batched(const c10::OperatorHandle& op, c10::DispatchKeySet, ::torch::jit::Stack* stack) {
  const auto layer = at::functorch::maybeCurrentDynamicLayer();
  const c10::FunctionSchema& schema = op.schema();
  TORCH_CHECK(layer.has_value(), known_name(schema.operator_name()),
              ": an argument was used after its torch.vmap ended");
  const c10::impl::ExcludeDispatchKeyGuard below(
      c10::DispatchKeySet({c10::DispatchKey::FuncTorchBatched, c10::DispatchKey::FuncTorchVmapMode}));
  const std::vector<c10::IValue> arguments = ::torch::jit::pop(*stack, schema.arguments().size());
  BatchedCall call(op, arguments, layer->layerId());

  const bool is_random = op.hasTag(at::Tag::nondeterministic_seeded);
  if (is_random) {
    TORCH_CHECK(layer->randomness() != at::functorch::RandomnessType::Error, "vmap: called the random operator ",
                known_name(schema.operator_name()),
                " with randomness='error'. Use randomness='same' or randomness='different'.");
    if (layer->randomness() == at::functorch::RandomnessType::Different) {
      if (!call.is_batched())
        call.repeat(at::functorch::VmapInterpreterPtr(&layer->interpreter()).batchSize().expect_int());
    } else {
      TORCH_CHECK(!call.is_batched(), "vmap: the random operator ", known_name(schema.operator_name()),
                  " with batched arguments needs randomness='different'");
    }
  }
  if (!call.is_batched()) {
    stack->insert(stack->end(), arguments.begin(), arguments.end());
    op.callBoxed(stack);
    return;
  }

  for (const c10::Argument& result : schema.returns()) {
    TORCH_CHECK(result.alias_info() == nullptr || result.alias_info()->isWrite(),
                "vmap: ", known_name(schema.operator_name()),
                " returns a view of an argument, and has no batching rule");
  }
  call.check_mutable_arguments();
  if (!is_random && op.hasTag(at::Tag::pointwise) && call.can_align()) {
    call.run_aligned(*stack);
  } else {
    call.run_each(*stack);
  }
}

}  // namespace structured::torch::detail
#endif
