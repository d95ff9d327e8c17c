#include "structured/kernel/overlap.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"

namespace structured {
namespace {

[[noreturn]] STRUCTURED_COLD void throw_overlap(const Tensor& written, const Tensor& read, const char* how) {
  fail("the tensor to be written, of sizes ", written.sizes(), " and strides ", written.strides(), ", ", how,
       " one that is read, of sizes ", read.sizes(), " and strides ", read.strides(), "; clone one of them first");
}

// Whether both tensors have the same elements at the same indices, where leading dimensions of size 1 may be missing.
bool is_same_view(const Tensor& a, const Tensor& b) {
  if (item_size(a.scalar_type()) != item_size(b.scalar_type()) || a.storage_offset() != b.storage_offset() ||
      a.numel() != b.numel()) {
    return false;
  }
  const int64_t rank = std::max(a.dim(), b.dim());
  for (int64_t i = 1; i <= rank; ++i) {
    const int64_t size = i <= a.dim() ? a.size(-i) : 1;
    if (size != (i <= b.dim() ? b.size(-i) : 1)) return false;
    if (size > 1 && a.stride(-i) != b.stride(-i)) return false;
  }
  return true;
}

// Search for memory that two tensors of one storage have in common: for numbers 0 <= x[k] <= limit[k] such that the sum
// of x[k] * step[k] is the distance between the beginning of one and the end of the other. The unit of memory is the
// largest that divides the sizes of both items, since finer steps hide common divisors of the strides. Each dimension
// of both tensors is a term, and so are the units of an item that has several.
class CommonMemory {
 public:
  CommonMemory(const Tensor& a, const Tensor& b)
      : unit_(std::gcd(item_size(a.scalar_type()), item_size(b.scalar_type()))) {
    const Units of_a = add(a);
    distance_ = add(b).last - of_a.first;
  }

  /// Returns `undecided` if the search takes too long.
  Overlap find() {
    int64_t greatest = 0;
    int64_t divisor = 0;
    for (std::size_t k = count_; k-- > 0;) {
      terms_[k].greatest = greatest += terms_[k].step * terms_[k].limit;
      terms_[k].divisor = divisor = std::gcd(divisor, terms_[k].step);
    }
    return search(0, distance_);
  }

 private:
  static constexpr int kLongest = 10'000;
  struct Term {
    int64_t step;
    int64_t limit;
    int64_t greatest;  // sum of this term and all later ones at their limits
    int64_t divisor;   // greatest common divisor of the steps of this term and all later ones
  };
  struct Units {
    int64_t first;
    int64_t last;
  };

  // Adds the terms of a tensor.
  Units add(const Tensor& tensor) {
    const auto item = static_cast<int64_t>(item_size(tensor.scalar_type()) / unit_);
    Units units{tensor.storage_offset() * item, tensor.storage_offset() * item};
    add_term(1, item, units);
    for (int64_t i = 0; i < tensor.dim(); ++i) add_term(tensor.stride(i) * item, tensor.size(i), units);
    return units;
  }

  // Inserts a term, so that steps descend, or adds it to the one with an equal step.
  void add_term(int64_t step, int64_t size, Units& units) {
    if (step == 0 || size <= 1) return;
    units.last += step * (size - 1);
    std::size_t k = count_;
    while (k > 0 && terms_[k - 1].step < step) --k;
    if (k > 0 && terms_[k - 1].step == step) {
      terms_[k - 1].limit += size - 1;
      return;
    }
    for (std::size_t i = count_++; i > k; --i) terms_[i] = terms_[i - 1];
    terms_[k] = {step, size - 1, 0, 0};
  }

  // Whether the terms from `k` on can have the sum `rest`.
  Overlap search(std::size_t k, int64_t rest) {
    if (++steps_ > kLongest) return Overlap::undecided;
    if (rest == 0) return Overlap::partial;
    if (k == count_ || rest < 0 || rest > terms_[k].greatest || rest % terms_[k].divisor != 0) return Overlap::none;
    const Term& term = terms_[k];
    const int64_t later = term.greatest - term.step * term.limit;
    for (int64_t x = std::min(term.limit, rest / term.step); x >= 0 && rest - x * term.step <= later; --x) {
      const Overlap found = search(k + 1, rest - x * term.step);
      if (found != Overlap::none) return found;
    }
    return Overlap::none;
  }

  std::size_t unit_;                            // bytes
  std::array<Term, 2 * (kMaxDims + 1)> terms_;  // the first `count_` are initialized
  std::size_t count_ = 0;
  int64_t distance_ = 0;
  int steps_ = 0;
};

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
  if (is_same_view(a, b)) {
    return Overlap::full;
  }
  if (!a.is_non_overlapping_and_dense() || !b.is_non_overlapping_and_dense()) {
    return CommonMemory(a, b).find();
  }
  // Compares offsets instead of addresses, since tensors without data can overlap, too.
  const auto a_size = static_cast<int64_t>(item_size(a.scalar_type()));
  const auto b_size = static_cast<int64_t>(item_size(b.scalar_type()));
  const int64_t a_begin = a.storage_offset() * a_size;
  const int64_t b_begin = b.storage_offset() * b_size;
  const int64_t a_end = a_begin + a.numel() * a_size;
  const int64_t b_end = b_begin + b.numel() * b_size;
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
