#pragma once
// The layer `Tracer` records the calls of a thread as a program.
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/layer.h"
#include "structured/dispatch/operator.h"
#include "structured/dispatch/value.h"

namespace structured {

/// Recorded calls in order. Belongs to one thread at a time.
///
/// Owns the arguments and results of all its calls, so that the address of a tensor identifies it. Tensors on Meta have
/// no memory; other tensors keep theirs as long as the program lives.
class STRUCTURED_API Program {
 public:
  /// Call of an operator. For in-place and out= calls the written tensors are among both arguments and results.
  struct Call {
    const OperatorBase* op;
    std::vector<Value> arguments;  ///< in schema order
    std::vector<Value> results;
  };

  const std::vector<Call>& calls() const { return calls_; }

  /// Sets the name of `tensor` in the printed program, in place of a number. Replaces any earlier name.
  void set_name(const Tensor& tensor, std::string_view name);

  /// Prints the program: its inputs (tensors that no recorded call made), a line for each call, and its outputs
  /// (results that no recorded call read). The first mention of a tensor has its dtype, shape and device:
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

/// Records the calls of this thread until the end of the scope. Nested calls of kernels are not recorded, so that the
/// program contains what its author wrote: `aten::linear`, not the `aten::mm` inside. Tracers nest: the innermost one
/// records.
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
