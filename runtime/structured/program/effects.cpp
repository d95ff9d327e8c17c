#include "structured/program/effects.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string_view>

#include "structured/dispatch/signature.h"

namespace structured::program {
namespace {

/// Operators whose results can share memory with arguments although their schemas do not say so, without overloads.
bool may_alias_unannotated(std::string_view name) {
  constexpr std::string_view names[] = {
      "aten::_unsafe_view",
      "aten::atleast_1d",
      "aten::atleast_2d",
      "aten::atleast_3d",
      "aten::broadcast_tensors",
      "aten::diff",
      "aten::dropout",
      "aten::einsum",
      "aten::feature_dropout",
      "aten::meshgrid",
      "aten::pad",
      "aten::type_as",
      "aten::unsafe_chunk",
      "aten::unsafe_split",
      "aten::unsafe_split_with_sizes",
  };
  return std::find(std::begin(names), std::end(names), name.substr(0, name.find('.'))) != std::end(names);
}

/// Disjoint sets of slots, with path halving.
class SlotSets {
 public:
  explicit SlotSets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), Slot{0}); }

  /// The slot that stands for the set of `slot`.
  Slot find(Slot slot) {
    while (parents_[slot] != slot) slot = parents_[slot] = parents_[parents_[slot]];
    return slot;
  }
  void join(Slot a, Slot b) { parents_[find(a)] = find(b); }

 private:
  std::vector<Slot> parents_;
};

}  // namespace

Effects Effects::of(const Instruction& instruction) {
  Effects result;
  result.is_mutable.resize(instruction.operands.size());
  if (instruction.op == nullptr) return result;
  const OperatorSignature signature = signature_of(*instruction.op);
  for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
    result.is_mutable[i] = signature.arguments[i].is_mutable;
  }
  result.may_alias = may_alias_unannotated(instruction.op->name) ||
                     std::any_of(signature.results.begin(), signature.results.end(),
                                 [](const Parameter& parameter) { return parameter.is_alias; });
  return result;
}

WrittenMemory::WrittenMemory(const Graph& graph) : is_written_(graph.slot_count) {
  SlotSets sharing(graph.slot_count);
  std::vector<Slot> written;
  for (const Instruction& instruction : graph.instructions) {
    const Effects effects = Effects::of(instruction);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      instruction.operands[i].for_each([&](const Operand& part) {
        if (!part.is_slot()) return;
        if (effects.is_mutable[i]) written.push_back(part.slot);
        if (!effects.may_alias) return;
        for (const Slot result : instruction.results) sharing.join(result, part.slot);
      });
    }
  }
  for (const Slot slot : written) is_written_[sharing.find(slot)] = true;
  for (std::size_t slot = 0; slot < graph.slot_count; ++slot) {
    is_written_[slot] = is_written_[sharing.find(static_cast<Slot>(slot))];
  }
}

}  // namespace structured::program
