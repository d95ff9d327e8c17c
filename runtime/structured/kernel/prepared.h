#pragma once
// Operators whose checks and shapes are settled once, to be run many times: what emitted `prepare_*` functions return.
#include <utility>

#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured {

namespace detail {

/// A prepared operator of any kind, and what its tensors looked like when it was prepared.
class STRUCTURED_API PreparedCall {
 public:
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;
  virtual ~PreparedCall();
  void run() { run_(*this); }
  void check() const;

 protected:
  /// What is done at each run.
  using Run = void (*)(PreparedCall& call);
  explicit PreparedCall(Run run) : run_(run) {}
  void set_run(Run run) { run_ = run; }
  void remember(const Tensor& tensor);

 private:
  struct Shape;
  Run run_;
  Shape* shapes_ = nullptr;  // a list
};

}  // namespace detail

/// An operator that is ready to run: its arguments are checked, its outputs have their shapes, and `run` does nothing
/// but compute into them. It owns its arguments (tensors by handle: what is written to them later is seen), and bumps
/// the versions of its outputs at each run. Moves; belongs to one thread at a time.
///
/// Invalid once one of its tensors is resized, or its storage is: builds without NDEBUG check that at each run. Layers
/// do not see its runs.
class PreparedOperator {
 public:
  /// Takes over `call`.
  explicit PreparedOperator(detail::PreparedCall* call) : call_(call) {}
  PreparedOperator(PreparedOperator&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
  PreparedOperator& operator=(PreparedOperator&& other) noexcept {
    std::swap(call_, other.call_);
    return *this;
  }
  ~PreparedOperator() { delete call_; }

  /// Not on an object that was moved from. Throws whatever the kernel throws.
  void run() {
#if !defined(NDEBUG)
    check();
#endif
    call_->run();
  }
  /// Throws Error if one of the tensors is no longer what it was when the operator was prepared.
  void check() const { call_->check(); }

 private:
  detail::PreparedCall* call_;
};

}  // namespace structured
