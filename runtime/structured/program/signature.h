#pragma once
// Inputs and state of a saved program.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "structured/core/tensor.h"
#include "structured/dispatch/value.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Extent of one dimension of an input.
struct ProgramDim {
  int64_t size = -1;   ///< -1: any size from `min` to `max`, equal for all dimensions with this symbol
  std::string symbol;  ///< may be empty
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
};

/// Input of a program: a tensor, an integer, a real number or a boolean.
struct ProgramInput {
  std::string name;
  Value::Kind kind = Value::Kind::tensor;
  ScalarType dtype = ScalarType::Undefined;  ///< dtype of a tensor
  std::vector<ProgramDim> sizes;             ///< sizes of a tensor
};

/// Tensor that a program keeps from run to run. A program may write to buffers and parameters.
struct ProgramState {
  enum class Kind : uint8_t { parameter, buffer, constant };
  std::string name;
  Kind kind = Kind::parameter;
  Tensor tensor;
};

}  // namespace structured
