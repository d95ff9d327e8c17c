#pragma once
// Arguments and results of recorded calls that nodes keep for derivatives.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "structured/autograd/node.h"
#include "structured/core/array_ref.h"
#include "structured/core/scalar.h"

namespace structured::autograd {

/// An input or a result of a recorded call.
class STRUCTURED_API SavedTensor {
 public:
  /// Keeps an input; it may be undefined.
  void save(const Tensor& input);
  /// Keeps result number `index`. Keeps its data and not the tensor itself, which owns the node.
  void save_result(const Tensor& result, std::uint16_t index = 0);
  void release();

  /// The tensor as it was saved. Throws Error if it was released, or if an operator has written to its data since.
  /// `node` is the node that saved it.
  Tensor get(const Node& node) const;

 private:
  enum class State : std::uint8_t { released, input, result };

  Tensor tensor_;
  std::uint32_t version_ = 0;
  std::uint16_t index_ = 0;
  State state_ = State::released;
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
  std::vector<std::int64_t> values_;
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
  std::optional<std::vector<std::int64_t>> values_;
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

}  // namespace structured::autograd
