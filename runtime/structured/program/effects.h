#pragma once
// Effects of instructions on the memory of their operands.
#include <vector>

#include "structured/program/graph.h"

namespace structured::program {

/// Effects of an instruction that its operator's signature promises.
struct Effects {
  std::vector<bool> is_mutable;  ///< for each operand: whether the operator may write to it
  bool may_alias = true;         ///< whether results may share memory with operands

  static Effects of(const Instruction& instruction);
};

/// Values of a program, without branches, whose memory an instruction may write to, through a view as well.
class WrittenMemory {
 public:
  explicit WrittenMemory(const Graph& graph);
  bool contains(Slot slot) const { return is_written_[slot]; }

 private:
  std::vector<bool> is_written_;  // by slot
};

}  // namespace structured::program
