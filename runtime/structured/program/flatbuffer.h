#pragma once
// Flatbuffers in memory: tables and vectors with checked offsets. The runtime and structured-gen include this header,
// which includes neither.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "structured/program/read_budget.h"

namespace structured::program {

/// Bytes of a flatbuffer. Numbers outside of them are 0, and vectors and text are empty.
class FlatBytes {
 public:
  /// `on_problem`, unless null, gets the first problem, and may throw.
  using Refuse = void (*)(const std::string& name, const std::string& problem);
  FlatBytes(std::string_view bytes, std::string name, Refuse on_problem = nullptr)
      : bytes_(bytes), name_(std::move(name)), refuse_(on_problem), budget_(bytes.size()) {}

  /// Name of the file.
  const std::string& name() const { return name_; }
  /// The first problem; empty if there is none.
  const std::string& error() const { return error_; }

  /// Little-endian number of `count` bytes.
  uint64_t number(std::size_t at, std::size_t count) const {
    if (!has(at, count)) return 0;
    uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  template <class T>
  T read(std::size_t at) const {
    return static_cast<T>(number(at, sizeof(T)));
  }
  /// Position that the offset at `at` leads to.
  std::size_t follow(std::size_t at) const { return at + read<uint32_t>(at); }
  std::string_view part(std::size_t at, std::size_t count) const {
    return has(at, count) ? bytes_.substr(at, count) : std::string_view();
  }
  /// Whether these bytes are within the buffer.
  bool has(std::size_t at, std::size_t count) const {
    const bool is_inside = at <= bytes_.size() && count <= bytes_.size() - at;
    if (!is_inside) [[unlikely]] {
      refuse("expected " + std::to_string(count) + " bytes at offset " + std::to_string(at) + " within the file's " +
             std::to_string(bytes_.size()));
    }
    return is_inside;
  }
  /// Whether a vector of `count` bytes may be read. Vectors that share their bytes count each time.
  bool take(std::size_t count) const {
    const bool is_left = budget_.take(count);
    if (!is_left) [[unlikely]]
      refuse("expected vectors that share few of the file's bytes");
    return is_left;
  }
  void refuse(const std::string& problem) const {
    if (!error_.empty()) return;
    error_ = problem;
    if (refuse_ != nullptr) refuse_(name_, problem);
  }

 private:
  std::string_view bytes_;
  std::string name_;
  Refuse refuse_;
  mutable std::string error_;
  mutable ReadBudget budget_;
};

/// Vector of elements of a fixed size.
class FlatVector {
 public:
  FlatVector() = default;
  /// `at` is the position of the length. Empty unless all elements are within the buffer.
  FlatVector(const FlatBytes& bytes, std::size_t at, std::size_t element_bytes)
      : bytes_(&bytes), begin_(at + 4), size_(bytes.read<uint32_t>(at)), element_bytes_(element_bytes) {
    if (!bytes.has(begin_, size_ * element_bytes) || !bytes.take(size_ * element_bytes)) size_ = 0;
  }

  std::size_t size() const { return size_; }
  /// Position of an element. Precondition: index < size().
  std::size_t at(std::size_t index) const { return begin_ + index * element_bytes_; }
  template <class T>
  T read(std::size_t index) const {
    return bytes_->read<T>(at(index));
  }
  std::string_view bytes() const {
    return bytes_ == nullptr ? std::string_view() : bytes_->part(begin_, size_ * element_bytes_);
  }

 private:
  const FlatBytes* bytes_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  std::size_t element_bytes_ = 0;
};

/// Table: fields by number, in the order of the format's description.
class FlatTable {
 public:
  FlatTable(const FlatBytes& bytes, std::size_t at) : bytes_(&bytes), at_(at) {
    const auto distance = static_cast<int32_t>(bytes.read<uint32_t>(at));
    vtable_ = at - static_cast<std::size_t>(static_cast<std::ptrdiff_t>(distance));
    vtable_bytes_ = bytes.read<uint16_t>(vtable_);
  }

  const FlatBytes& bytes() const { return *bytes_; }
  /// Position of a field, or 0 if it has its default value.
  std::size_t field(std::size_t number) const {
    const std::size_t entry = 4 + 2 * number;
    if (entry + 2 > vtable_bytes_) return 0;
    const auto offset = bytes_->read<uint16_t>(vtable_ + entry);
    return offset == 0 ? 0 : at_ + offset;
  }
  template <class T>
  T read(std::size_t number, T otherwise) const {
    const std::size_t position = field(number);
    return position == 0 ? otherwise : bytes_->read<T>(position);
  }
  /// Empty if the field is missing.
  std::string_view string(std::size_t number) const {
    const std::size_t position = field(number);
    return position == 0 ? std::string_view() : FlatVector(*bytes_, bytes_->follow(position), 1).bytes();
  }
  /// Empty if the field is missing.
  FlatVector vector(std::size_t number, std::size_t element_bytes) const {
    const std::size_t position = field(number);
    return position == 0 ? FlatVector() : FlatVector(*bytes_, bytes_->follow(position), element_bytes);
  }
  /// Refuses the buffer if the field is missing.
  FlatTable table(std::size_t number) const {
    const std::size_t position = field(number);
    if (position == 0) {
      bytes_->refuse("expected field " + std::to_string(number) + " of the table at offset " + std::to_string(at_));
    }
    return {*bytes_, bytes_->follow(position)};
  }
  /// Element of a vector of tables.
  static FlatTable element(const FlatBytes& bytes, const FlatVector& tables, std::size_t index) {
    return {bytes, bytes.follow(tables.at(index))};
  }

 private:
  const FlatBytes* bytes_;
  std::size_t at_;
  std::size_t vtable_;
  std::size_t vtable_bytes_;
};

}  // namespace structured::program
