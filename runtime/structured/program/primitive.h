#pragma once
// Operators on numbers and shapes, which exported programs contain and operator libraries do not have.
#include <string_view>

#include "structured/core/array_ref.h"
#include "structured/dispatch/value.h"
#include "structured/program/export.h"

namespace structured::program {

struct Primitive {
  std::string_view name;
  Value (*run)(ArrayRef<Value> arguments);
  std::size_t argument_count;
  bool has_effect = false;        ///< checks a condition
  std::string_view parameters{};  ///< names, separated by blanks, if arguments can be left out
};

/// Python's `bool` of a number or of a tensor with one element. Throws Error for other values.
bool truth(const Value& value);

/// Converts a number to a tensor without dimensions, for a number that is the argument of a `Tensor` parameter.
extern const Primitive kNumberToTensor;

/// Null if there is no such primitive. The names are those of PyTorch's file format without `torch.ops.`:
/// `_operator.mul`, `aten::sym_size.int`.
STRUCTURED_PROGRAM_API const Primitive* find_primitive(std::string_view name);

}  // namespace structured::program
