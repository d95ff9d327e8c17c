// Decodes branches, calls, barriers and operations of warps.
#include "decoder.h"

namespace emulator {

void Decoder::read_call(std::string_view text, Instruction& i) {
  const auto offsets = [&](std::string_view list) {
    std::vector<int32_t> result;
    for (const std::string_view name : split_list(list)) {
      const Symbol* const symbol = find_symbol(name);
      if (symbol == nullptr || symbol->kind != Symbol::Kind::parameter) fail("unknown argument");
      result.push_back(symbol->at);
    }
    return result;
  };
  if (text.front() == '(') {
    const std::size_t close = matching(text, 0);
    i.results = offsets(text.substr(1, close - 1));
    text = trim(text.substr(close + 1));
    if (text.starts_with(',')) text = trim(text.substr(1));
  }
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view name = text.substr(0, end);
  text = trim(text.substr(end));
  if (text.starts_with(',')) text = trim(text.substr(1));
  if (text.starts_with('(')) i.arguments = offsets(text.substr(1, matching(text, 0) - 1));
  i.callee = module_.find(name);
  if (i.callee == nullptr || i.callee->body.empty()) fail("call of an unknown function");
  module_.decode(*i.callee);
  function_.waits |= i.callee->waits;
  i.run = &call;
}

bool Decoder::decode_control(std::string_view name, Instruction& i) {
  if (name == "bra") {
    branches_.emplace_back(function_.code.size(), operands_.at(0));
    i.run = &branch;
  } else if (name == "brx") {
    i.from[0] = source(operands_.at(0));
    indexed_branches_.emplace_back(function_.code.size(), operands_.at(1));
    i.run = &branch_indexed;
  } else if (name == "ret") {
    i.run = &leave;
  } else if (name == "exit") {
    i.run = &exit_thread;
  } else if (name == "trap" || name == "brkpt") {
    i.run = &trap;
  } else if (name == "membar" || name == "fence" || name == "nanosleep" || name == "griddepcontrol") {
    i.run = &nothing;
  } else if ((name == "bar" || name == "barrier") && !has("warp")) {
    if (operands_.size() > 1 && !has("red")) fail("a barrier for a part of the block");
    function_.waits = true;
    i.run = &barrier;
    if (has("red")) {
      i.to[0] = destination(operands_.at(0));
      i.mode = static_cast<uint8_t>(has("popc")  ? BarrierReduction::popc
                                    : has("and") ? BarrierReduction::all
                                                 : BarrierReduction::any);
      i.from[0] = source(without_not(operands_.back(), i.is_source_negated));
    }
  } else {
    return false;
  }
  return true;
}

bool Decoder::decode_warp(std::string_view name, Instruction& i) {
  using Operation = WarpOperation;
  std::optional<Operation> operation;
  if (name == "activemask") {
    i.to[0] = destination(operands_.at(0));
    i.run = &active_mask;
    return true;
  }
  if (name == "bar" || name == "barrier") {
    operation = Operation::sync;
    i.from[4] = source(operands_.at(0));
  } else if (name == "shfl") {
    operation = has("up")     ? Operation::shuffle_up
                : has("down") ? Operation::shuffle_down
                : has("bfly") ? Operation::shuffle_bfly
                              : Operation::shuffle_idx;
    set_result_and_predicate(operands_.at(0), i);
    for (std::size_t k = 1; k < 4; ++k) i.from[k - 1] = source(operands_.at(k));
    i.from[4] = source(operands_.at(4));
  } else if (name == "vote") {
    operation = has("all")   ? Operation::vote_all
                : has("any") ? Operation::vote_any
                : has("uni") ? Operation::vote_uni
                             : Operation::vote_ballot;
    i.to[0] = destination(operands_.at(0));
    i.from[0] = source(without_not(operands_.at(1), i.is_source_negated));
    i.from[4] = source(operands_.at(2));
  } else if (name == "match") {
    operation = has("any") ? Operation::match_any : Operation::match_all;
    set_result_and_predicate(operands_.at(0), i);
    i.from[0] = source(operands_.at(1));
    i.from[4] = source(operands_.at(2));
  } else if (name == "redux") {
    const bool is_signed = type_ == "s32";
    operation = has("add")   ? Operation::add
                : has("min") ? (is_signed ? Operation::min_signed : Operation::min)
                : has("max") ? (is_signed ? Operation::max_signed : Operation::max)
                : has("and") ? Operation::bit_and
                : has("or")  ? Operation::bit_or
                             : Operation::bit_xor;
    i.to[0] = destination(operands_.at(0));
    i.from[0] = source(operands_.at(1));
    i.from[4] = source(operands_.at(2));
  }
  if (!operation) return false;
  function_.waits = true;
  i.mode = static_cast<uint8_t>(*operation);
  i.run = &warp_operation;
  return true;
}

}  // namespace emulator
