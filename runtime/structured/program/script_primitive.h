#pragma once
// Operators of TorchScript on numbers, strings, lists and dictionaries, which operator libraries do not have.
#include <optional>
#include <string_view>

#include "structured/core/array_ref.h"
#include "structured/program/dynamic_value.h"
#include "structured/program/export.h"

namespace structured::program {

struct ScriptPrimitive {
  std::string_view name;
  /// Returns no value if the operator has no result.
  std::optional<DynamicValue> (*run)(ArrayRef<DynamicValue> arguments);
  int min_arguments;
  int max_arguments;
};

/// Finds a primitive by its name without overload, `aten::add`, or returns null. One primitive serves all overloads on
/// values that are not tensors.
STRUCTURED_PROGRAM_API const ScriptPrimitive* find_script_primitive(std::string_view name);

/// Text of a value as Python's `str` gives it. Tensors are printed without elements.
std::string text_of(const DynamicValue& value, int depth = 0);

}  // namespace structured::program
