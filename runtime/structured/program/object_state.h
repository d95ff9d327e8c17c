#pragma once
// Objects that a file stores as a state for `__setstate__`, such as packed parameters of quantized layers.
#include <functional>
#include <string>

#include "structured/program/bytecode.h"
#include "structured/program/dynamic_value.h"
#include "structured/program/operator_lookup.h"
#include "structured/program/read_budget.h"

namespace structured::program {

/// Restores an object of a class, which has no attributes yet, from its state. Returns the value to use in its place.
using RestoreObject = std::function<DynamicValue(const DynamicValue::Object& object, const DynamicValue& state)>;

/// Restores objects by the function `__setstate__` of their class in `program`, and packed parameters by the operators
/// `quantized::linear_prepack` and `quantized::conv2d_prepack` of `libraries`, whose results count in `budget`. The
/// function throws Error, with `name`, for other classes and for states of another form. All arguments outlive the
/// function.
RestoreObject object_restorer(const BytecodeProgram& program, const OperatorLookups& libraries, const std::string& name,
                              ReadBudget& budget);

}  // namespace structured::program
