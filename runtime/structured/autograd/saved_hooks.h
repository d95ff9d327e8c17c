#pragma once
// Hooks that replace the tensors that recorded calls save for derivatives, to compress them, move them or compute them
// again.
#include <functional>

#include "structured/base/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Returns a saved tensor, or one with the same elements. Is called each time that a derivative uses it.
using UnpackTensor = std::function<Tensor()>;

/// Takes a tensor that a call saves, and returns the function that gives it back. Must not write to the tensor.
using PackTensor = std::function<UnpackTensor(const Tensor& tensor)>;

namespace detail {

// The innermost hooks of this thread; null if there are none.
extern STRUCTURED_API STRUCTURED_THREAD_LOCAL const PackTensor* pack_tensor;

}  // namespace detail

/// Until the end of the scope, tensors that this thread's recorded calls save pass through `pack`: inputs and results
/// of operators and what AutogradFunctions save. The calls keep only the returned functions. Hooks nest; the innermost
/// apply. Operators that `pack` calls are not recorded.
class STRUCTURED_API SavedTensorHooks {
 public:
  explicit SavedTensorHooks(PackTensor pack);
  SavedTensorHooks(const SavedTensorHooks&) = delete;
  SavedTensorHooks& operator=(const SavedTensorHooks&) = delete;
  ~SavedTensorHooks();

 private:
  PackTensor pack_;
  const PackTensor* previous_;
};

}  // namespace structured
