#pragma once
// Definitions of symbolic.h.
#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "structured/torch/symbolic.h"

#if STRUCTURED_TORCH_HAS_SYMBOLS

namespace structured::torch::detail {

// Evaluates a condition on symbols. Returns false if it is not decidable: the symbols stand for data.
#if defined(TORCH_GUARD_OR_FALSE)
#define STRUCTURED_TORCH_GUARD(condition) TORCH_GUARD_OR_FALSE(condition)
#elif defined(TORCH_GUARD_SIZE_OBLIVIOUS)
#define STRUCTURED_TORCH_GUARD(condition) TORCH_GUARD_SIZE_OBLIVIOUS(condition)
#else
#define STRUCTURED_TORCH_GUARD(condition) (condition).guard_bool(__FILE__, __LINE__)
#endif

/// Returns the dimensions, the one with the smallest stride first.
template <class Strides, class IsLess>
std::vector<std::size_t> innermost_first(const Strides& strides, const IsLess& is_less) {
  std::vector<std::size_t> order;
  for (std::size_t dim = strides.size(); dim-- > 0;) {
    std::size_t at = order.size();
    while (at > 0 && is_less(strides[dim], strides[order[at - 1]])) --at;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), dim);
  }
  return order;
}

bool has_dynamic_sizes(const at::Tensor& tensor) {
  if (!has_symbols(tensor)) return false;
  const c10::SymIntArrayRef sizes = tensor.sym_sizes();
  return std::any_of(sizes.begin(), sizes.end(), [](const c10::SymInt& size) { return !size.maybe_as_int(); });
}

c10::optional<c10::OperatorHandle> find_symbolic(const SymbolicFunction& symbolic) {
  if (symbolic.name == nullptr) return c10::nullopt;
  c10::Dispatcher& dispatcher = c10::Dispatcher::singleton();
  if (auto known = dispatcher.findSchema({symbolic.name, ""})) return known;
  // The package defines operators when they are needed.
  const std::string name = symbolic.name;
  const auto define = dispatcher.findSchema({name.substr(0, name.find("::")) + "::_define_symbolic", ""});
  if (!define) return c10::nullopt;
  std::vector<c10::IValue> stack{name};
  define->callBoxed(&stack);
  return dispatcher.findSchema({symbolic.name, ""});
}

namespace {

void fit_output(const at::Tensor& output, const at::Tensor& computed, bool may_resize) {
  TORCH_CHECK(output.scalar_type() == computed.scalar_type(), "Expected out tensor to have dtype ",
              computed.scalar_type(), ", but got ", output.scalar_type(), " instead");
  if (output.sym_sizes() == computed.sym_sizes()) return;
  TORCH_CHECK(may_resize, "expected the changed tensor to have sizes ", computed.sym_sizes(), ", got ",
              output.sym_sizes());
  output.resize__symint(computed.sym_sizes());
}

}  // namespace

std::vector<at::Tensor> call_symbolic(const c10::OperatorHandle& op, Variant variant, std::vector<c10::IValue> stack,
                                      const std::vector<at::Tensor*>& outputs) {
  if (variant == Variant::out) stack.resize(stack.size() - outputs.size());
  c10::List<c10::optional<at::Tensor>> given;
  for (const at::Tensor* output : outputs) given.push_back(*output);
  stack.emplace_back(std::move(given));
  op.callBoxed(&stack);
  std::vector<at::Tensor> computed = stack.front().toTensorVector();
  for (std::size_t i = 0; i < outputs.size(); ++i) fit_output(*outputs[i], computed.at(i), variant == Variant::out);
  return computed;
}

void warn_of_fixed_sizes(const c10::OperatorName& name) {
  TORCH_WARN(name,
             ": the meta function computes sizes from numbers, which fixes the dynamic sizes of this call: "
             "torch.compile compiles again for other sizes, and torch.export with dynamic dimensions fails. Import the "
             "library's Python package, which has the meta function for symbols, unless the build warned of "
             "`fixed-sizes`; or write a `kernel` for \"Meta\" that computes sizes from `sym_sizes()`");
}

StandIns::StandIns(Sizes sizes) : sizes_(sizes), outer_(current()) { current() = this; }
StandIns::~StandIns() { current() = outer_; }

StandIns*& StandIns::current() {
  static thread_local StandIns* innermost = nullptr;
  return innermost;
}

void StandIns::add(const at::Tensor& tensor) {
  if (!tensor.defined()) return;
  const c10::SymIntArrayRef sizes = tensor.sym_sizes();
  numbers_.resize(std::max(numbers_.size(), sizes.size()), 1);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto number = sizes[sizes.size() - 1 - i].maybe_as_int();
    if (number && *number != 1 && numbers_[i] == 1) numbers_[i] = *number;
  }
}

namespace {

at::Tensor with_exact_sizes(const at::Tensor& tensor) {
  const auto fixed = [](c10::SymIntArrayRef values) {
    std::vector<int64_t> numbers;
    for (const c10::SymInt& value : values) numbers.push_back(value.guard_int(__FILE__, __LINE__));
    return numbers;
  };
  return at::detail::empty_strided_meta(fixed(tensor.sym_sizes()), fixed(tensor.sym_strides()), tensor.options());
}

}  // namespace

at::Tensor StandIns::replace(const at::Tensor& tensor) {
  if (!has_symbols(tensor)) {
    if (tensor.defined()) pairs_.emplace_back(tensor, tensor);
    return tensor;
  }
  const bool is_exact = sizes_ == Sizes::exact;
  at::Tensor result = is_exact ? with_exact_sizes(tensor) : with_broadcast_sizes(tensor);
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) result.unsafeGetTensorImpl()->set_wrapped_number(true);
  pairs_.emplace_back(result, tensor);
  return result;
}

void StandIns::note(const at::TensorIteratorBase& op, at::IntArrayRef output_sizes) {
  std::vector<int64_t> numbers;
  c10::SymDimVector sizes;
  for (int i = op.noutputs(); i < op.ntensors(); ++i) {
    if (op.tensor(i).dim() == 0) continue;  // may be a number that the meta function made a tensor
    const at::Tensor* original = original_of(op.tensor(i));
    if (original == nullptr) return;
    numbers = at::infer_size(numbers, op.tensor(i).sizes());
    sizes = at::infer_size_symdimvector(sizes, original->sym_sizes());
  }
  is_broadcast_ = output_sizes == at::IntArrayRef(numbers);
  shape_ = std::move(sizes);
}

at::Tensor StandIns::output(const at::Tensor& stand_in) const {
  if (sizes_ == Sizes::exact || !stand_in.defined()) return stand_in;
  const auto is_less = [](int64_t a, int64_t b) { return a < b; };
  std::vector<c10::SymInt> strides(shape_.size());
  c10::SymInt stride = 1;
  for (const std::size_t dim : innermost_first(stand_in.strides(), is_less)) {
    strides[dim] = stride;
    stride = stride * shape_[dim];
  }
  return at::detail::empty_strided_symint_meta(shape_, strides, stand_in.options());
}

void StandIns::fit(const at::Tensor& original, const at::Tensor& stand_in) const {
  if (!has_symbols(original) && sizes_ == Sizes::exact) return;
  if (sizes_ == Sizes::exact) {
    if (original.sym_sizes() != c10::fromIntArrayRefSlow(stand_in.sizes())) original.resize_(stand_in.sizes());
  } else if (original.sym_sizes() != c10::SymIntArrayRef(shape_)) {
    original.resize__symint(shape_);
  }
}

at::Tensor StandIns::with_broadcast_sizes(const at::Tensor& tensor) const {
  const c10::SymIntArrayRef symbols = tensor.sym_sizes();
  std::vector<int64_t> sizes;
  for (std::size_t dim = 0; dim < symbols.size(); ++dim) {
    const auto number = symbols[dim].maybe_as_int();
    sizes.push_back(number ? *number : number_for(symbols[dim], symbols.size() - 1 - dim));
  }
  const auto is_less = [](const c10::SymInt& a, const c10::SymInt& b) { return STRUCTURED_TORCH_GUARD(a.sym_lt(b)); };
  const c10::SymIntArrayRef symbolic_strides = tensor.sym_strides();
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (const std::size_t dim : innermost_first(symbolic_strides, is_less)) {
    const bool is_expanded = symbolic_strides[dim].maybe_as_int() == 0;
    strides[dim] = is_expanded ? 0 : stride;
    if (!is_expanded) stride *= sizes[dim];
  }
  return at::detail::empty_strided_meta(sizes, strides, tensor.options());
}

// Returns a number for a symbol in the given dimension, counted from the last one.
int64_t StandIns::number_for(const c10::SymInt& symbol, std::size_t dim_from_end) const {
  static constexpr std::array<int64_t, 8> primes{5, 7, 11, 13, 17, 19, 23, 29};
  if (STRUCTURED_TORCH_GUARD(symbol.sym_eq(1))) return 1;
  const int64_t number = numbers_[dim_from_end];
  return number == 1 ? primes[dim_from_end % primes.size()] : number;
}

const at::Tensor* StandIns::original_of(const at::Tensor& stand_in) const {
  for (const auto& [replaced, original] : pairs_) {
    if (replaced.is_same(stand_in)) return &original;
  }
  return nullptr;
}

void note_output(const at::TensorIteratorBase& op, at::IntArrayRef sizes, const at::TensorOptions& options) {
  if (!options.device().is_meta()) return;
  if (StandIns* stand_ins = StandIns::current()) stand_ins->note(op, sizes);
}

}  // namespace structured::torch::detail

#endif
