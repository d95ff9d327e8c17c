#pragma once
// Sizes or strides while they are being computed: a vector of at most 64 dimensions that never allocates.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "structured/base/error.h"
#include "structured/core/array_ref.h"

namespace structured {

/// A tensor has at most this many dimensions.
inline constexpr std::size_t kMaxDims = 64;

/// Elements are left uninitialised until set, to avoid the cost of clearing 512 bytes of stack.
class DimVector {
 public:
  using value_type = int64_t;
  using iterator = int64_t*;
  using const_iterator = const int64_t*;
  using size_type = std::size_t;

  DimVector() {}  // not `= default`: value-initialisation would zero the elements
  /// `size` copies of `value`.
  DimVector(std::size_t size, int64_t value) { resize(size, value); }
  DimVector(std::initializer_list<int64_t> list) { assign(IntArrayRef(list)); }
  explicit DimVector(IntArrayRef values) { assign(values); }
  DimVector(const DimVector& other) { assign(other); }
  DimVector& operator=(const DimVector& other) {
    if (this != &other) assign(other);
    return *this;
  }

  /// Throws Error for more than 64 elements, as all growing functions do.
  void assign(IntArrayRef values) {
    set_size(values.size());
    for (std::size_t i = 0; i < size_; ++i) elements_[i] = values[i];
  }
  void push_back(int64_t value) {
    set_size(size_ + 1);
    elements_[size_ - 1] = value;
  }
  void pop_back() {
    STRUCTURED_CHECK(size_ > 0, "expected a dimension to drop, got none");
    --size_;
  }
  void insert(std::size_t position, int64_t value) {
    STRUCTURED_CHECK(position <= size_, "expected a position up to ", size_, ", got ", position);
    set_size(size_ + 1);
    for (std::size_t i = size_ - 1; i > position; --i) elements_[i] = elements_[i - 1];
    elements_[position] = value;
  }
  void erase(std::size_t position) {
    STRUCTURED_CHECK(position < size_, "expected a position below ", size_, ", got ", position);
    --size_;
    for (std::size_t i = position; i < size_; ++i) elements_[i] = elements_[i + 1];
  }
  /// New elements, if any, are `value`.
  void resize(std::size_t size, int64_t value = 0) {
    const std::size_t old_size = size_;
    set_size(size);
    for (std::size_t i = old_size; i < size; ++i) elements_[i] = value;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return elements_; }
  const int64_t* data() const { return elements_; }
  int64_t* begin() { return elements_; }
  int64_t* end() { return elements_ + size_; }
  const int64_t* begin() const { return elements_; }
  const int64_t* end() const { return elements_ + size_; }
  int64_t& operator[](std::size_t index) { return elements_[index]; }
  const int64_t& operator[](std::size_t index) const { return elements_[index]; }
  int64_t& back() { return elements_[size_ - 1]; }
  const int64_t& back() const { return elements_[size_ - 1]; }

  friend bool operator==(const DimVector& a, const DimVector& b) { return IntArrayRef(a).equals(b); }
  friend bool operator==(const DimVector& a, IntArrayRef b) { return IntArrayRef(a).equals(b); }

 private:
  void set_size(std::size_t size) {
    STRUCTURED_CHECK(size <= kMaxDims, "expected at most ", kMaxDims, " dimensions, got ", size);
    size_ = size;
  }

  std::size_t size_ = 0;
  int64_t elements_[kMaxDims];
};

/// Prints `[2, 3]`.
inline std::ostream& operator<<(std::ostream& out, const DimVector& values) { return out << IntArrayRef(values); }

}  // namespace structured
