#pragma once
// Type promotion, from the categories and sizes of dtypes.
#include "structured/schema/dtype.h"

namespace structured::schema {

namespace detail {

// Indices in kDtypes; -1 for none.
constexpr int index_of(const Dtype& dtype) { return static_cast<int>(&dtype - kDtypes); }
constexpr const Dtype* dtype_at(int index) { return index < 0 ? nullptr : &kDtypes[index]; }

constexpr int complex_index(const Dtype& dtype) {
  if (!dtype.promotes()) return -1;
  if (dtype.is_complex()) return index_of(dtype);
  const int found =
      dtype_index([&](const Dtype& complex) { return complex.is_complex() && are_equal(complex.parts, dtype.name); });
  return found >= 0 ? found : index_of(*dtype_named("ComplexFloat"));
}

/// The smaller of two dtypes of one category is contained in the larger one, but for an unsigned and a signed dtype of
/// one size, and for two formats of one size: the next larger dtype contains both.
constexpr int larger_index(const Dtype& a, const Dtype& b) {
  if (&a == &b) return index_of(a);
  const Dtype& larger = a.size_log2 >= b.size_log2 ? a : b;
  const Dtype& smaller = &larger == &a ? b : a;
  if (larger.size_log2 > smaller.size_log2 && (larger.is_signed || !smaller.is_signed)) return index_of(larger);
  int result = -1;
  for (const Dtype& dtype : kDtypes) {
    const bool contains =
        dtype.category == a.category && dtype.computes && dtype.is_signed && dtype.size_log2 > larger.size_log2;
    if (contains && (result < 0 || dtype.size_log2 < kDtypes[result].size_log2)) result = index_of(dtype);
  }
  return result;
}

constexpr int promoted_index(const Dtype& a, const Dtype& b) {
  if (&a == &b) return index_of(a);
  if (!a.promotes() || !b.promotes()) return -1;
  const Dtype& higher = a.category >= b.category ? a : b;
  const Dtype& lower = &higher == &a ? b : a;
  if (higher.category == lower.category && !higher.is_complex()) return larger_index(a, b);
  if (!higher.is_complex() || lower.category < Category::floating) return index_of(higher);
  const int part = larger_index(*real_of(a), *real_of(b));
  return part < 0 ? -1 : complex_index(kDtypes[part]);
}

}  // namespace detail

/// The complex dtype with parts of a floating-point dtype; ComplexFloat for a dtype that is not the part of any. Null
/// for dtypes that do not promote.
constexpr const Dtype* complex_of(const Dtype& dtype) { return detail::dtype_at(detail::complex_index(dtype)); }

/// The smallest dtype that holds the values of both, by category first, by size second. Between a complex and a real
/// dtype, the size of floating-point parts counts. Null if there is none: quantized dtypes, and those without
/// arithmetic, promote with themselves only.
constexpr const Dtype* promoted(const Dtype& a, const Dtype& b) {
  return detail::dtype_at(detail::promoted_index(a, b));
}

namespace detail {

template <class Holds>
constexpr bool all_pairs(Holds holds) {
  return all_dtypes([&](const Dtype& a) { return all_dtypes([&](const Dtype& b) { return holds(a, b); }); });
}

static_assert(all_pairs([](const Dtype& a, const Dtype& b) { return promoted_index(a, b) == promoted_index(b, a); }),
              "promotion is symmetric");

}  // namespace detail
}  // namespace structured::schema
