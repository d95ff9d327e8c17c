#pragma once
// Execution of instructions.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "structured/core/tensor.h"
#include "structured/dispatch/value.h"
#include "structured/program/graph.h"

namespace structured::program {

/// Values of a program, one for each slot. Belongs to one thread at a time.
class Frame {
 public:
  explicit Frame(std::size_t slot_count) : values_(slot_count) {}

  Value& operator[](Slot slot) { return values_[slot]; }
  const Value& operator[](Slot slot) const { return values_[slot]; }

  /// Runs one instruction and releases the slots that it names. Throws Error, with the name and the target of the
  /// instruction, if it fails.
  void run(const Instruction& instruction);

  /// The value of an operand. Lists are new values.
  Value evaluate(const Operand& operand);

 private:
  void call_operator(const Instruction& instruction);
  bool make_parts(const Instruction& instruction);
  void call_primitive(const Instruction& instruction);
  void choose(const Instruction& instruction);
  Value evaluate_list(const Operand& operand);

  std::vector<Value> values_;
  Stack stack_;  // arguments and results of the current call
  // Elements of a list while it is evaluated, or boundaries of views.
  std::vector<Tensor> tensors_;
  std::vector<std::optional<Tensor>> optional_tensors_;
  std::vector<int64_t> integers_;
  std::vector<double> doubles_;
};

}  // namespace structured::program
