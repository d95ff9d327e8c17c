#pragma once
// A non-owning view of a sequence: the C++ type of a schema's `int[]` and `Tensor[]`.
// It must not outlive the sequence; made from a braced list or a single value it lives as long as the full expression.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <type_traits>

#include "structured/base/error.h"

namespace structured {

template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using const_iterator = const T*;
  using iterator = const T*;
  using size_type = std::size_t;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T* data, std::size_t size) : data_(data), size_(size) {}
  /// One element, so that an `int[2]` argument accepts a single number.
  constexpr ArrayRef(const T& element) : data_(&element), size_(1) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"  // an argument's braced list outlives the call
#endif
  constexpr ArrayRef(std::initializer_list<T> list)
      : data_(list.begin() == list.end() ? nullptr : list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  template <std::size_t N>
  constexpr ArrayRef(const T (&array)[N]) : data_(array), size_(N) {}
  /// From std::vector<T>, std::array<T, N>, DimVector and other types with data() and size(). Excludes
  /// std::vector<bool>, which has no data().
  template <class Sequence>
    requires requires(const Sequence& sequence) {
      { sequence.data() } -> std::same_as<const T*>;
      { sequence.size() } -> std::convertible_to<std::size_t>;
    }
  constexpr ArrayRef(const Sequence& sequence) : data_(sequence.data()), size_(sequence.size()) {}

  constexpr const T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  /// Not checked.
  constexpr const T& operator[](std::size_t index) const { return data_[index]; }
  /// Checked: throws Error if `index` is past the end.
  const T& at(std::size_t index) const {
    STRUCTURED_CHECK(index < size_, "expected an index below ", size_, ", got ", index);
    return data_[index];
  }
  const T& front() const { return at(0); }
  const T& back() const { return at(size_ - 1); }

  /// `count` elements from `start`. Throws Error if they are not all inside.
  ArrayRef slice(std::size_t start, std::size_t count) const {
    STRUCTURED_CHECK(start <= size_ && count <= size_ - start, "expected a slice within ", size_, " elements, got ",
                     count, " elements from ", start);
    return ArrayRef(data_ + start, count);
  }
  /// All but the first `count`.
  ArrayRef drop_front(std::size_t count = 1) const {
    STRUCTURED_CHECK(count <= size_, "expected to drop at most ", size_, " elements, got ", count);
    return ArrayRef(data_ + count, size_ - count);
  }

  /// Equal length and equal elements.
  constexpr bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) return false;
    }
    return true;
  }
  friend constexpr bool operator==(ArrayRef a, ArrayRef b)
    requires std::equality_comparable<T>
  {
    return a.equals(b);
  }

  /// A copy as a std::vector<T>, or as any other container made from two iterators.
  template <class Container>
  Container to() const {
    return Container(begin(), end());
  }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

class Tensor;

using IntArrayRef = ArrayRef<int64_t>;
using TensorList = ArrayRef<Tensor>;

/// Prints `[2, 3]`.
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ArrayRef<int64_t> values);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ArrayRef<double> values);
STRUCTURED_API std::ostream& operator<<(std::ostream& out, ArrayRef<bool> values);

/// An IntArrayRef that may be absent. Unlike std::optional<IntArrayRef> it converts from everything that converts to
/// IntArrayRef, including a braced list and a number: `sum(x, 1)`, `sum(x, {0, 1})`, `sum(x, std::nullopt)`.
class OptionalIntArrayRef {
 public:
  constexpr OptionalIntArrayRef() = default;
  constexpr OptionalIntArrayRef(std::nullopt_t) {}
  template <class Sequence>
    requires std::is_convertible_v<const Sequence&, IntArrayRef>
  constexpr OptionalIntArrayRef(const std::optional<Sequence>& values) {
    if (values.has_value()) values_ = *values;
  }
  constexpr OptionalIntArrayRef(IntArrayRef values) : values_(values) {}
  constexpr OptionalIntArrayRef(const int64_t& value) : values_(value) {}
  constexpr OptionalIntArrayRef(std::initializer_list<int64_t> list) : values_(list) {}
  template <class Sequence>
    requires std::is_convertible_v<const Sequence&, IntArrayRef> && (!std::is_arithmetic_v<Sequence>)
  constexpr OptionalIntArrayRef(const Sequence& sequence) : values_(sequence) {}

  constexpr bool has_value() const { return values_.size() != kAbsent; }
  constexpr explicit operator bool() const { return has_value(); }
  IntArrayRef value() const {
    STRUCTURED_CHECK(has_value(), "expected a list, got none");
    return values_;
  }
  constexpr IntArrayRef value_or(IntArrayRef other) const { return has_value() ? values_ : other; }
  constexpr const IntArrayRef& operator*() const { return values_; }
  constexpr const IntArrayRef* operator->() const { return &values_; }

 private:
  // A size that no list has. A separate flag would be a third word, and only two are passed in registers.
  static constexpr std::size_t kAbsent = SIZE_MAX;

  IntArrayRef values_{static_cast<const int64_t*>(nullptr), kAbsent};
};

}  // namespace structured
