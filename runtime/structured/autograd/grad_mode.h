#pragma once
// Whether operators on this thread record how their results depend on tensors that require gradients.
#include <cstdint>

#include "structured/core/grad_state.h"
#include "structured/memory/storage.h"

namespace structured {

/// Whether this thread records gradients: true unless a guard says otherwise.
inline bool is_grad_enabled() { return detail::grad_is_enabled; }

/// Sets is_grad_enabled() until the end of the scope. Guards nest.
class GradModeGuard {
 public:
  explicit GradModeGuard(bool enabled) : previous_(detail::grad_is_enabled) { detail::grad_is_enabled = enabled; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;
  ~GradModeGuard() { detail::grad_is_enabled = previous_; }

 private:
  bool previous_;
};

/// Computes without recording until the end of the scope: results require no gradients.
class NoGradGuard : public GradModeGuard {
 public:
  NoGradGuard() : GradModeGuard(false) {}
};

/// Records gradients until the end of the scope, also within a NoGradGuard.
class EnableGradGuard : public GradModeGuard {
 public:
  EnableGradGuard() : GradModeGuard(true) {}
};

/// Whether the innermost InferenceModeGuard of this thread says so: false outside of all guards.
inline bool is_inference_mode_enabled() { return detail::initial_version == detail::StorageImpl::kUntracked; }

/// Computes without recording until the end of the scope, as NoGradGuard does, and makes new tensors inference tensors:
/// tensors without a version, which only code in such a scope may write to, and which recorded calls cannot save. Views
/// of other tensors are not inference tensors. With `enabled` false, operators record and make ordinary tensors, also
/// within another guard.
class InferenceModeGuard {
 public:
  explicit InferenceModeGuard(bool enabled = true) : grad_mode_(!enabled), previous_(detail::initial_version) {
    detail::initial_version = enabled ? detail::StorageImpl::kUntracked : 0;
  }
  InferenceModeGuard(const InferenceModeGuard&) = delete;
  InferenceModeGuard& operator=(const InferenceModeGuard&) = delete;
  ~InferenceModeGuard() { detail::initial_version = previous_; }

 private:
  GradModeGuard grad_mode_;
  uint32_t previous_;
};

}  // namespace structured
