#pragma once
// Limit of the memory that reading a file takes. The runtime and structured-gen include this header, which includes
// neither.
#include <cstddef>

namespace structured::program {

/// Bytes that a reader may make of a file. Values of a file refer to each other, so that a small damaged file could
/// otherwise stand for any number of values. Files that PyTorch writes take a small fraction.
class ReadBudget {
 public:
  explicit ReadBudget(std::size_t file_bytes) : remaining_(64 * file_bytes + (std::size_t{1} << 20)) {}

  /// Whether `bytes` more may be made, which are then counted.
  bool take(std::size_t bytes) {
    if (bytes > remaining_) return false;
    remaining_ -= bytes;
    return true;
  }

 private:
  std::size_t remaining_;
};

}  // namespace structured::program
