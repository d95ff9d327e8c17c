// Operations in which the threads of a warp or block exchange values.
#include <algorithm>

#include "operations.h"

namespace emulator {
namespace {

void shuffle(Thread* const (&lanes)[32], uint32_t mask, const Instruction& i) {
  uint64_t values[32] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) values[lane] = get<uint32_t>(*lanes[lane], lanes[lane]->waiting->from[0]);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    Thread& thread = *lanes[lane];
    const Instruction& own = *thread.waiting;
    const auto b = get<uint32_t>(thread, own.from[1]) & 0x1f;
    const auto c = get<uint32_t>(thread, own.from[2]);
    const unsigned segment = c >> 8 & 0x1f;
    const unsigned clamp = c & 0x1f;
    const unsigned highest = (lane & segment) | (clamp & ~segment & 0x1f);
    const unsigned lowest = lane & segment;
    unsigned source = lane;
    bool is_valid = false;
    switch (static_cast<WarpOperation>(i.mode)) {
      case WarpOperation::shuffle_up:
        source = lane - b;
        is_valid = static_cast<int>(lane) - static_cast<int>(b) >= static_cast<int>(highest);
        break;
      case WarpOperation::shuffle_down:
        source = lane + b;
        is_valid = source <= highest;
        break;
      case WarpOperation::shuffle_bfly:
        source = lane ^ b;
        is_valid = source <= highest;
        break;
      default:
        source = lowest | (b & ~segment & 0x1f);
        is_valid = source <= highest;
        break;
    }
    if (!is_valid) source = lane;
    if ((mask >> source & 1) == 0) thread.block->fail(thread, own, "shfl.sync reads a lane that does not take part");
    thread.slots[own.to[0]] = values[source];
    if (own.to[1] >= 0) thread.slots[own.to[1]] = is_valid;
  }
}

template <class T>
T reduced(Thread* const (&lanes)[32], uint32_t mask, WarpOperation operation) {
  bool is_first = true;
  T result = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const T value = get<T>(*lanes[lane], lanes[lane]->waiting->from[0]);
    if (is_first) {
      result = value;
    } else if (operation == WarpOperation::add) {
      result = static_cast<T>(static_cast<uint32_t>(result) + static_cast<uint32_t>(value));
    } else if (operation == WarpOperation::min || operation == WarpOperation::min_signed) {
      result = std::min(result, value);
    } else if (operation == WarpOperation::max || operation == WarpOperation::max_signed) {
      result = std::max(result, value);
    } else if (operation == WarpOperation::bit_and) {
      result = static_cast<T>(result & value);
    } else if (operation == WarpOperation::bit_or) {
      result = static_cast<T>(result | value);
    } else {
      result = static_cast<T>(result ^ value);
    }
    is_first = false;
  }
  return result;
}

}  // namespace

void complete_warp_operation(BlockRun& block, Thread* const (&lanes)[32], uint32_t mask) {
  Thread* first = nullptr;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    if (first == nullptr) first = lanes[lane];
    if (lanes[lane]->waiting->mode != first->waiting->mode) {
      block.fail(*lanes[lane], *lanes[lane]->waiting, "threads of one mask wait at different warp operations");
    }
  }
  const Instruction& i = *first->waiting;
  const auto operation = static_cast<WarpOperation>(i.mode);
  const auto is_set = [&](unsigned lane) { return lanes[lane]->slots[lanes[lane]->waiting->from[0]] != 0; };
  uint32_t ballot = 0;
  switch (operation) {
    case WarpOperation::sync:
      return;
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_bfly:
    case WarpOperation::shuffle_idx:
      shuffle(lanes, mask, i);
      return;
    case WarpOperation::vote_all:
    case WarpOperation::vote_any:
    case WarpOperation::vote_uni:
    case WarpOperation::vote_ballot:
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) != 0 && is_set(lane) != lanes[lane]->waiting->is_source_negated) {
          ballot |= uint32_t{1} << lane;
        }
      }
      break;
    default:
      break;
  }
  uint64_t results[32] = {};
  bool agrees = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    switch (operation) {
      case WarpOperation::vote_all:
        results[lane] = ballot == mask;
        break;
      case WarpOperation::vote_any:
        results[lane] = ballot != 0;
        break;
      case WarpOperation::vote_uni:
        results[lane] = ballot == mask || ballot == 0;
        break;
      case WarpOperation::vote_ballot:
        results[lane] = ballot;
        break;
      case WarpOperation::match_any:
      case WarpOperation::match_all: {
        uint32_t equal = 0;
        for (unsigned other = 0; other < 32; ++other) {
          if ((mask >> other & 1) != 0 && lanes[other]->slots[lanes[other]->waiting->from[0]] ==
                                              lanes[lane]->slots[lanes[lane]->waiting->from[0]]) {
            equal |= uint32_t{1} << other;
          }
        }
        agrees = equal == mask;
        results[lane] = operation == WarpOperation::match_any ? equal : agrees ? mask : 0;
        break;
      }
      case WarpOperation::min_signed:
      case WarpOperation::max_signed:
        results[lane] = to_slot(reduced<int32_t>(lanes, mask, operation));
        break;
      default:
        results[lane] = reduced<uint32_t>(lanes, mask, operation);
        break;
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    Thread& thread = *lanes[lane];
    thread.slots[thread.waiting->to[0]] = results[lane];
    if (thread.waiting->to[1] >= 0) thread.slots[thread.waiting->to[1]] = agrees;
  }
}

void complete_reduction(std::vector<Thread>& threads) {
  uint32_t count = 0;
  uint32_t total = 0;
  for (const Thread& thread : threads) {
    if (thread.state != Thread::State::at_barrier || thread.waiting->mode == 0) continue;
    ++total;
    count += (thread.slots[thread.waiting->from[0]] != 0) != thread.waiting->is_source_negated;
  }
  for (Thread& thread : threads) {
    if (thread.state != Thread::State::at_barrier) continue;
    const Instruction& i = *thread.waiting;
    const auto reduction = static_cast<BarrierReduction>(i.mode);
    if (reduction == BarrierReduction::none) continue;
    thread.slots[i.to[0]] = reduction == BarrierReduction::popc  ? count
                            : reduction == BarrierReduction::all ? count == total
                                                                 : count != 0;
  }
}

}  // namespace emulator
