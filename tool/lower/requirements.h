// What a wrapper has to do around the author's functions, and whether it is needed at all.
#pragma once

#include <string>
#include <vector>

#include "lower/plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace structured::gen {

/// The names of the schema's arguments that are wanted, in order.
std::vector<std::string> argument_names(const Schema& schema, llvm::function_ref<bool(const Argument&)> is_wanted);

class WrapperDuties {
 public:
  /// Both must outlive this object.
  WrapperDuties(const Plan& plan, const PlannedWrapper& wrapper) : plan_(plan), wrapper_(wrapper) {}

  /// Arguments that are tensors, or lists or optionals of tensors.
  std::vector<std::string> tensors() const;
  /// Whether the tensors must be on one device, which the wrapper sees to.
  bool check_devices() const;
  /// What tells the device that is made current; empty if there is none to choose.
  std::vector<std::string> device_arguments() const;
  bool choose_device() const { return !device_arguments().empty(); }
  /// Whether there is nothing to do but to call the author's kernel, with what the wrapper is given.
  bool only_call_kernel() const;

 private:
  const PlannedVariant& planned() const { return plan_.variant_of(wrapper_); }
  const Schema& schema() const { return planned().variant->schema; }

  const Plan& plan_;
  const PlannedWrapper& wrapper_;
};

/// Whether the dispatcher can call the wrapper's kernel itself: there is nothing to do around it, and its types are the
/// dispatcher's.
bool can_be_entry(const Plan& plan, const PlannedWrapper& wrapper);

}  // namespace structured::gen
