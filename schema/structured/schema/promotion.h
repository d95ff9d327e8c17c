#pragma once
// Type promotion, from the categories and sizes of dtypes.
#include "structured/schema/dtype.h"

namespace structured::schema {

/// The complex dtype with parts of a floating-point dtype; ComplexFloat for a dtype that is not the part of any. Null
/// for dtypes that do not promote.
constexpr const Dtype* complex_of(const Dtype& dtype) {
  if (!dtype.promotes()) return nullptr;
  if (dtype.is_complex()) return &dtype;
  const Dtype* const found = find_dtype(
      [&](const Dtype& complex) { return complex.is_complex() && detail::are_equal(complex.parts, dtype.name); });
  return found != nullptr ? found : dtype_named("ComplexFloat");
}

namespace detail {

/// The smaller of two dtypes of one category is contained in the larger one, but for an unsigned and a signed dtype of
/// one size, and for two formats of one size: the next larger dtype contains both. Null if there is none.
constexpr const Dtype* larger_of(const Dtype& a, const Dtype& b) {
  if (&a == &b) return &a;
  const Dtype& larger = a.size_log2 >= b.size_log2 ? a : b;
  const Dtype& smaller = &larger == &a ? b : a;
  if (larger.size_log2 > smaller.size_log2 && (larger.is_signed || !smaller.is_signed)) return &larger;
  const Dtype* result = nullptr;
  for (const Dtype& dtype : kDtypes) {
    const bool contains =
        dtype.category == a.category && dtype.computes && dtype.is_signed && dtype.size_log2 > larger.size_log2;
    if (contains && (result == nullptr || dtype.size_log2 < result->size_log2)) result = &dtype;
  }
  return result;
}

}  // namespace detail

/// The smallest dtype that holds the values of both, by category first, by size second. Between a complex and a real
/// dtype, the size of floating-point parts counts. Null if there is none: quantized dtypes, and those without
/// arithmetic, promote with themselves only.
constexpr const Dtype* promoted(const Dtype& a, const Dtype& b) {
  if (&a == &b) return &a;
  if (!a.promotes() || !b.promotes()) return nullptr;
  const Dtype& higher = a.category >= b.category ? a : b;
  const Dtype& lower = &higher == &a ? b : a;
  if (higher.category == lower.category && !higher.is_complex()) return detail::larger_of(a, b);
  if (!higher.is_complex() || lower.category < Category::floating) return &higher;
  const Dtype* const part = detail::larger_of(*real_of(a), *real_of(b));
  return part != nullptr ? complex_of(*part) : nullptr;
}

namespace detail {

template <class Holds>
constexpr bool all_pairs(Holds holds) {
  return all_dtypes([&](const Dtype& a) { return all_dtypes([&](const Dtype& b) { return holds(a, b); }); });
}

static_assert(all_pairs([](const Dtype& a, const Dtype& b) { return promoted(a, b) == promoted(b, a); }),
              "promotion is symmetric");

}  // namespace detail
}  // namespace structured::schema
