#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/export.h>
#include <structured/core/tensor.h>
#include <structured/core/tensor_options.h>

#include <cstdint>

namespace structured {

/// The interface through which a meta function says what its outputs look like.
///
/// A meta function receives a reference to this class (or to a class derived from it, such as `TensorIteratorBase`) and
/// calls exactly one `set_output_*` for each output. What that call does is decided by the adaptor that the operator's
/// class is wrapped in: it allocates (Functional), resizes (Out) or checks (Inplace).
///
/// A class derived from this one that wants to learn of the outputs (an iterator keeps them as operands) overrides
/// `set_output_raw_strided` and reads `maybe_get_output(i)` there: adaptors provide the output first and then call the
/// base's version, also for the other `set_output_*` functions.
///
/// Objects live on the stack of one call and belong to one thread.
class STRUCTURED_API MetaBase {
 public:
  constexpr MetaBase() = default;
  MetaBase(const MetaBase&) = delete;
  MetaBase& operator=(const MetaBase&) = delete;

  /// Output `index` has these sizes; `strides` are a suggestion for an output that is allocated (empty: contiguous). An
  /// output given by the caller keeps its own strides, so the kernel must cope with any.
  /// Throws Error if the output's dtype or device differs from that in `options` (in adaptors that were given an
  /// output).
  virtual void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

  /// As `set_output_raw_strided`, but the kernel sees exactly these strides (empty: contiguous): where the caller's
  /// output has others, a temporary stands in for it and is copied back afterwards.
  virtual void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

  /// As `set_output_strided` with the strides of a contiguous tensor in `options`' memory format.
  void set_output_contiguous(int64_t index, IntArrayRef sizes, TensorOptions options);

  /// Output `index` is left out: the kernel sees an undefined tensor, a functional call returns one, an out= argument
  /// is left as it is.
  virtual void set_output_undefined(int64_t index);

  /// The tensor that stands for output `index` now: what the caller gave, what was allocated, or an undefined tensor.
  virtual const Tensor& maybe_get_output(int64_t index);
  const Tensor& maybe_get_output() { return maybe_get_output(0); }

 protected:
  // Not virtual: no object is deleted through this class.
  ~MetaBase() = default;

  /// Records that output `index` was settled. Adaptors do so themselves; a base calls it where it skips `set_output_*`
  /// because the output at hand already fits.
  void mark_output_set(int64_t index) { outputs_set_ |= uint32_t{1} << index; }
  bool is_output_set(int64_t index) const { return (outputs_set_ >> index & 1) != 0; }

 private:
  uint32_t outputs_set_ = 0;
};

}  // namespace structured
