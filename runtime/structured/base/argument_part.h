#pragma once
// Names of arguments in messages of code that operators share.
#include <cstddef>
#include <cstdint>
#include <iosfwd>

#include "structured/base/export.h"

namespace structured::detail {

/// Part of a message, at its beginning, for code that operators share: writes the name of an argument of the innermost
/// running operator, such as "`other`: ". Writes nothing if no operator is running, or if its schema leaves open which
/// argument it is.
struct ArgumentPart {
  enum class Role : uint8_t {
    none,
    tensor,     // a tensor that is required; several names if there are several
    input,      // input `index` of an operation with `count` tensor inputs
    output,     // output `index`, or the only one
    dimension,  // a dimension; several names if there are several
  };
  static constexpr uint32_t kOnly = UINT32_MAX;

  static constexpr ArgumentPart tensor() { return {Role::tensor, 0, 0}; }
  static constexpr ArgumentPart input(std::size_t index, std::size_t count) {
    return {Role::input, static_cast<uint32_t>(index), static_cast<uint32_t>(count)};
  }
  static constexpr ArgumentPart output(std::size_t index = kOnly) {
    return {Role::output, static_cast<uint32_t>(index), 0};
  }
  static constexpr ArgumentPart dimension() { return {Role::dimension, 0, 0}; }

  Role role = Role::none;
  uint32_t index = 0;
  uint32_t count = 0;
};

STRUCTURED_API std::ostream& operator<<(std::ostream& out, ArgumentPart part);

}  // namespace structured::detail
