#pragma once
// Prepared operators, which emitted `prepare_*` functions return: one check of arguments and shapes for many runs.
#include <utility>

#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

namespace detail {

/// Base of prepared operators, with a record of the layout of their tensors.
class STRUCTURED_API PreparedCall {
 public:
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;
  virtual ~PreparedCall();
  void run() { run_(*this); }
  void check() const;

 protected:
  /// Function of one run.
  using Run = void (*)(PreparedCall& call);
  explicit PreparedCall(Run function) : run_(function) {}
  void set_run(Run function) { run_ = function; }
  void remember(const Tensor& tensor);

 private:
  struct Shape;
  Run run_;
  Shape* shapes_ = nullptr;  // linked list
};

}  // namespace detail

/// An operator that is ready to run: arguments are checked, outputs have their shapes, and `run` only computes. Owns
/// its arguments (tensors by handle, so that runs see later writes) and bumps the versions of its outputs at each run.
/// Movable; belongs to one thread at a time.
///
/// Becomes invalid when one of its tensors or their storage is resized; builds without NDEBUG check this at each run.
/// Layers do not see its runs.
class PreparedOperator {
 public:
  /// Takes ownership of `call`.
  explicit PreparedOperator(detail::PreparedCall* call) : call_(call) {}
  PreparedOperator(PreparedOperator&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
  PreparedOperator& operator=(PreparedOperator&& other) noexcept {
    std::swap(call_, other.call_);
    return *this;
  }
  ~PreparedOperator() { delete call_; }

  /// Precondition: the object was not moved from. Throws the exceptions of the kernel.
  void run() {
#if !defined(NDEBUG)
    check();
#endif
    call_->run();
  }
  /// Throws Error if the layout of one of the tensors has changed since the operator was prepared.
  void check() const { call_->check(); }

 private:
  detail::PreparedCall* call_;
};

}  // namespace structured
