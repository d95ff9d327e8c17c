// Values of operations and graphs of scalar functions. Arithmetic follows C++ and IEEE 754; other functions are taken
// from the C++ library.
#pragma once

#include <cstdint>
#include <type_traits>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"
#include "model/scalar_graph.h"

namespace structured::gen {

/// The ScalarType of a C++ type.
template <class T>
constexpr ScalarType scalar_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return ScalarType::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= 8);
    return sizeof(T) == 4 ? ScalarType::float32 : ScalarType::float64;
  } else {
    static_assert(std::is_integral_v<T>);
    constexpr ScalarType of_size[] = {ScalarType::int8, ScalarType::int16, ScalarType::int32, ScalarType::int64};
    const auto type = of_size[sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
    return static_cast<ScalarType>(static_cast<int>(type) + (std::is_unsigned_v<T> ? 1 : 0));
  }
}

template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, uint8_t,
    std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;

template <class T>
ScalarValue scalar_value(T number) {
  return {scalar_type_of<T>(), llvm::bit_cast<BitsOf<T>>(number)};
}
/// `value` must be of that type.
template <class T>
T number_of(const ScalarValue& value) {
  return llvm::bit_cast<T>(static_cast<BitsOf<T>>(value.bits));
}

/// Returns the result of an operation that has operands. Their types must follow the registry's rules. Where the value
/// is unspecified, integers are divided and shifted to 0, and casts saturate.
ScalarValue evaluate(ScalarOp op, ScalarType type, llvm::ArrayRef<ScalarValue> operands);

/// Returns the result of a graph for a value of each input.
ScalarValue evaluate(const ScalarGraph& graph, llvm::ArrayRef<ScalarValue> inputs);

}  // namespace structured::gen
