#pragma once
// Philox 4x32-10: random numbers as a function of a key and a counter, so that any number of threads, on any device,
// draw parts of one sequence without sharing a state. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011.
#include <cstdint>

#include "structured/base/export.h"

namespace structured {

/// Four words of 32 bits.
struct PhiloxBlock {
  uint32_t words[4];
};

/// Block number `counter` (128 bits, low half first) of the sequence of `key`.
STRUCTURED_HOST_DEVICE constexpr PhiloxBlock philox(uint64_t key, uint64_t counter, uint64_t counter_high = 0) {
  uint32_t key_low = static_cast<uint32_t>(key);
  uint32_t key_high = static_cast<uint32_t>(key >> 32);
  PhiloxBlock block = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
                       static_cast<uint32_t>(counter_high), static_cast<uint32_t>(counter_high >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t product_0 = uint64_t{0xd2511f53} * block.words[0];
    const uint64_t product_2 = uint64_t{0xcd9e8d57} * block.words[2];
    block = {static_cast<uint32_t>(product_2 >> 32) ^ block.words[1] ^ key_low, static_cast<uint32_t>(product_2),
             static_cast<uint32_t>(product_0 >> 32) ^ block.words[3] ^ key_high, static_cast<uint32_t>(product_0)};
    key_low += 0x9e3779b9;
    key_high += 0xbb67ae85;
  }
  return block;
}

}  // namespace structured
