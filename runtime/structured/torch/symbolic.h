#pragma once
// Meta kernels for tensors with symbolic sizes, which torch.compile and torch.export pass for dynamic shapes.
//
// Meta functions and TensorIterator read sizes as numbers. SymbolicMeta therefore calls a Meta kernel with stand-ins:
// meta tensors of the same rank, dtype and order of dimensions, whose sizes are numbers. If a TensorIterator broadcast
// its inputs, the sizes of its outputs are the broadcast symbolic sizes of these inputs, and broadcasting adds the
// guards that it needs. Otherwise the kernel runs with the sizes that the symbols have, and guards fix these.
#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <torch/version.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"

// Earlier versions have no dynamic shapes.
#define STRUCTURED_TORCH_HAS_SYMBOLS (TORCH_VERSION_MAJOR >= 2)

namespace structured::torch::detail {

#if STRUCTURED_TORCH_HAS_SYMBOLS

// Evaluates a condition on symbols. Returns false if it is not decidable: the symbols stand for data.
#if defined(TORCH_GUARD_OR_FALSE)
#define STRUCTURED_TORCH_GUARD(condition) TORCH_GUARD_OR_FALSE(condition)
#elif defined(TORCH_GUARD_SIZE_OBLIVIOUS)
#define STRUCTURED_TORCH_GUARD(condition) TORCH_GUARD_SIZE_OBLIVIOUS(condition)
#else
#define STRUCTURED_TORCH_GUARD(condition) (condition).guard_bool(__FILE__, __LINE__)
#endif

inline bool has_symbols(const at::Tensor& tensor) {
  return tensor.defined() && tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

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

/// Stand-ins for the tensor arguments of one call.
class StandIns {
 public:
  enum class Sizes {
    broadcast,  ///< any that broadcast if the symbols may
    exact,      ///< those that the symbols have; adds guards
  };

  explicit StandIns(Sizes sizes) : sizes_(sizes), outer_(current()) { current() = this; }
  ~StandIns() { current() = outer_; }
  StandIns(const StandIns&) = delete;
  StandIns& operator=(const StandIns&) = delete;

  /// The innermost call of this thread that uses stand-ins, or null.
  static StandIns*& current() {
    static thread_local StandIns* innermost = nullptr;
    return innermost;
  }

  /// Takes the sizes of an argument into account. Call for all arguments first.
  void add(const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    const c10::SymIntArrayRef sizes = tensor.sym_sizes();
    numbers_.resize(std::max(numbers_.size(), sizes.size()), 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto number = sizes[sizes.size() - 1 - i].maybe_as_int();
      if (number && *number != 1 && numbers_[i] == 1) numbers_[i] = *number;
    }
  }

  /// Returns the tensor itself if its sizes are numbers.
  at::Tensor replace(const at::Tensor& tensor) {
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

  /// Called when an iterator describes an output.
  void note(const at::TensorIteratorBase& op, at::IntArrayRef output_sizes) {
    std::vector<std::int64_t> numbers;
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

  /// Whether the sizes of outputs are known.
  bool is_complete() const { return sizes_ == Sizes::exact || is_broadcast_; }

  /// Returns the output for which the kernel returned a stand-in.
  at::Tensor output(const at::Tensor& stand_in) const {
    if (sizes_ == Sizes::exact || !stand_in.defined()) return stand_in;
    const auto is_less = [](std::int64_t a, std::int64_t b) { return a < b; };
    std::vector<c10::SymInt> strides(shape_.size());
    c10::SymInt stride = 1;
    for (const std::size_t dim : innermost_first(stand_in.strides(), is_less)) {
      strides[dim] = stride;
      stride = stride * shape_[dim];
    }
    return at::detail::empty_strided_symint_meta(shape_, strides, stand_in.options());
  }

  /// Gives the caller's tensor the sizes of its stand-in.
  void fit(const at::Tensor& original, const at::Tensor& stand_in) const {
    if (!has_symbols(original) && sizes_ == Sizes::exact) return;
    if (sizes_ == Sizes::exact) {
      if (original.sym_sizes() != c10::fromIntArrayRefSlow(stand_in.sizes())) original.resize_(stand_in.sizes());
    } else if (original.sym_sizes() != c10::SymIntArrayRef(shape_)) {
      original.resize__symint(shape_);
    }
  }

 private:
  static at::Tensor with_exact_sizes(const at::Tensor& tensor) {
    const auto fixed = [](c10::SymIntArrayRef values) {
      std::vector<std::int64_t> numbers;
      for (const c10::SymInt& value : values) numbers.push_back(value.guard_int(__FILE__, __LINE__));
      return numbers;
    };
    return at::detail::empty_strided_meta(fixed(tensor.sym_sizes()), fixed(tensor.sym_strides()), tensor.options());
  }

  at::Tensor with_broadcast_sizes(const at::Tensor& tensor) const {
    const c10::SymIntArrayRef symbols = tensor.sym_sizes();
    std::vector<std::int64_t> sizes;
    for (std::size_t dim = 0; dim < symbols.size(); ++dim) {
      const auto number = symbols[dim].maybe_as_int();
      sizes.push_back(number ? *number : number_for(symbols[dim], symbols.size() - 1 - dim));
    }
    const auto is_less = [](const c10::SymInt& a, const c10::SymInt& b) { return STRUCTURED_TORCH_GUARD(a.sym_lt(b)); };
    const c10::SymIntArrayRef symbolic_strides = tensor.sym_strides();
    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t stride = 1;
    for (const std::size_t dim : innermost_first(symbolic_strides, is_less)) {
      const bool is_expanded = symbolic_strides[dim].maybe_as_int() == 0;
      strides[dim] = is_expanded ? 0 : stride;
      if (!is_expanded) stride *= sizes[dim];
    }
    return at::detail::empty_strided_meta(sizes, strides, tensor.options());
  }

  // Returns a number for a symbol in the given dimension, counted from the last one.
  std::int64_t number_for(const c10::SymInt& symbol, std::size_t dim_from_end) const {
    static constexpr std::array<std::int64_t, 8> primes{5, 7, 11, 13, 17, 19, 23, 29};
    if (STRUCTURED_TORCH_GUARD(symbol.sym_eq(1))) return 1;
    const std::int64_t number = numbers_[dim_from_end];
    return number == 1 ? primes[dim_from_end % primes.size()] : number;
  }

  const at::Tensor* original_of(const at::Tensor& stand_in) const {
    for (const auto& [replaced, original] : pairs_) {
      if (replaced.is_same(stand_in)) return &original;
    }
    return nullptr;
  }

  Sizes sizes_;
  StandIns* outer_;
  std::vector<std::int64_t> numbers_;  // sizes that are numbers, by dimension from the last one; 1 if there are none
  std::vector<std::pair<at::Tensor, at::Tensor>> pairs_;
  bool is_broadcast_ = false;
  c10::SymDimVector shape_;
};

/// Tells the current stand-ins about an iterator that describes an output of the given sizes.
inline void note_output(const at::TensorIteratorBase& op, at::IntArrayRef sizes, const at::TensorOptions& options) {
  if (!options.device().is_meta()) return;
  if (StandIns* stand_ins = StandIns::current()) stand_ins->note(op, sizes);
}

/// An argument of type A, with stand-ins in place of its tensors.
template <class A>
class ReplacedArgument {
 public:
  ReplacedArgument(std::remove_reference_t<A>& argument, StandIns&) : argument_(argument) {}
  A get() { return static_cast<A>(argument_); }
  at::Tensor* original_of(const at::Tensor&) { return nullptr; }

 private:
  std::remove_reference_t<A>& argument_;
};
template <>
class ReplacedArgument<const at::Tensor&> {
 public:
  ReplacedArgument(const at::Tensor& tensor, StandIns& stand_ins) : tensor_(stand_ins.replace(tensor)) {}
  const at::Tensor& get() const { return tensor_; }
  at::Tensor* original_of(const at::Tensor&) { return nullptr; }

 private:
  at::Tensor tensor_;
};
template <>
class ReplacedArgument<at::Tensor&> {
 public:
  ReplacedArgument(at::Tensor& tensor, StandIns& stand_ins) : original_(tensor), tensor_(stand_ins.replace(tensor)) {}
  at::Tensor& get() { return tensor_; }
  at::Tensor* original_of(const at::Tensor& returned) { return &returned == &tensor_ ? &original_ : nullptr; }

 private:
  at::Tensor& original_;
  at::Tensor tensor_;
};
template <>
class ReplacedArgument<const c10::optional<at::Tensor>&> {
 public:
  ReplacedArgument(const c10::optional<at::Tensor>& tensor, StandIns& stand_ins) {
    if (tensor.has_value()) tensor_ = stand_ins.replace(*tensor);
  }
  const c10::optional<at::Tensor>& get() const { return tensor_; }
  at::Tensor* original_of(const at::Tensor&) { return nullptr; }

 private:
  c10::optional<at::Tensor> tensor_;
};
template <>
class ReplacedArgument<at::TensorList> {
 public:
  ReplacedArgument(at::TensorList tensors, StandIns& stand_ins) {
    for (const at::Tensor& tensor : tensors) tensors_.push_back(stand_ins.replace(tensor));
  }
  at::TensorList get() const { return tensors_; }
  at::Tensor* original_of(const at::Tensor&) { return nullptr; }

 private:
  std::vector<at::Tensor> tensors_;
};

/// Calls of a Meta kernel, which does not accept symbolic sizes, with arguments that have some.
template <class F>
class SymbolicCall;
template <class R, class... A>
class SymbolicCall<R(A...)> {
 public:
  static bool is_symbolic(const std::remove_reference_t<A>&... arguments) {
    bool result = false;
    (visit_tensors(arguments, [&](const at::Tensor& tensor) { result = result || has_symbols(tensor); }), ...);
    return result;
  }

  static R call(R (*function)(A...), A... arguments) {
    Result result;
    try {
      if (run(StandIns::Sizes::broadcast, function, result, arguments...)) return result.get();
    } catch (const c10::Error&) {
      // The stand-ins are not the tensors that the meta function expects. Errors of the caller occur again.
    }
    run(StandIns::Sizes::exact, function, result, arguments...);
    return result.get();
  }

 private:
  using Arguments = std::tuple<ReplacedArgument<A>...>;

  struct Result {
    c10::optional<std::conditional_t<std::is_reference_v<R>, std::reference_wrapper<std::remove_reference_t<R>>, R>>
        value;
    R get() { return static_cast<R>(*std::move(value)); }
  };

  static bool run(StandIns::Sizes sizes, R (*function)(A...), Result& result,
                  std::remove_reference_t<A>&... arguments) {
    StandIns stand_ins(sizes);
    (visit_tensors(arguments, [&](const at::Tensor& tensor) { stand_ins.add(tensor); }), ...);
    Arguments replaced{ReplacedArgument<A>(arguments, stand_ins)...};
    R returned = std::apply([function](auto&... each) -> R { return function(each.get()...); }, replaced);
    if (!stand_ins.is_complete()) return false;
    if constexpr (requires { std::tuple_size<R>::value; }) {
      std::apply(
          [&](auto&&... each) {
            result.value.emplace(translated(std::forward<decltype(each)>(each), replaced, stand_ins)...);
          },
          std::move(returned));
    } else {
      result.value.emplace(translated(std::forward<R>(returned), replaced, stand_ins));
    }
    return true;
  }

  static at::Tensor translated(at::Tensor&& output, Arguments&, const StandIns& stand_ins) {
    return stand_ins.output(output);
  }
  static at::Tensor& translated(at::Tensor& output, Arguments& arguments, const StandIns& stand_ins) {
    at::Tensor* original = nullptr;
    std::apply([&](auto&... each) { ((original = original ? original : each.original_of(output)), ...); }, arguments);
    TORCH_INTERNAL_ASSERT(original != nullptr);
    stand_ins.fit(*original, output);
    return *original;
  }
};

/// A Meta kernel that accepts symbolic sizes, in terms of `function`, which does not.
template <class F, F* function>
struct SymbolicMeta;
template <class R, class... A, R (*function)(A...)>
struct SymbolicMeta<R(A...), function> {
  static R call(A... arguments) {
    if (!SymbolicCall<R(A...)>::is_symbolic(arguments...)) [[likely]] {
      return function(std::forward<A>(arguments)...);
    }
    return SymbolicCall<R(A...)>::call(function, std::forward<A>(arguments)...);
  }
};

#else

inline void note_output(const at::TensorIteratorBase&, at::IntArrayRef, const at::TensorOptions&) {}

template <class F, F* function>
struct SymbolicMeta {
  static constexpr F* call = function;
};

#endif

}  // namespace structured::torch::detail
