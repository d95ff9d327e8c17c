// Translation of a library's scalar functions to ONNX functions.
#pragma once

#include <string>
#include <vector>

#include "emit/onnx/onnx_function.h"
#include "model/operator.h"
#include "model/source_range.h"

namespace structured::gen {

/// Why an operator has no function for elements of some types.
struct OnnxRefusal {
  std::string name;                ///< `my::steps`
  std::vector<std::string> types;  ///< `float32`; empty: all
  std::string reason;
  SourceRange range;
};

struct OnnxFunctions {
  std::vector<OnnxFunction> functions;  ///< in the order of the operators
  std::vector<OnnxRefusal> refusals;
};

/// Translates the scalar functions of the library. An operator has one function for the types of elements whose
/// functions are equal, float32 among them, and one for each other type.
OnnxFunctions translate_to_onnx(const Library& library);

}  // namespace structured::gen
