#pragma once
// Interface through which a meta function describes its outputs.
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"

namespace structured {

class Dimname;

/// A meta function receives a reference to this class, or to one derived from it such as TensorIteratorBase, and calls
/// exactly one `set_output_*` for each output. The adaptor around the operator's class decides the effect: it allocates
/// (Functional), resizes (Out) or checks (Inplace).
///
/// A derived class that needs the outputs (an iterator keeps them as operands) overrides `set_output_raw_strided` and
/// reads `maybe_get_output(index)` there. Adaptors provide the output first and then call this function of their base,
/// for every kind of `set_output_*`. If the overriding class also declares `void notify_output(int64_t index,
/// const Tensor& output)`, adaptors call that instead, which is cheaper.
///
/// Objects live on the stack of one call and belong to one thread. An operator has at most 32 outputs.
class STRUCTURED_API MetaBase {
 public:
  MetaBase() = default;
  MetaBase(const MetaBase&) = delete;
  MetaBase& operator=(const MetaBase&) = delete;

  /// Sets the sizes of output `index`. `strides` apply if it is allocated or resized (empty: contiguous, or in the
  /// memory format of `options`); an output of the caller keeps its own strides, which the kernel must support. Throws
  /// Error if such an output has another dtype or device than `options`.
  virtual void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

  /// set_output_raw_strided with exact strides for the kernel: if the output of the caller has others, the kernel
  /// writes a temporary, which is copied back.
  virtual void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

  /// set_output_strided with the strides of a dense tensor in the memory format of `options` (default: contiguous).
  void set_output_contiguous(int64_t index, IntArrayRef sizes, TensorOptions options);

  /// Sets sizes, dtype and device of output `index` to those of `like`, which is non-overlapping and dense, and its
  /// layout too if it is allocated or resized. The cheapest of these functions.
  virtual void set_output_like(int64_t index, const Tensor& like);

  /// Sets the dimension names of output `index`, which must be set already. An empty list removes the names of an
  /// output of the caller.
  void set_output_names(int64_t index, ArrayRef<Dimname> names);

  /// Leaves output `index` undefined: the kernel receives an undefined tensor, a functional call returns one, and an
  /// out= argument is neither resized nor written.
  virtual void set_output_undefined(int64_t index);

  /// Current tensor of output `index`: the caller's, the allocated one, or an undefined tensor.
  virtual const Tensor& maybe_get_output(int64_t index);
  const Tensor& maybe_get_output() { return maybe_get_output(0); }

  /// Whether meta checks overlap of outputs with inputs itself. If not, wrappers reject all sharing of memory. Override
  /// to return `true` if it does.
  static constexpr bool checks_overlap = false;

 protected:
  ~MetaBase() = default;  // never deleted through this class

  /// Records that output `index` is set. Adaptors do so themselves; a derived class calls it if it skips `set_output_*`
  /// for an output that already fits.
  void mark_output_set(int64_t index) { outputs_set_ |= uint32_t{1} << index; }
  /// mark_output_set for an adaptor of `count` outputs; returns the index. Throws Error if there is no such output, or
  /// if it is set already.
  std::size_t claim_output(int64_t index, std::size_t count) {
    if (static_cast<uint64_t>(index) >= count || is_output_set(index)) [[unlikely]]
      fail_claim(index, count);
    mark_output_set(index);
    return static_cast<std::size_t>(index);
  }
  bool is_output_set(int64_t index) const { return (outputs_set_ >> index & 1) != 0; }
  /// One bit for each output, the lowest for the first.
  uint32_t outputs_set() const { return outputs_set_; }

 private:
  [[noreturn]] STRUCTURED_COLD static void fail_claim(int64_t index, std::size_t count);

  uint32_t outputs_set_ = 0;
};

}  // namespace structured
