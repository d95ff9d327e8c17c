// Targets: what structured-gen emits for libraries of a dialect. The dialect is the author's C++ (dialect/dialect.h),
// and a target is a printer of what was lowered. A dialect may have several targets.
#pragma once

#include <string>

#include "dialect/dialect.h"
#include "emit/printer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// A constant with static storage, which may be used from any thread.
struct Target {
  llvm::StringRef name;
  llvm::StringRef dialect;  ///< the target emits for libraries of this dialect; empty: of any one
  const Printer& printer;
  /// Whether the target emits for libraries of the dialect.
  bool accepts(const Dialect& of) const { return dialect.empty() ? of.cpp_types() != nullptr : dialect == of.name(); }
};

/// All targets. The first one for a dialect is its default.
llvm::ArrayRef<Target> targets();
/// Returns the target of that name, or null.
const Target* find_target(llvm::StringRef name);
/// Returns the default target for libraries of the dialect; null for a dialect without one, such as `aten`.
const Target* default_target(const Dialect& dialect);
/// Returns the error for an unknown name: "unknown target `latin`; expected native, torch, torch_stable or onnx".
std::string unknown_target(llvm::StringRef name);

/// Returns the options for lowering a library: the steps and arguments that the target prints; all of them without a
/// target, and for one without wrappers.
LowerOptions lower_options(const Target* target);

}  // namespace structured::gen
