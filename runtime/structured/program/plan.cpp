#include "structured/program/plan.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/dispatch/value_tensors.h"
#include "structured/program/effects.h"

namespace structured::program {
namespace {

/// Memory of computed constants, without views of weights. More would cost memory that runs share with other values.
constexpr std::size_t kMaxFoldedBytes = std::size_t{256} << 20;

/// Identity of the memory of a tensor; null if it has no elements.
using Memory = const void*;

Memory memory_of(const Tensor& tensor) { return tensor.storage().data(); }

/// Calls `function(slot)` for the slots that an instruction reads, in its branches as well.
template <class Function>
void for_each_read(const Instruction& instruction, const Function& function) {
  const auto visit = [&](const Operand& operand) {
    operand.for_each([&](const Operand& part) {
      if (part.is_slot()) function(part.slot);
    });
  };
  for (const Operand& operand : instruction.operands) visit(operand);
  if (!instruction.branches) return;
  for (const Branches::Branch* const branch : {&instruction.branches->when_true, &instruction.branches->when_false}) {
    for (const Instruction& step : branch->instructions) for_each_read(step, function);
    for (const Operand& output : branch->outputs) visit(output);
  }
}

/// Calls `function(slot)` for the slots that instructions in branches write.
template <class Function>
void for_each_inner_result(const Instruction& instruction, const Function& function) {
  if (!instruction.branches) return;
  for (const Branches::Branch* const branch : {&instruction.branches->when_true, &instruction.branches->when_false}) {
    for (const Instruction& step : branch->instructions) {
      for (const Slot slot : step.results) function(slot);
      for_each_inner_result(step, function);
    }
  }
}

/// Computes constant instructions. Repeats passes over the program until no further instruction is excluded.
class Folder {
 public:
  Folder(Graph& graph, Frame& frame)
      : graph_(graph), frame_(frame), is_excluded_(graph.instructions.size()), roots_(graph.slot_count) {
    for (const Instruction& instruction : graph_.instructions) effects_.push_back(Effects::of(instruction));
    for (const Mutation& mutation : graph_.mutations) {
      for (std::size_t i = 0; i < graph_.states.size(); ++i) {
        if (graph_.state_slots[i] == mutation.destination) written_.insert(memory_of(graph_.states[i].tensor));
      }
    }
  }

  void fold() {
    do {
      has_changed_ = false;
      pass();
    } while (has_changed_);
    std::size_t index = 0;
    std::erase_if(graph_.instructions, [&](const Instruction&) { return is_folded_[index++]; });
  }

  bool is_constant(Slot slot) const { return is_constant_[slot]; }

 private:
  void pass() {
    is_constant_.assign(graph_.slot_count, false);
    is_folded_.assign(graph_.instructions.size(), false);
    makers_.clear();
    folded_bytes_ = 0;
    for (std::vector<Memory>& roots : roots_) roots.clear();
    for (std::size_t i = 0; i < graph_.states.size(); ++i) {
      const Slot slot = graph_.state_slots[i];
      frame_[slot] = graph_.states[i].tensor;
      is_constant_[slot] = true;
      roots_[slot] = {memory_of(graph_.states[i].tensor)};
    }
    for (std::size_t i = 0; i < graph_.instructions.size(); ++i) {
      is_folded_[i] = can_fold(i) && try_fold(i);
      if (!is_folded_[i]) note_effects(i);
    }
    // A caller may write to the results.
    for (const Operand& output : graph_.outputs) {
      output.for_each([&](const Operand& part) {
        if (part.is_slot()) exclude_makers(part.slot);
      });
    }
  }

  bool can_fold(std::size_t index) const {
    const Instruction& instruction = graph_.instructions[index];
    if (is_excluded_[index] || instruction.has_effect || instruction.is_random) return false;
    bool is_foldable = true;
    for_each_read(instruction, [&](Slot slot) { is_foldable &= is_constant_[slot]; });
    return is_foldable;
  }

  bool try_fold(std::size_t index) {
    const Instruction& instruction = graph_.instructions[index];
    try {
      frame_.run(instruction);
    } catch (const Error&) {
      return false;  // the run reports it, if it gets there
    }
    std::vector<Memory> read;
    bool reads_written = false;
    for_each_read(instruction, [&](Slot slot) {
      for (const Memory root : roots_[slot]) {
        read.push_back(root);
        reads_written |= written_.contains(root);
      }
    });
    std::vector<Memory> made;
    std::size_t nbytes = 0;
    for (const Slot slot : instruction.results) {
      detail::visit_tensors_in(frame_[slot], [&](const Tensor& tensor) {
        const Memory memory = memory_of(tensor);
        if (memory == nullptr || std::find(read.begin(), read.end(), memory) != read.end()) return;
        made.push_back(memory);
        nbytes += tensor.storage().nbytes();
      });
    }
    // A view of memory that the program writes to is the same view in every run.
    if ((reads_written && (!made.empty() || !returns_tensors(instruction))) ||
        folded_bytes_ + nbytes > kMaxFoldedBytes) {
      return false;
    }
    folded_bytes_ += nbytes;
    for (const Memory memory : made) makers_[memory] = index;
    for (const Slot slot : instruction.results) {
      is_constant_[slot] = true;
      detail::visit_tensors_in(frame_[slot], [&](const Tensor& tensor) { roots_[slot].push_back(memory_of(tensor)); });
    }
    return true;
  }

  bool returns_tensors(const Instruction& instruction) const {
    bool result = false;
    for (const Slot slot : instruction.results) {
      detail::visit_tensors_in(frame_[slot], [&](const Tensor&) { result = true; });
    }
    return result;
  }

  void note_effects(std::size_t index) {
    const Instruction& instruction = graph_.instructions[index];
    const Effects& effects = effects_[index];
    for (const Slot slot : instruction.results) frame_[slot] = Value();
    if (effects.may_alias) {
      for_each_read(instruction, [&](Slot from) {
        for (const Slot to : instruction.results) {
          for (const Memory root : roots_[from]) add(roots_[to], root);
        }
      });
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      if (!effects.is_mutable[i]) continue;
      instruction.operands[i].for_each([&](const Operand& part) {
        if (!part.is_slot()) return;
        for (const Memory root : roots_[part.slot]) {
          if (!makers_.contains(root)) has_changed_ |= written_.insert(root).second;
        }
        exclude_makers(part.slot);
      });
    }
  }

  static void add(std::vector<Memory>& roots, Memory root) {
    if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
  }

  // Leaves the instructions that made the memory of a slot to the run.
  void exclude_makers(Slot slot) {
    for (const Memory root : roots_[slot]) {
      const auto maker = makers_.find(root);
      if (maker == makers_.end() || is_excluded_[maker->second]) continue;
      is_excluded_[maker->second] = true;
      has_changed_ = true;
    }
  }

  Graph& graph_;
  Frame& frame_;
  std::vector<Effects> effects_;
  std::vector<bool> is_excluded_;  // by instruction
  std::vector<bool> is_folded_;
  std::vector<bool> is_constant_;                   // by slot
  std::vector<std::vector<Memory>> roots_;          // by slot: memory of states and constants that it may share
  std::unordered_map<Memory, std::size_t> makers_;  // instruction that made the memory of a constant
  std::unordered_set<Memory> written_;              // memory of states that the program writes to
  std::size_t folded_bytes_ = 0;
  bool has_changed_ = false;
};

void remove_unused(Graph& graph) {
  std::vector<bool> is_used(graph.slot_count);
  const auto use = [&](const Operand& operand) {
    operand.for_each([&](const Operand& part) {
      if (part.is_slot()) is_used[part.slot] = true;
    });
  };
  for (const Operand& output : graph.outputs) use(output);
  for (const Mutation& mutation : graph.mutations) use(mutation.source);
  std::vector<bool> is_needed(graph.instructions.size());
  for (std::size_t i = graph.instructions.size(); i-- > 0;) {
    const Instruction& instruction = graph.instructions[i];
    is_needed[i] = instruction.has_effect || std::any_of(instruction.results.begin(), instruction.results.end(),
                                                         [&](Slot slot) { return is_used[slot]; });
    if (is_needed[i]) for_each_read(instruction, [&](Slot slot) { is_used[slot] = true; });
  }
  std::size_t index = 0;
  std::erase_if(graph.instructions, [&](const Instruction&) { return !is_needed[index++]; });
}

void release_after_last_use(Graph& graph, const std::vector<bool>& is_kept) {
  std::vector<bool> is_live = is_kept;
  const auto use = [&](const Operand& operand) {
    operand.for_each([&](const Operand& part) {
      if (part.is_slot()) is_live[part.slot] = true;
    });
  };
  for (const Operand& output : graph.outputs) use(output);
  for (const Mutation& mutation : graph.mutations) {
    use(mutation.source);
    is_live[mutation.destination] = true;
  }
  for (std::size_t i = graph.instructions.size(); i-- > 0;) {
    Instruction& instruction = graph.instructions[i];
    const auto release = [&](Slot slot) {
      if (is_live[slot]) return;
      is_live[slot] = true;
      instruction.released.push_back(slot);
    };
    for (const Slot slot : instruction.results) release(slot);
    for_each_inner_result(instruction, release);
    for_each_read(instruction, release);
  }
}

}  // namespace

void plan(Graph& graph, Frame& frame) {
  Folder folder(graph, frame);
  folder.fold();
  remove_unused(graph);

  std::vector<bool> is_kept(graph.slot_count), is_read(graph.slot_count);
  for (const Instruction& instruction : graph.instructions) {
    for_each_read(instruction, [&](Slot slot) { is_read[slot] = true; });
  }
  const auto read = [&](const Operand& operand) {
    operand.for_each([&](const Operand& part) {
      if (part.is_slot()) is_read[part.slot] = true;
    });
  };
  for (const Operand& output : graph.outputs) read(output);
  for (const Mutation& mutation : graph.mutations) {
    read(mutation.source);
    is_read[mutation.destination] = true;
  }
  for (Slot slot = 0; slot < graph.slot_count; ++slot) {
    is_kept[slot] = folder.is_constant(slot);
    if (is_kept[slot] && !is_read[slot]) frame[slot] = Value();
  }
  release_after_last_use(graph, is_kept);
}

}  // namespace structured::program
