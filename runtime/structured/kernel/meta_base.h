#pragma once
// The interface through which a meta function says what its outputs look like.
#include <cstddef>
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"

namespace structured {

class Dimname;

/// A meta function receives a reference to this class (or to one derived from it, such as TensorIteratorBase) and calls
/// exactly one `set_output_*` for each output. What that does is decided by the adaptor around the operator's class: it
/// allocates (Functional), resizes (Out) or checks (Inplace).
///
/// A derived class that wants to learn of the outputs (an iterator keeps them as operands) overrides
/// `set_output_raw_strided` and reads `maybe_get_output(index)` there. Adaptors provide the output first and then call
/// that function of their base, whichever of the `set_output_*` was called. If the class that overrides it also
/// declares `void notify_output(std::int64_t index, const Tensor& output)`, that is called instead, which is cheaper.
///
/// Objects live on the stack of one call and belong to one thread. An operator has at most 32 outputs.
class STRUCTURED_API MetaBase {
 public:
  MetaBase() = default;
  MetaBase(const MetaBase&) = delete;
  MetaBase& operator=(const MetaBase&) = delete;

  /// Output `index` has these sizes. `strides` are those it gets if it has to be allocated or resized (empty:
  /// contiguous, or in the memory format of `options`); an output that the caller gave keeps its own, and the kernel
  /// must cope with them. Throws Error if such an output has another dtype or device than `options`.
  virtual void set_output_raw_strided(std::int64_t index, IntArrayRef sizes, IntArrayRef strides,
                                      TensorOptions options);

  /// The same, but the kernel sees exactly these strides: where the caller's output has others, a temporary stands in
  /// for it and is copied back afterwards.
  virtual void set_output_strided(std::int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

  /// As set_output_strided, with the strides of a dense tensor in the memory format of `options` (contiguous if it has
  /// none).
  void set_output_contiguous(std::int64_t index, IntArrayRef sizes, TensorOptions options);

  /// Output `index` has the sizes, dtype and device of `like`, which is non-overlapping and dense; it is to be laid out
  /// as `like` is, if it has to be allocated or resized. The cheapest way.
  virtual void set_output_like(std::int64_t index, const Tensor& like);

  /// Dimensions of output `index`, which was set before, have these names; none if the list is empty. An output that
  /// the caller gave loses those that it had.
  void set_output_names(std::int64_t index, ArrayRef<Dimname> names);

  /// Output `index` is left out: the kernel sees an undefined tensor, a functional call returns one, and an out=
  /// argument is neither resized nor written.
  virtual void set_output_undefined(std::int64_t index);

  /// The tensor that stands for output `index` now: what the caller gave, what was allocated, or an undefined tensor.
  virtual const Tensor& maybe_get_output(std::int64_t index);
  const Tensor& maybe_get_output() { return maybe_get_output(0); }

  /// Whether meta itself sees to it that outputs share no memory with inputs in a way that the kernel could not bear.
  /// If not, wrappers refuse all sharing. A derived class that knows better says true.
  static constexpr bool checks_overlap = false;

 protected:
  ~MetaBase() = default;  // nothing is deleted through this class

  /// Records that output `index` was settled. Adaptors do so themselves; a derived class calls it where it skips
  /// `set_output_*` because the output at hand already fits.
  void mark_output_set(std::int64_t index) { outputs_set_ |= std::uint32_t{1} << index; }
  /// The same for an adaptor of `count` outputs, and returns the index. Throws Error if there is no such output, or if
  /// it was set before.
  std::size_t claim_output(std::int64_t index, std::size_t count) {
    if (static_cast<std::uint64_t>(index) >= count || is_output_set(index)) [[unlikely]]
      fail_claim(index, count);
    mark_output_set(index);
    return static_cast<std::size_t>(index);
  }
  bool is_output_set(std::int64_t index) const { return (outputs_set_ >> index & 1) != 0; }
  /// One bit for each output, the lowest for the first.
  std::uint32_t outputs_set() const { return outputs_set_; }

 private:
  [[noreturn]] STRUCTURED_COLD static void fail_claim(std::int64_t index, std::size_t count);

  std::uint32_t outputs_set_ = 0;
};

}  // namespace structured
