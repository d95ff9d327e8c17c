#pragma once
// Whether operators on this thread record how their results depend on tensors that require gradients.
#include "structured/core/grad_state.h"

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

}  // namespace structured
