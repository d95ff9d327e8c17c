#pragma once
// Dispatch from the size of an element to a type of that size.
#include <cstdint>

namespace structured::kernels {

/// Calls `function.operator()<W>()` with an unsigned type of `1 << item_size_log2` bytes.
template <class Function>
void visit_size(int item_size_log2, Function function) {
  switch (item_size_log2) {
    case 0:
      return function.template operator()<uint8_t>();
    case 1:
      return function.template operator()<uint16_t>();
    case 2:
      return function.template operator()<uint32_t>();
    case 3:
      return function.template operator()<uint64_t>();
    default:
      return function.template operator()<uint4>();
  }
}

}  // namespace structured::kernels
