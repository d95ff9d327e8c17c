#pragma once
// Forward mode: the derivative of each result along a direction, its tangent, is computed together with the result.
#include <cstdint>
#include <functional>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"

namespace structured {
namespace detail {

// The scope whose tangents this thread computes; 0 outside of all scopes.
extern STRUCTURED_API STRUCTURED_THREAD_LOCAL uint64_t tangent_scope;

}  // namespace detail

/// Until the end of the scope, this thread's recorded calls compute the tangents of their results from those of their
/// inputs. Each scope has tangents of its own; those of an outer scope are kept for its end.
class STRUCTURED_API ForwardModeGuard {
 public:
  ForwardModeGuard();
  ForwardModeGuard(const ForwardModeGuard&) = delete;
  ForwardModeGuard& operator=(const ForwardModeGuard&) = delete;
  ~ForwardModeGuard() { detail::tangent_scope = previous_; }

 private:
  uint64_t previous_;
};

/// Returns a tensor with the data of `primal`, whose tangent is `tangent`, of equal sizes, dtype and device. It
/// requires gradients, which flow to `primal`. Throws Error outside of a ForwardModeGuard, and in a NoGradGuard, in
/// which no tangents are computed.
STRUCTURED_API Tensor make_dual(const Tensor& primal, const Tensor& tangent);

/// The tangent of a tensor in the innermost ForwardModeGuard; undefined if it depends on no dual tensor. Tangents
/// require no gradients.
STRUCTURED_API Tensor tangent_of(const Tensor& tensor);

/// Results of a function with their tangents.
struct Jvp {
  std::vector<Tensor> results;
  std::vector<Tensor> tangents;  ///< zeros for results that depend on no input
};

/// The results of `function(inputs)`, and their derivatives along the direction `tangents`: the product of the Jacobian
/// matrix and that vector.
STRUCTURED_API Jvp jvp(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function,
                       const std::vector<Tensor>& inputs, TensorList tangents);

}  // namespace structured
