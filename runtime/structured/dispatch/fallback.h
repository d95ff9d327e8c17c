#pragma once
// Boxed kernels: one function for every operator, which serves a whole layer or a whole backend.
#include <optional>
#include <string>

#include "structured/core/export.h"
#include "structured/dispatch/backend.h"
#include "structured/dispatch/layer.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

/// A call that was stopped on its way, by a layer or because its backend has no kernel.
class STRUCTURED_API BoxedCall {
 public:
  using Proceed = void (*)(const OperatorBase&, LayerSet, Stack&);
  BoxedCall(const OperatorBase& op, DispatchState rest, std::optional<Layer> layer, Proceed proceed)
      : op_(op), rest_(rest), layer_(layer), proceed_(proceed) {}

  const OperatorBase& op() const { return op_; }
  /// Those that are yet to see the call.
  LayerSet rest() const { return rest_.layers; }

  /// Goes on: takes the arguments from the stack, runs what comes next (another layer, in the end the kernel of the
  /// backend that the arguments are on) and leaves the results. Throws what that throws; then the stack is as before.
  void proceed(Stack& stack) const { proceed_(op_, rest_.layers, stack); }

  /// Who stopped it, for messages: "layer `Tracer`", "backend `PrivateUse1`".
  std::string intercepted_by() const;

 private:
  const OperatorBase& op_;
  DispatchState rest_;
  std::optional<Layer> layer_;
  Proceed proceed_;
};

/// The stack holds the arguments in schema order, and has to hold the results afterwards, in both cases nothing else.
/// For an argument that the operator writes, what counts is what was written: callers get back the tensor they gave.
/// Calls that the function makes itself go through the active layers as any call does; exclude those that should not
/// see them. May run in any number of threads.
using BoxedKernel = void (*)(const BoxedCall& call, Stack& stack);

/// `kernel` sees every call while `layer` is active, except of operators that have a kernel of their own for the layer
/// (Operator::register_layer_kernel). `file` and `line` say where the registration stands. Throws Error if the layer
/// has a fallback already, naming both places. Thread-safe.
STRUCTURED_API void register_fallback(Layer layer, BoxedKernel kernel, const char* file, int line);
/// `kernel` serves calls on `backend` of operators that have no kernel for it, not even a composite one.
STRUCTURED_API void register_fallback(Backend backend, BoxedKernel kernel, const char* file, int line);

/// Take that back. Throw Error if there is none. Calls that run at the same time may still reach it. Thread-safe.
STRUCTURED_API void deregister_fallback(Layer layer);
STRUCTURED_API void deregister_fallback(Backend backend);

}  // namespace structured
