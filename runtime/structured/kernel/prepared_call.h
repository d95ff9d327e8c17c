#pragma once
// Implementation of emitted `prepare_*` functions: an adaptor, its arguments, and a function that runs them.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/kernel/prepared.h"
#include "structured/kernel/visit_tensors.h"

namespace structured::detail {

/// Argument with the lifetime of a prepared operator: views become copies. `get` returns the type of the parameter.
template <class T>
class Kept {
 public:
  explicit Kept(const T& value) : value_(value) {}
  T& get() { return value_; }

 private:
  T value_;
};
template <class T>
class Kept<ArrayRef<T>> {
 public:
  explicit Kept(ArrayRef<T> values) : values_(new T[values.size()]), size_(values.size()) {
    for (std::size_t i = 0; i < size_; ++i) values_[i] = values[i];
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { delete[] values_; }
  ArrayRef<T> get() const { return {values_, size_}; }

 private:
  T* values_;
  std::size_t size_;
};
template <class T>
class Kept<std::optional<ArrayRef<T>>> {
 public:
  explicit Kept(const std::optional<ArrayRef<T>>& values) {
    if (values) values_.emplace(*values);
  }
  std::optional<ArrayRef<T>> get() const { return values_ ? std::optional(values_->get()) : std::nullopt; }

 private:
  std::optional<Kept<ArrayRef<T>>> values_;
};
template <>
class Kept<OptionalIntArrayRef> {
 public:
  explicit Kept(OptionalIntArrayRef values) {
    if (values.has_value()) values_.emplace(*values);
  }
  OptionalIntArrayRef get() const { return values_ ? OptionalIntArrayRef(values_->get()) : OptionalIntArrayRef(); }

 private:
  std::optional<Kept<IntArrayRef>> values_;
};
template <>
class Kept<std::string_view> {
 public:
  explicit Kept(std::string_view text) : text_(text) {}
  std::string_view get() const { return text_; }

 private:
  std::string text_;
};
template <>
class Kept<std::optional<std::string_view>> {
 public:
  explicit Kept(const std::optional<std::string_view>& text) : text_(text) {}
  std::optional<std::string_view> get() const { return text_ ? std::optional<std::string_view>(*text_) : std::nullopt; }

 private:
  std::optional<std::string> text_;
};

/// Arguments and adaptor of a prepared operator, and the result of its `begin` (void: none). The last arguments are the
/// outputs of the adaptor. Depends on types only: operators with equal types share an instantiation.
template <class Adaptor, class Value, class... Args>
class PreparedOut : public PreparedCall {
  static constexpr std::size_t kOutputs = Adaptor::kOutputs;
  using Outputs = std::make_index_sequence<kOutputs>;
  using All = std::index_sequence_for<Args...>;
  struct None {};

 public:
  PreparedOut(Run function, Value (*begin)(Adaptor&, Args...), Args... args)
      : PreparedOut(Outputs(), All(), function, begin, args...) {}

  template <class P>
  void run_as() {
    run_as<P>(All());
  }

 protected:
  /// Calls `function(adaptor, arguments...)`.
  template <class Function>
  void apply(const Function& function) {
    std::apply([&](auto&... kept) { function(adaptor_, kept.get()...); }, arguments_);
  }
  Adaptor& adaptor() { return adaptor_; }

 private:
  template <std::size_t... O, std::size_t... I>
  PreparedOut(std::index_sequence<O...>, std::index_sequence<I...>, Run function, Value (*begin)(Adaptor&, Args...),
              Args... args)
      : PreparedCall(function),
        arguments_(args...),
        adaptor_(std::get<sizeof...(Args) - kOutputs + O>(arguments_).get()...) {
    if constexpr (std::is_void_v<Value>) {
      begin(adaptor_, std::get<I>(arguments_).get()...);
    } else {
      value_.emplace(begin(adaptor_, std::get<I>(arguments_).get()...));
    }
    (visit_tensors(std::get<I>(arguments_).get(), [this](const Tensor& tensor) { remember(tensor); }), ...);
  }

  template <class P, std::size_t... I>
  void run_as(std::index_sequence<I...>) {
    if constexpr (std::is_void_v<Value>) {
      P::run(adaptor_, std::get<I>(arguments_).get()...);
    } else {
      P::run(adaptor_, std::get<I>(arguments_).get()..., *value_);
    }
  }

  std::tuple<Kept<std::remove_cvref_t<Args>>...> arguments_;
  Adaptor adaptor_;
  std::optional<std::conditional_t<std::is_void_v<Value>, None, Value>> value_;
};

/// `P` is emitted: an adaptor `P::Adaptor`; `P::begin(adaptor, arguments...)`, which checks and runs meta; and
/// `P::run(adaptor, arguments..., value)`, which runs impl with the result of `begin` unless that is void.
template <class P, class Value, class... Args>
PreparedCall* prepare_call(Value (*begin)(typename P::Adaptor&, Args...), std::type_identity_t<Args>... args) {
  using Prepared = PreparedOut<typename P::Adaptor, Value, Args...>;
  return new Prepared([](PreparedCall& call) { static_cast<Prepared&>(call).template run_as<P>(); }, begin, args...);
}

}  // namespace structured::detail

namespace structured {

/// Checks the arguments and runs meta; see detail::prepare_call. The arguments are those of `P::begin`.
template <class P, class... Args>
PreparedOperator prepare(Args&&... args) {
  return PreparedOperator(detail::prepare_call<P>(&P::begin, args...));
}

}  // namespace structured
