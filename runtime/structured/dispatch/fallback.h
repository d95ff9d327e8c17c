#pragma once
// Boxed kernels for all operators of a layer or of a backend.
#include <optional>
#include <string>

#include "structured/base/export.h"
#include "structured/dispatch/backend.h"
#include "structured/dispatch/layer.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

/// A call that was intercepted by a layer, or because its backend has no kernel.
class STRUCTURED_API BoxedCall {
 public:
  using Proceed = void (*)(const OperatorBase&, LayerSet, Stack&);
  BoxedCall(const OperatorBase& op, DispatchState rest, std::optional<Layer> layer, Proceed next)
      : op_(op), rest_(rest), layer_(layer), proceed_(next) {}

  const OperatorBase& op() const { return op_; }
  /// Layers that have not handled the call yet.
  LayerSet rest() const { return rest_.layers; }

  /// Continues the call: takes the arguments from the stack, runs the next layer or the kernel of the arguments'
  /// backend, and pushes the results. Rethrows its exceptions, after which the stack is unchanged.
  void proceed(Stack& stack) const { proceed_(op_, rest_.layers, stack); }

  /// Names the layer or backend that intercepted the call, for messages: "layer `Tracer`", "backend `PrivateUse1`".
  std::string intercepted_by() const;

 private:
  const OperatorBase& op_;
  DispatchState rest_;
  std::optional<Layer> layer_;
  Proceed proceed_;
};

/// The stack holds exactly the arguments in schema order, and must hold exactly the results afterwards. A mutable
/// argument is returned to the caller as the tensor that was passed, regardless of its value on the stack. Calls made
/// by the function go through the active layers; exclude those that must not handle them. May run on several threads at
/// the same time.
using BoxedKernel = void (*)(const BoxedCall& call, Stack& stack);

/// Makes `kernel` handle every call while `layer` is active, except of operators with a kernel for that layer
/// (Operator::register_layer_kernel). `file` and `line` are the source location of the registration. Throws Error, with
/// both source locations, if the layer already has a fallback. Thread-safe.
STRUCTURED_API void register_fallback(Layer layer, BoxedKernel kernel, const char* file, int line);
/// Makes `kernel` handle calls on `backend` of operators that have no kernel for it, not even a composite one.
STRUCTURED_API void register_fallback(Backend backend, BoxedKernel kernel, const char* file, int line);

/// Removes a fallback. Throws Error if there is none. Calls that run at the same time may still reach it. Thread-safe.
STRUCTURED_API void deregister_fallback(Layer layer);
STRUCTURED_API void deregister_fallback(Backend backend);

namespace detail {

/// Handles calls while `layer` is active that no registered fallback handles. Thread-safe.
STRUCTURED_API void set_default_fallback(Layer layer, BoxedKernel kernel);

}  // namespace detail
}  // namespace structured
