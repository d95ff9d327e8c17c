#pragma once
// Arguments and results of recorded calls that nodes keep for derivatives.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "structured/autograd/node.h"
#include "structured/autograd/saved_hooks.h"
#include "structured/core/array_ref.h"
#include "structured/number/scalar.h"

namespace structured::autograd {

/// An input or a result of a recorded call. SavedTensorHooks of its thread may replace it.
class STRUCTURED_API SavedTensor {
 public:
  /// Until the end of the scope, saved tensors of this thread are given back without history: derivatives of gradients
  /// by other gradients do not depend on it.
  class WithoutHistory {
   public:
    WithoutHistory();
    WithoutHistory(const WithoutHistory&) = delete;
    WithoutHistory& operator=(const WithoutHistory&) = delete;
    ~WithoutHistory();

   private:
    bool previous_;
  };

  /// Keeps an input; it may be undefined. Called once. Throws Error for an inference tensor.
  STRUCTURED_ALWAYS_INLINE void save(const Tensor& input) {
    if (!input.defined() || structured::detail::pack_tensor != nullptr) [[unlikely]]
      return save_general(input);
    const uint32_t version = input.impl()->storage().version();
    if (version >= structured::detail::StorageImpl::kUntracked) [[unlikely]]
      fail_inference();
    std::construct_at(&tensor_, input);  // the member is undefined: no destructor needs to run
    version_ = version;
    state_ = State::input;
  }
  /// Keeps result number `index`. Keeps its data and not the tensor itself, which owns the node.
  void save_result(const Tensor& result, uint16_t index = 0);
  /// Saves an optional result. get() returns an undefined tensor if there is none.
  void save_result(const std::optional<Tensor>& result, uint16_t index = 0) {
    if (result.has_value()) save_result(*result, index);
  }
  void release();

  /// The tensor as it was saved. Throws Error if it was released, or if an operator has written to its data since.
  /// `node` is the node that saved it.
  Tensor get(const Node& node) const {
    const bool is_usual = state_ == State::input && tensor_.defined() && !tensor_.requires_grad() &&
                          tensor_.impl()->storage().version() == version_;
    return is_usual ? tensor_ : get_general(node);
  }
  /// An input; errors say that `user` saved it.
  Tensor get_input(std::string_view user) const;

 protected:
  /// Whether an operator has written to the data of an input since it was saved. False for tensors that hooks replaced.
  bool is_modified() const {
    return state_ == State::input && tensor_.defined() && tensor_.impl()->storage().version() != version_;
  }

 private:
  enum class State : uint8_t { released, input, result, packed_input, packed_result };

  // Not STRUCTURED_COLD, see export.h.
  [[noreturn]] static void fail_inference();
  void save_general(const Tensor& input);
  Tensor get_general(const Node& node) const;
  void fail_if_modified(std::string_view user) const;

  Tensor tensor_;
  uint32_t version_ = 0;
  uint16_t index_ = 0;
  State state_ = State::released;
  [[maybe_unused]] uint8_t padding_ = 0;  // so that one store initialises all members but the tensor
};

/// A tensor argument that a derivative can do without if an operator has written to its data since. SavedTensorHooks
/// get a copy, because they may keep the tensor itself without its version.
class STRUCTURED_API SavedUnlessModified : public SavedTensor {
 public:
  STRUCTURED_ALWAYS_INLINE void save(const Tensor& input) {
    if (structured::detail::pack_tensor != nullptr) [[unlikely]]
      return save_copy(input);
    SavedTensor::save(input);
  }
  std::optional<Tensor> get_unless_modified(const Node& node) const {
    return is_modified() ? std::nullopt : std::optional<Tensor>(get(node));
  }

 private:
  STRUCTURED_COLD void save_copy(const Tensor& input);
};

/// Owned copy of an argument of type T that is not a tensor.
template <class T>
class Saved {
 public:
  void save(const T& value) { value_ = value; }
  T get() const { return value_; }

 private:
  T value_{};
};

template <>
class Saved<IntArrayRef> {
 public:
  void save(IntArrayRef values) { values_.assign(values.begin(), values.end()); }
  IntArrayRef get() const { return values_; }

 private:
  std::vector<int64_t> values_;
};

template <>
class Saved<OptionalIntArrayRef> {
 public:
  void save(const OptionalIntArrayRef& values) {
    values_.reset();
    if (values.has_value()) values_.emplace(values->begin(), values->end());
  }
  OptionalIntArrayRef get() const { return values_; }

 private:
  std::optional<std::vector<int64_t>> values_;
};

template <>
class Saved<std::string_view> {
 public:
  void save(std::string_view value) { value_ = value; }
  std::string_view get() const { return value_; }

 private:
  std::string value_;
};

template <class T>
class Saved<ArrayRef<T>> {
 public:
  void save(ArrayRef<T> values) { values_.assign(values.begin(), values.end()); }
  ArrayRef<T> get() const { return values_; }

 private:
  std::vector<T> values_;
};

template <>
class Saved<std::optional<std::string_view>> {
 public:
  void save(std::optional<std::string_view> value) { value_ = value; }
  std::optional<std::string_view> get() const { return value_; }

 private:
  std::optional<std::string> value_;
};

template <class T>
class Saved<std::optional<ArrayRef<T>>> {
 public:
  void save(const std::optional<ArrayRef<T>>& values) {
    values_.reset();
    if (values.has_value()) values_.emplace(values->begin(), values->end());
  }
  std::optional<ArrayRef<T>> get() const {
    return values_.has_value() ? std::optional<ArrayRef<T>>(*values_) : std::nullopt;
  }

 private:
  std::optional<std::vector<T>> values_;
};

namespace impl {

// An argument other than a tensor.
template <class T>
class SavedInput {
 public:
  void save(const T& argument) { value_.save(argument); }
  T get(const Node&) const { return value_.get(); }
  void release() {}

 private:
  Saved<T> value_;
};

template <>
class SavedInput<Tensor> : public SavedTensor {};

template <>
class SavedInput<std::optional<Tensor>> {
 public:
  void save(const std::optional<Tensor>& argument) {
    has_value_ = argument.has_value();
    if (has_value_) tensor_.save(*argument);
  }
  std::optional<Tensor> get(const Node& node) const {
    return has_value_ ? std::optional<Tensor>(tensor_.get(node)) : std::nullopt;
  }
  void release() { tensor_.release(); }

 private:
  SavedTensor tensor_;
  bool has_value_ = false;
};

// A list of tensors or of optional tensors.
template <class T>
class SavedInput<ArrayRef<T>> {
 public:
  void save(ArrayRef<T> arguments) {
    if constexpr (is_of_tensors) {
      saved_.resize(arguments.size());
      for (std::size_t i = 0; i < arguments.size(); ++i) saved_[i].save(arguments[i]);
    } else {
      saved_.save(arguments);
    }
  }
  auto get(const Node& node) const {
    if constexpr (is_of_tensors) {
      std::vector<T> tensors;
      for (const SavedInput<T>& saved : saved_) tensors.push_back(saved.get(node));
      return tensors;
    } else {
      return saved_.get();
    }
  }
  void release() {
    if constexpr (is_of_tensors) {
      for (SavedInput<T>& saved : saved_) saved.release();
    }
  }

 private:
  static constexpr bool is_of_tensors = std::is_same_v<T, Tensor> || std::is_same_v<T, std::optional<Tensor>>;
  std::conditional_t<is_of_tensors, std::vector<SavedInput<T>>, Saved<ArrayRef<T>>> saved_;
};

// Properties of tensors, and the types in which nodes keep them.
struct Sizes {
  using Type = std::vector<int64_t>;
  static Type of(const Tensor& tensor) { return {tensor.sizes().begin(), tensor.sizes().end()}; }
};
struct Strides {
  using Type = std::vector<int64_t>;
  static Type of(const Tensor& tensor) { return {tensor.strides().begin(), tensor.strides().end()}; }
};
struct StorageOffset {
  using Type = int64_t;
  static Type of(const Tensor& tensor) { return tensor.storage_offset(); }
};

// A property of a tensor; its default value for an undefined tensor.
template <class Property, class T>
class SavedProperty {
 public:
  void save(const Tensor& argument) {
    if (argument.defined()) value_ = Property::of(argument);
  }
  void save(const std::optional<Tensor>& argument) {
    if (argument.has_value()) save(*argument);
  }
  const typename Property::Type& get(const Node&) const { return value_; }
  void release() {}

 private:
  typename Property::Type value_{};
};

template <class Property>
class SavedProperty<Property, ArrayRef<Tensor>> {
 public:
  void save(ArrayRef<Tensor> arguments) {
    for (const Tensor& argument : arguments) values_.push_back(Property::of(argument));
  }
  const std::vector<typename Property::Type>& get(const Node&) const { return values_; }
  void release() {}

 private:
  std::vector<typename Property::Type> values_;
};

}  // namespace impl

/// An argument of a recorded call, for a parameter of type T: a tensor, an optional tensor, a list of them, or a value.
template <class T>
using SavedInput = impl::SavedInput<std::remove_cvref_t<T>>;

/// Sizes, strides and storage offset of a tensor argument, or of each tensor in a list, for a parameter of type T.
template <class T>
using SavedSizes = impl::SavedProperty<impl::Sizes, std::remove_cvref_t<T>>;
template <class T>
using SavedStrides = impl::SavedProperty<impl::Strides, std::remove_cvref_t<T>>;
template <class T>
using SavedStorageOffset = impl::SavedProperty<impl::StorageOffset, std::remove_cvref_t<T>>;

template <class... S>
void release(S&... saved) {
  (saved.release(), ...);
}

}  // namespace structured::autograd
