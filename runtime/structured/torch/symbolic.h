#pragma once
// Meta kernels for tensors with symbolic sizes, which torch.compile and torch.export pass for dynamic shapes.
//
// Meta functions and TensorIterator read sizes as numbers. The library's Python package has meta functions that read
// symbols (shapes.py), and defines operators that call them. Where there is none, SymbolicMeta calls a Meta kernel with
// stand-ins: meta tensors of the same rank, dtype and order of dimensions, whose sizes are numbers. If a TensorIterator
// broadcast its inputs, the sizes of its outputs are the broadcast symbolic sizes of these inputs, and broadcasting
// adds the guards that it needs. Otherwise the kernel runs with the sizes that the symbols have, guards fix these, and
// a warning says so.
#include <ATen/core/Tensor.h>
#include <ATen/core/operator_name.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"
#include "structured/torch/symbolic_function.h"

namespace at {
struct TensorIteratorBase;
}  // namespace at

namespace structured::torch::detail {

#if STRUCTURED_TORCH_HAS_SYMBOLS

inline bool has_symbols(const at::Tensor& tensor) {
  return tensor.defined() && tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

/// Whether a size is a symbol whose value is not known.
bool has_dynamic_sizes(const at::Tensor& tensor);

/// Warns that a call of the operator fixes sizes.
void warn_of_fixed_sizes(const c10::OperatorName& name);

/// Stand-ins for the tensor arguments of one call.
class StandIns {
 public:
  enum class Sizes {
    broadcast,  ///< any that broadcast if the symbols may
    exact,      ///< those that the symbols have; adds guards
  };

  explicit StandIns(Sizes sizes);
  ~StandIns();
  StandIns(const StandIns&) = delete;
  StandIns& operator=(const StandIns&) = delete;

  /// The innermost call of this thread that uses stand-ins, or null.
  static StandIns*& current();

  /// Takes the sizes of an argument into account. Call for all arguments first.
  void add(const at::Tensor& tensor);
  /// Returns the tensor itself if its sizes are numbers.
  at::Tensor replace(const at::Tensor& tensor);
  /// Called when an iterator describes an output.
  void note(const at::TensorIteratorBase& op, at::IntArrayRef output_sizes);
  /// Whether the sizes of outputs are known.
  bool is_complete() const { return sizes_ == Sizes::exact || is_broadcast_; }
  /// Returns the output for which the kernel returned a stand-in.
  at::Tensor output(const at::Tensor& stand_in) const;
  /// Gives the caller's tensor the sizes of its stand-in.
  void fit(const at::Tensor& original, const at::Tensor& stand_in) const;

 private:
  at::Tensor with_broadcast_sizes(const at::Tensor& tensor) const;
  int64_t number_for(const c10::SymInt& symbol, std::size_t dim_from_end) const;
  const at::Tensor* original_of(const at::Tensor& stand_in) const;

  Sizes sizes_;
  StandIns* outer_;
  std::vector<int64_t> numbers_;  // sizes that are numbers, by dimension from the last one; 1 if there are none
  std::vector<std::pair<at::Tensor, at::Tensor>> pairs_;
  bool is_broadcast_ = false;
  c10::SymDimVector shape_;
};

/// Tells the current stand-ins about an iterator that describes an output of the given sizes.
void note_output(const at::TensorIteratorBase& op, at::IntArrayRef sizes, const at::TensorOptions& options);

/// A value of type T with stand-ins in place of its tensors.
template <class T>
class Replaced {
 public:
  Replaced(const T& value, StandIns&) : value_(value) {}
  const T& get() const { return value_; }

 private:
  const T& value_;
};
template <>
class Replaced<at::Tensor> {
 public:
  Replaced(const at::Tensor& tensor, StandIns& stand_ins) : tensor_(stand_ins.replace(tensor)) {}
  const at::Tensor& get() const { return tensor_; }

 private:
  at::Tensor tensor_;
};
template <>
class Replaced<at::TensorList> {
 public:
  Replaced(at::TensorList tensors, StandIns& stand_ins) {
    for (const at::Tensor& tensor : tensors) tensors_.push_back(stand_ins.replace(tensor));
  }
  at::TensorList get() const { return tensors_; }

 private:
  std::vector<at::Tensor> tensors_;
};
template <class T>
class Replaced<c10::optional<T>> {
 public:
  Replaced(const c10::optional<T>& value, StandIns& stand_ins) {
    if (value.has_value()) value_.emplace(*value, stand_ins);
  }
  c10::optional<T> get() const { return value_.has_value() ? c10::optional<T>(value_->get()) : c10::nullopt; }

 private:
  c10::optional<Replaced<T>> value_;
};
template <class T>
class Replaced<c10::List<T>> {
 public:
  Replaced(const c10::List<T>& values, StandIns& stand_ins) {
    for (const T& value : values.vec()) values_.push_back(Replaced<T>(value, stand_ins).get());
  }
  const c10::List<T>& get() const { return values_; }

 private:
  c10::List<T> values_;
};

/// An argument of type A, with stand-ins in place of its tensors.
template <class A>
class ReplacedArgument : public Replaced<std::remove_cvref_t<A>> {
 public:
  using Replaced<std::remove_cvref_t<A>>::Replaced;
  at::Tensor* original_of(const at::Tensor&) { return nullptr; }
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

/// Calls of a Meta kernel, which does not accept symbolic sizes, with arguments that have some.
template <class F>
class SymbolicCall;
template <class R, class... A>
class SymbolicCall<R(A...)> {
 public:
  [[gnu::noinline]] static R call(const c10::OperatorName& name, R (*function)(A...), A... arguments) {
    Result result;
    try {
      if (run(StandIns::Sizes::broadcast, function, result, arguments...)) return result.get();
    } catch (const c10::Error&) {
      // The stand-ins are not the tensors that the meta function expects. Errors of the caller occur again.
    }
    bool is_dynamic = false;
    (visit_tensors(arguments, [&](const at::Tensor& tensor) { is_dynamic = is_dynamic || has_dynamic_sizes(tensor); }),
     ...);
    run(StandIns::Sizes::exact, function, result, arguments...);
    if (is_dynamic) warn_of_fixed_sizes(name);
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

/// A Meta kernel for calls of the type F, which may have symbols, in terms of `function`, which takes numbers.
template <class F, auto* function>
struct SymbolicMeta;
template <class R, class... A, class... B, R (*function)(B...)>
struct SymbolicMeta<R(A...), function> {
  /// The operator that computes symbolic sizes. A registration sets it.
  static SymbolicFunction& symbolic() {
    static SymbolicFunction result;
    return result;
  }
  /// The operator, for warnings. A registration sets it while other objects of the library are not constructed yet.
  static c10::OperatorName& name() {
    static c10::OperatorName name("", "");
    return name;
  }

  static R call(A... arguments) {
    if (!is_symbolic(arguments...)) [[likely]] {
      return function(as_number<A>(arguments)...);
    }
    if (const auto op = find_symbolic(symbolic())) {
      return PackageCall<R(A...)>::call(*op, symbolic().variant, arguments...);
    }
    return SymbolicCall<R(B...)>::call(name(), function, as_number<A>(arguments)...);
  }

 private:
  [[gnu::noinline]] static bool is_symbolic(const std::remove_reference_t<A>&... arguments) {
    bool result = (is_symbol(arguments) || ...);
    (visit_tensors(arguments, [&](const at::Tensor& tensor) { result = result || has_symbols(tensor); }), ...);
    return result;
  }
};

#else

inline void note_output(const at::TensorIteratorBase&, at::IntArrayRef, const at::TensorOptions&) {}

template <class F, auto* function>
struct SymbolicMeta {
  static constexpr auto* call = function;
};

#endif

}  // namespace structured::torch::detail
