#pragma once
// Execution of TorchScript programs.
#include <cstddef>
#include <limits>
#include <vector>

#include "structured/program/bytecode.h"

namespace structured::program {

/// A stack machine. Belongs to one thread at a time.
class Interpreter {
 public:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  /// Calls of more than `max_steps` instructions are an error. With a limit, the elements of lists and the characters
  /// of texts that primitives compute with count as instructions, so that memory is limited, too.
  explicit Interpreter(const BytecodeProgram& program, std::size_t max_steps = no_limit)
      : program_(program), max_steps_(max_steps) {}

  /// Calls a function with its arguments, `self` included, and returns its result. Throws Error, with the function and
  /// the operator, if an instruction fails, and for exceptions that the program raises.
  DynamicValue call(const BytecodeFunction& function, std::vector<DynamicValue> arguments);

 private:
  void run(const BytecodeFunction& function, std::vector<DynamicValue> registers);
  void step(const BytecodeFunction& function, const BytecodeInstruction& instruction,
            std::vector<DynamicValue>& registers, std::ptrdiff_t& next);
  void call_operator(const BytecodeOperator& op, std::size_t count);
  /// Counts the elements of the lists and texts that a primitive had as arguments or result.
  void charge(const std::vector<DynamicValue>& arguments);
  void call_method(const BytecodeFunction& function, const BytecodeInstruction& instruction);
  DynamicValue pop();
  std::vector<DynamicValue> pop(std::size_t count);
  void need(std::size_t count) const;

  const BytecodeProgram& program_;
  std::vector<DynamicValue> stack_;
  Stack arguments_;  // arguments of the current operator
  std::size_t depth_ = 0;
  std::size_t max_steps_;
  std::size_t steps_ = 0;
};

}  // namespace structured::program
