#pragma once
// The layer `Tracer`: writes down the calls of a thread as a program.
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/core/export.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/layer.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

/// What was called, in order. Belongs to one thread at a time.
///
/// It owns the arguments and results of all its calls, so that one tensor is told from another by its address: with
/// tensors on Meta that costs nothing, others keep their memory for as long.
class STRUCTURED_API Program {
 public:
  /// One call of an operator. In-place and out= calls have the tensors that they wrote among arguments and results.
  struct Call {
    const OperatorBase* op;
    std::vector<Value> arguments;  ///< in schema order
    std::vector<Value> results;
  };

  const std::vector<Call>& calls() const { return calls_; }

  /// What `tensor` is called when the program is printed, instead of a number. Before that, whichever.
  void set_name(const Tensor& tensor, std::string_view name);

  /// Prints the program: its inputs (tensors that no call before made), a line for each call, and what is left at the
  /// end (results that no call took). A tensor's first mention says its dtype, shape and device:
  ///
  ///     program(%x: Float[2, 3], %1: Float[3]) {
  ///       %2: Float[2, 3] = aten::add.Tensor(%x, %1, alpha=1)
  ///       %3: Float[2, 3] = aten::relu_(%2)
  ///       return %3
  ///     }
  STRUCTURED_API friend std::ostream& operator<<(std::ostream& out, const Program& program);

 private:
  friend class Tracer;

  std::vector<Call> calls_;
  std::vector<std::pair<Tensor, std::string>> names_;
};

class BoxedCall;

/// Until the end of the scope, appends the calls of this thread to a program. What a kernel calls in its turn is not
/// recorded, so that the program says what its author wrote: `aten::linear`, not the `aten::mm` within. Tracers nest:
/// the innermost records.
class STRUCTURED_API Tracer {
 public:
  /// `program` outlives the object.
  explicit Tracer(Program& program);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;
  ~Tracer();

 private:
  static void record(const BoxedCall& call, Stack& stack);

  Program* const outer_;
  IncludeLayers include_;
};

}  // namespace structured
