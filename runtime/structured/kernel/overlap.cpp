#include "structured/kernel/overlap.h"

#include <cstddef>

#include "structured/core/error.h"

namespace structured {
namespace {

[[noreturn]] STRUCTURED_COLD void throw_overlap(const Tensor& written, const Tensor& read, const char* how) {
  fail("the tensor to be written, of sizes ", written.sizes(), " and strides ", written.strides(), ", ", how,
       " one that is read, of sizes ", read.sizes(), " and strides ", read.strides(), "; clone one of them first");
}

}  // namespace

namespace detail {

InternalOverlap search_internal_overlap(const Tensor& tensor) {
  if (tensor.numel() == 0) {
    return InternalOverlap::no;
  }
  const IntArrayRef sizes = tensor.sizes();
  const IntArrayRef strides = tensor.strides();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] == 0 && sizes[i] > 1) {
      return InternalOverlap::yes;
    }
  }
  return InternalOverlap::undecided;
}

void throw_internal_overlap(const Tensor& tensor) {
  fail("several elements of the tensor to be written, of sizes ", tensor.sizes(), " and strides ", tensor.strides(),
       ", share one memory location; clone it first");
}

}  // namespace detail

Overlap overlap(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) {
    return Overlap::full;
  }
  if (a.numel() == 0 || b.numel() == 0 || !a.storage().is_same(b.storage())) {
    return Overlap::none;
  }
  if (a.scalar_type() == b.scalar_type() && a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() &&
      a.strides() == b.strides()) {
    return Overlap::full;
  }
  if (!a.is_non_overlapping_and_dense() || !b.is_non_overlapping_and_dense()) {
    return Overlap::undecided;
  }
  // Compares offsets instead of addresses, since tensors without data can overlap, too.
  const auto a_size = static_cast<std::int64_t>(item_size(a.scalar_type()));
  const auto b_size = static_cast<std::int64_t>(item_size(b.scalar_type()));
  const std::int64_t a_begin = a.storage_offset() * a_size;
  const std::int64_t b_begin = b.storage_offset() * b_size;
  const std::int64_t a_end = a_begin + a.numel() * a_size;
  const std::int64_t b_end = b_begin + b.numel() * b_size;
  if (a_begin == b_begin && a_end == b_end) {
    return a.strides() == b.strides() ? Overlap::full : Overlap::partial;
  }
  return a_begin < b_end && b_begin < a_end ? Overlap::partial : Overlap::none;
}

void assert_no_partial_overlap(const Tensor& written, const Tensor& read) {
  if (overlap(written, read) == Overlap::partial) [[unlikely]] {
    throw_overlap(written, read, "overlaps a part of");
  }
}

void assert_no_overlap(const Tensor& written, const Tensor& read) {
  const Overlap found = overlap(written, read);
  if (found == Overlap::partial || found == Overlap::full) [[unlikely]] {
    throw_overlap(written, read, "shares memory with");
  }
}

}  // namespace structured
