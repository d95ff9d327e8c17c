#pragma once
// Internal form of a program: straight-line instructions over slots, each holding a value.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "structured/dispatch/library.h"
#include "structured/dispatch/value.h"
#include "structured/program/parts.h"
#include "structured/program/signature.h"

namespace structured::program {

/// Index of a value in the frame of a program.
using Slot = uint32_t;

/// Argument of an instruction: a constant, the value in a slot, or a list whose elements are operands.
struct Operand {
  enum class Kind : uint8_t { constant, slot, list };

  static Operand of(Value value) { return {Kind::constant, 0, Value::Kind::none, std::move(value), {}}; }
  static Operand of_slot(Slot slot) { return {Kind::slot, slot, Value::Kind::none, Value(), {}}; }
  static Operand of_list(Value::Kind type, std::vector<Operand> elements) {
    return {Kind::list, 0, type, Value(), std::move(elements)};
  }

  bool is_constant() const { return kind == Kind::constant; }
  bool is_slot() const { return kind == Kind::slot; }
  /// Calls `function(operand)` for this operand and the elements of a list.
  template <class Function>
  void for_each(const Function& function) const {
    function(*this);
    for (const Operand& element : elements) element.for_each(function);
  }
  template <class Function>
  void for_each(const Function& function) {
    function(*this);
    for (Operand& element : elements) element.for_each(function);
  }

  Kind kind = Kind::constant;
  Slot slot = 0;
  Value::Kind list_type = Value::Kind::none;  ///< kind of the value that a list becomes
  Value constant;
  std::vector<Operand> elements;
};

struct Primitive;
struct Branches;

/// One step of a program: a call of an operator, a computation with numbers (primitive.h), or a choice between two
/// lists of instructions.
struct Instruction {
  std::string name;    ///< name of the node in the file, for messages
  std::string target;  ///< `aten::add.Tensor`, `_operator.mul`, `cond`
  const OperatorHandle* op = nullptr;
  const Primitive* primitive = nullptr;
  std::unique_ptr<Branches> branches;
  std::vector<Operand> operands;
  std::vector<Slot> results;
  bool unpacks_list = false;             ///< the only result of the operator is a list with an element for each slot
  Division division = Division::none;    ///< rule of a list of views
  const OperatorHandle* part = nullptr;  ///< makes one view of such a list; null: `op` makes the list
  bool has_effect = false;               ///< writes to an argument or checks a condition: never left out
  bool is_random = false;                ///< results differ from call to call
  std::vector<Slot> released;            ///< slots without a later reader
};

/// Two lists of instructions. The only operand of the instruction is the condition.
struct Branches {
  struct Branch {
    std::vector<Instruction> instructions;
    std::vector<Operand> outputs;  ///< the values of the instruction's result slots
  };
  Branch when_true;
  Branch when_false;
};

/// Copy at the end of a run, by which a functional program changes its state or its inputs.
struct Mutation {
  Slot destination;
  Operand source;
};

/// A program. Slots of states and of values that planning computed keep their values from run to run.
struct Graph {
  Slot new_slot() { return static_cast<Slot>(slot_count++); }

  std::size_t slot_count = 0;
  std::vector<ProgramInput> inputs;
  std::vector<Slot> input_slots;  ///< one for each input
  std::vector<ProgramState> states;
  std::vector<Slot> state_slots;  ///< one for each state
  std::vector<Instruction> instructions;
  std::vector<Mutation> mutations;
  std::vector<Operand> outputs;
};

}  // namespace structured::program
