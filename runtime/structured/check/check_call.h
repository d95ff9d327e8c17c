#pragma once
// Checked calls: an operator is called several times on copies of its arguments, and every deviation from its schema
// and its meta function is an error that names the operator, the argument and the element.
#include "structured/base/error.h"
#include "structured/base/export.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

/// Thrown by check_call for a kernel that deviates from its schema or from its meta function.
class STRUCTURED_API KernelFault final : public Error {
 public:
  using Error::Error;
};

/// Calls `op` as OperatorHandle::call does, after checks on copies of the arguments. Throws KernelFault if the kernel
///
/// - writes an input, changes its shape, or writes outside the elements of a mutable argument;
/// - leaves an element of a result unwritten, or reads memory that it has not written (before each call all new memory
///   and all out= arguments are filled with a pattern, which is NaN for floating-point dtypes);
/// - computes other results on another thread, or in a second call with equal arguments and equal generators;
/// - returns a tensor that shares memory with an argument although the schema declares no alias, or another tensor
///   than the mutable argument that the schema declares as the result (composite kernels may return an input);
/// - returns other sizes, strides or dtypes than the Meta backend, or if two calls on Meta differ.
///
/// Errors of the operator itself are passed on. Calls with tensors outside the CPU are not checked, nor are calls that
/// another thread makes during a check. Operators whose name contains `empty` or `resize` may leave elements unwritten.
STRUCTURED_API void check_call(const OperatorHandle& op, Stack& stack);

namespace detail {

/// Replaces the arguments on the stack by the results of a call.
struct BoxedFunction {
  void (*function)(const void* context, Stack& stack);
  const void* context;

  void operator()(Stack& stack) const { function(context, stack); }
};

/// Whether some thread is checking a call.
STRUCTURED_API bool is_checking_call();

/// check_call for a call that `call` makes.
STRUCTURED_API void check_call(const OperatorBase& op, BoxedFunction call, Stack& stack);

}  // namespace detail
}  // namespace structured
