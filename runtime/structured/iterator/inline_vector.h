#pragma once
// A vector that stores its first N elements inside the object and leaves them uninitialized until use. More elements
// are temporary memory (scratch.h), so that computations that are repeated allocate none.
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "structured/memory/scratch.h"

namespace structured::detail {

/// Construction writes two words for any N, so that an iterator costs no more than its operands. Neither copyable nor
/// movable.
template <class T, std::size_t N>
class InlineVector {
 public:
  using value_type = T;

  InlineVector() : data_(inline_data()) {}  // not `= default`: value-initialization would zero the elements
  InlineVector(const InlineVector&) = delete;
  InlineVector& operator=(const InlineVector&) = delete;
  ~InlineVector() {
    destroy_elements();
    if (capacity_ != N) [[unlikely]]
      deallocate();
  }

  std::size_t size() const { return size_; }
  static constexpr std::size_t inline_capacity() { return N; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }
  T& back() { return data_[size_ - 1]; }

  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) [[unlikely]]
      grow(size_ + 1);
    T* place = new (data_ + size_) T{std::forward<Args>(args)...};
    ++size_;
    return *place;
  }
  void push_back(const T& value) {
    const T copy = value;  // `value` may be an element
    emplace_back(copy);
  }
  void pop_back() { data_[--size_].~T(); }
  void erase(std::size_t index) {
    for (; index + 1 < size_; ++index) data_[index] = std::move(data_[index + 1]);
    pop_back();
  }
  void clear() {
    destroy_elements();
    size_ = 0;
  }
  /// New elements are uninitialized.
  void resize(std::size_t size)
    requires std::is_trivially_copyable_v<T>
  {
    if (size > capacity_) [[unlikely]]
      grow(size);
    size_ = static_cast<uint32_t>(size);
  }
  template <class Sequence>
  void assign(const Sequence& values)
    requires std::is_trivially_copyable_v<T>
  {
    resize(values.size());
    for (std::size_t i = 0; i < size_; ++i) data_[i] = values[i];
  }

 private:
  T* inline_data() { return reinterpret_cast<T*>(inline_); }

  void destroy_elements() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      for (std::size_t i = 0; i < size_; ++i) data_[i].~T();
    }
  }
  void deallocate() { deallocate_scratch(data_, capacity_ * sizeof(T)); }

  __attribute__((noinline, cold)) void grow(std::size_t size) {
    const std::size_t capacity = size < std::size_t{2} * capacity_ ? std::size_t{2} * capacity_ : size;
    static_assert(std::is_nothrow_move_constructible_v<T>);
    auto* data = static_cast<T*>(allocate_scratch(capacity * sizeof(T)));
    for (std::size_t i = 0; i < size_; ++i) new (data + i) T(std::move(data_[i]));
    destroy_elements();
    if (capacity_ != N) deallocate();
    data_ = data;
    capacity_ = static_cast<uint32_t>(capacity);
  }

  T* data_;
  uint32_t size_ = 0;  // initialized with capacity_ by one store
  uint32_t capacity_ = N;
  alignas(T) unsigned char inline_[N * sizeof(T)];
};

}  // namespace structured::detail
