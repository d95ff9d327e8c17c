#pragma once
// Integers that nodes keep. The author's functions take them as numbers or as symbols.
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"

namespace structured::torch {

/// Sizes, strides or other integers, as numbers or as symbols, whichever the author's function takes.
class SavedIntegers {
 public:
  SavedIntegers() = default;
  explicit SavedIntegers(c10::SymIntArrayRef symbols) : symbols_(symbols.vec()) {}
  operator c10::SymIntArrayRef() const { return symbols_; }
  operator at::IntArrayRef() const {
    numbers_.clear();
    for (const c10::SymInt& size : symbols_) numbers_.push_back(size.guard_int(__FILE__, __LINE__));
    return numbers_;
  }

 private:
  std::vector<c10::SymInt> symbols_;
  mutable std::vector<int64_t> numbers_;
};

/// An integer, as a number or as a symbol, whichever the author's function takes.
class SavedInteger {
 public:
  SavedInteger() = default;
  explicit SavedInteger(c10::SymInt symbol) : symbol_(std::move(symbol)) {}
  operator c10::SymInt() const { return symbol_; }
  operator int64_t() const { return symbol_.guard_int(__FILE__, __LINE__); }

 private:
  c10::SymInt symbol_ = 0;
};

/// A value of one of these classes, if the call had one.
template <class Saved>
class OptionalSaved {
 public:
  OptionalSaved() = default;
  template <class Argument>
  explicit OptionalSaved(const Argument& argument) {
    if (argument.has_value()) saved_.emplace(*argument);
  }
  template <class T>
    requires std::convertible_to<const Saved&, T>
  operator c10::optional<T>() const {
    return saved_ ? c10::optional<T>(static_cast<T>(*saved_)) : c10::nullopt;
  }
  template <class T>
    requires std::convertible_to<const Saved&, c10::ArrayRef<T>>
  operator c10::OptionalArrayRef<T>() const {
    return this->operator c10::optional<c10::ArrayRef<T>>();
  }

 private:
  std::optional<Saved> saved_;
};

}  // namespace structured::torch
