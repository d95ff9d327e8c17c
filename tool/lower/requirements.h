// Requirements of wrappers: checks and guards around the author's functions. Arguments are positions in the dispatched
// signature.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "lower/function.h"
#include "lower/lowered_library.h"

namespace structured::gen {

class Requirements {
 public:
  /// Both must outlive this object.
  Requirements(const LoweredLibrary& lowered, const LoweredWrapper& wrapper) : lowered_(lowered), wrapper_(wrapper) {}

  /// Returns the tensors, and lists or optionals of tensors.
  Positions tensors() const;
  Positions mutable_arguments() const;
  bool must_check_devices() const;
  /// Returns the arguments that determine the current device; empty if the backend has only one device.
  Positions device_arguments() const;
  bool must_guard_device() const { return !device_arguments().empty(); }
  /// Whether the author's kernel needs no checks and guards around it.
  bool only_call_kernel() const;

 private:
  Positions positions(llvm::function_ref<bool(const Argument&)> is_wanted) const;

  const LoweredLibrary& lowered_;
  const LoweredWrapper& wrapper_;
};

/// Whether the dispatcher can call the author's kernel without a wrapper: the kernel needs no checks and guards, and
/// has the parameter types of the dispatcher.
bool is_directly_callable(const LoweredLibrary& lowered, const LoweredWrapper& wrapper);

}  // namespace structured::gen
