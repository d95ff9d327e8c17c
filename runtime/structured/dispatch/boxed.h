#pragma once
// Boxed calls: an operator called with values on a stack. `Argument` is specialized for each C++ argument type of a
// kernel and converts a value to it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {
namespace detail {

/// Checks that `stack` holds at least `expected` values and returns the first argument.
STRUCTURED_API Value* boxed_arguments(const OperatorBase& op, Stack& stack, std::size_t expected);
/// Reports a value of the wrong kind for argument `position` (from 0).
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_wrong_argument(const OperatorBase& op, std::size_t position,
                                                                      const std::string& expected, const Value& found);
/// Replaces the last `arguments` values by results.
STRUCTURED_API void replace_arguments(Stack& stack, std::size_t arguments, Value* results, std::size_t count);

/// Argument<T>, for a parameter of type `T` without reference: `accepts(value)`, `expected()` (the type as a schema
/// spells it), a constructor from an accepted value, and `get()`. The object and the value live until the call
/// returns.
template <class T>
struct Argument {
  static_assert(sizeof(T) == 0, "no value of a boxed call can become an argument of this type");
};

template <>
struct Argument<Tensor> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::tensor); }
  static std::string expected() { return "Tensor"; }
  explicit Argument(Value& value) : tensor_(value.to_tensor()) {}
  Tensor& get() { return tensor_; }

 private:
  Tensor& tensor_;
};

/// Type of the accessors of Value that refer to its contents. The overloads for temporary values return objects.
template <class T>
using Getter = T (Value::*)() const&;

/// Argument that is read from a value of one kind without conversion.
template <class T, Value::Kind kind, auto getter>
struct PlainArgument {
  static bool accepts(const Value& value) { return value.is(kind); }
  static std::string expected() { return std::string(to_string(kind)); }
  PlainArgument() = default;
  explicit PlainArgument(Value& value) : value_((value.*getter)()) {}
  T get() const { return value_; }

 private:
  T value_;
};

template <>
struct Argument<int64_t> : PlainArgument<int64_t, Value::Kind::integer, &Value::to_int> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<bool> : PlainArgument<bool, Value::Kind::boolean, &Value::to_bool> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<std::string_view>
    : PlainArgument<std::string_view, Value::Kind::string, Getter<std::string_view>(&Value::to_string_view)> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<ScalarType> : PlainArgument<ScalarType, Value::Kind::scalar_type, &Value::to_scalar_type> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Layout> : PlainArgument<Layout, Value::Kind::layout, &Value::to_layout> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Device> : PlainArgument<Device, Value::Kind::device, &Value::to_device> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<MemoryFormat> : PlainArgument<MemoryFormat, Value::Kind::memory_format, &Value::to_memory_format> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<QScheme> : PlainArgument<QScheme, Value::Kind::qscheme, &Value::to_qscheme> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Dimname> : PlainArgument<Dimname, Value::Kind::dimname, &Value::to_dimname> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<DimnameList>
    : PlainArgument<DimnameList, Value::Kind::dimname_list, Getter<DimnameList>(&Value::to_dimname_list)> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<Stream> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::stream); }
  static std::string expected() { return "Stream"; }
  explicit Argument(Value& value) : value_(value.to_stream()) {}
  Stream get() const { return value_; }

 private:
  Stream value_;
};
template <>
struct Argument<Generator> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::generator); }
  static std::string expected() { return "Generator"; }
  explicit Argument(Value& value) : value_(value.to_generator()) {}
  const Generator& get() const { return value_; }

 private:
  const Generator& value_;
};
template <>
struct Argument<Storage> : PlainArgument<Storage, Value::Kind::storage, Getter<const Storage&>(&Value::to_storage)> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<TensorList>
    : PlainArgument<TensorList, Value::Kind::tensor_list, Getter<TensorList>(&Value::to_tensor_list)> {
  using PlainArgument::PlainArgument;
};
template <>
struct Argument<ArrayRef<bool>>
    : PlainArgument<ArrayRef<bool>, Value::Kind::bool_list, Getter<ArrayRef<bool>>(&Value::to_bool_list)> {
  using PlainArgument::PlainArgument;
};

/// Accepts an integer as a real number.
template <>
struct STRUCTURED_API Argument<double> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::floating) || value.is(Value::Kind::integer); }
  static std::string expected() { return "float"; }
  explicit Argument(Value& value);
  double get() const { return value_; }

 private:
  double value_;
};

/// Accepts integers, real numbers and booleans.
template <>
struct STRUCTURED_API Argument<Scalar> {
  static bool accepts(const Value& value);
  static std::string expected() { return "Scalar"; }
  explicit Argument(Value& value);
  const Scalar& get() const { return value_; }

 private:
  Scalar value_;
};

/// Accepts a single integer as a list of one element, as C++ callers can pass it.
template <>
struct STRUCTURED_API Argument<IntArrayRef> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::int_list) || value.is(Value::Kind::integer); }
  static std::string expected() { return "int[]"; }
  Argument() = default;
  explicit Argument(Value& value);
  IntArrayRef get() const { return is_single_ ? IntArrayRef(single_) : values_; }

 private:
  int64_t single_ = 0;
  bool is_single_ = false;
  IntArrayRef values_;
};

/// List whose elements may need conversion: a list of `int` converts to one of `float` or `Scalar`, and a list of
/// tensors to one of optional tensors.
template <class T>
struct ConvertedListArgument {
  ArrayRef<T> get() const { return values_; }

 protected:
  template <class Source>
  void convert(ArrayRef<Source> source) {
    converted_.reserve(source.size());
    for (const Source& element : source) {
      converted_.emplace_back(element);
    }
    values_ = converted_;
  }

  ArrayRef<T> values_;

 private:
  std::vector<T> converted_;
};

template <>
struct STRUCTURED_API Argument<ArrayRef<double>> : ConvertedListArgument<double> {
  static bool accepts(const Value& value) {
    return value.is(Value::Kind::double_list) || value.is(Value::Kind::int_list);
  }
  static std::string expected() { return "float[]"; }
  Argument() = default;
  explicit Argument(Value& value);
};

template <>
struct STRUCTURED_API Argument<ArrayRef<Scalar>> : ConvertedListArgument<Scalar> {
  static bool accepts(const Value& value) {
    return value.is(Value::Kind::scalar_list) || Argument<ArrayRef<double>>::accepts(value);
  }
  static std::string expected() { return "Scalar[]"; }
  Argument() = default;
  explicit Argument(Value& value);
};

template <>
struct STRUCTURED_API Argument<ArrayRef<std::string_view>> : ConvertedListArgument<std::string_view> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::string_list); }
  static std::string expected() { return "str[]"; }
  Argument() = default;
  explicit Argument(Value& value);
};

template <>
struct STRUCTURED_API Argument<ArrayRef<std::optional<Tensor>>> : ConvertedListArgument<std::optional<Tensor>> {
  static bool accepts(const Value& value) {
    return value.is(Value::Kind::optional_tensor_list) || value.is(Value::Kind::tensor_list);
  }
  static std::string expected() { return "Tensor?[]"; }
  Argument() = default;
  explicit Argument(Value& value);
};

template <std::size_t N>
struct Argument<std::array<bool, N>> {
  static bool accepts(const Value& value) {
    return value.is(Value::Kind::bool_list) && value.to_bool_list().size() == N;
  }
  static std::string expected() { return "bool[" + std::to_string(N) + "]"; }
  explicit Argument(Value& value) {
    const ArrayRef<bool> source = value.to_bool_list();
    for (std::size_t i = 0; i < N; ++i) {
      values_[i] = source[i];
    }
  }
  const std::array<bool, N>& get() const { return values_; }

 private:
  std::array<bool, N> values_;
};

/// Accepts `None` as an empty optional.
template <class T>
struct Argument<std::optional<T>> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::none) || Argument<T>::accepts(value); }
  static std::string expected() { return Argument<T>::expected() + "?"; }
  explicit Argument(Value& value) {
    if (!value.is(Value::Kind::none)) {
      value_.emplace(Argument<T>(value).get());
    }
  }
  const std::optional<T>& get() const { return value_; }

 private:
  std::optional<T> value_;
};

/// The constructor is defined out of line: with sanitizers, g++ 12 warns that the destructor of an inlined empty
/// optional reads uninitialized memory.
template <>
struct STRUCTURED_API Argument<std::optional<Tensor>> {
  static bool accepts(const Value& value) { return value.is(Value::Kind::none) || value.is(Value::Kind::tensor); }
  static std::string expected() { return "Tensor?"; }
  explicit Argument(Value& value);
  const std::optional<Tensor>& get() const { return value_; }

 private:
  std::optional<Tensor> value_;
};

/// Keeps the inner argument alive, since it may own converted elements.
template <class T, class Optional>
struct OptionalListArgument {
  static bool accepts(const Value& value) {
    return value.is(Value::Kind::none) || Argument<ArrayRef<T>>::accepts(value);
  }
  static std::string expected() { return Argument<ArrayRef<T>>::expected() + "?"; }
  explicit OptionalListArgument(Value& value)
      : is_none_(value.is(Value::Kind::none)),
        list_(is_none_ ? Argument<ArrayRef<T>>() : Argument<ArrayRef<T>>(value)) {}
  Optional get() const { return is_none_ ? Optional() : Optional(list_.get()); }

 private:
  bool is_none_;
  Argument<ArrayRef<T>> list_;
};

template <class T>
struct Argument<std::optional<ArrayRef<T>>> : OptionalListArgument<T, std::optional<ArrayRef<T>>> {
  using OptionalListArgument<T, std::optional<ArrayRef<T>>>::OptionalListArgument;
};
template <>
struct Argument<OptionalIntArrayRef> : OptionalListArgument<int64_t, OptionalIntArrayRef> {
  using OptionalListArgument::OptionalListArgument;
};

template <class R>
struct Results {
  template <class Call>
  static void replace(Stack& stack, std::size_t arguments, Call&& call) {
    Value result(call());
    replace_arguments(stack, arguments, &result, 1);
  }
};

template <>
struct Results<void> {
  template <class Call>
  static void replace(Stack& stack, std::size_t arguments, Call&& call) {
    call();
    replace_arguments(stack, arguments, nullptr, 0);
  }
};

template <class... T>
struct Results<std::tuple<T...>> {
  template <class Call>
  static void replace(Stack& stack, std::size_t arguments, Call&& call) {
    std::apply(
        [&](auto&&... result) {
          Value results[] = {Value(std::forward<T>(result))...};
          replace_arguments(stack, arguments, results, sizeof...(T));
        },
        call());
  }
};

template <class A>
void check_argument(const OperatorBase& op, std::size_t position, const Value& value) {
  if (!Argument<A>::accepts(value)) [[unlikely]] {
    throw_wrong_argument(op, position, Argument<A>::expected(), value);
  }
}

template <class R, class... A, std::size_t... I>
void call_boxed(const Operator<R(A...)>& op, LayerSet layers, Stack& stack, std::index_sequence<I...>) {
  [[maybe_unused]] Value* arguments = boxed_arguments(op, stack, sizeof...(A));
  (check_argument<std::remove_cvref_t<A>>(op, I, arguments[I]), ...);
  Results<R>::replace(stack, sizeof...(A),
                      [&]() -> R { return op.call(layers, Argument<std::remove_cvref_t<A>>(arguments[I]).get()...); });
}

template <class R, class... A>
__attribute__((noinline)) void call_boxed(const Operator<R(A...)>& op, LayerSet layers, Stack& stack) {
  call_boxed(op, layers, stack, std::index_sequence_for<A...>{});
}

}  // namespace detail

/// Takes the operator's arguments from the end of `stack` (in schema order, the last one on top), calls the operator
/// through the dispatcher and pushes its results, the last one on top. Throws Error, with the operator and the
/// position, if values are missing or of a kind that the parameter does not accept. After any exception the stack is
/// unchanged.
template <class R, class... A>
void call_boxed(const Operator<R(A...)>& op, Stack& stack) {
  detail::call_boxed(op, active_layers(), stack);
}

/// call_boxed for a fixed operator: OperatorHandle::boxed points to it.
template <auto& op>
void call_boxed(Stack& stack) {
  call_boxed(op, stack);
}

}  // namespace structured
