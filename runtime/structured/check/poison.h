#pragma once
// Patterns in new host memory, which make the use of memory that was not written visible.
#include <cstddef>

namespace structured::detail {

/// Fills all memory that is allocated for tensors on the CPU, by any thread, until the end of the scope. Guards do not
/// nest and must not exist at the same time on two threads.
class PoisonNewMemory {
 public:
  explicit PoisonNewMemory(unsigned char pattern);
  PoisonNewMemory(const PoisonNewMemory&) = delete;
  PoisonNewMemory& operator=(const PoisonNewMemory&) = delete;
  ~PoisonNewMemory();
};

}  // namespace structured::detail
