// ONNX functions as data: what emit/onnx/translation.h makes of scalar functions, and emit/onnx/model.h serializes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scalar_graph.h"

namespace structured::gen {

/// A node of a function. Its value is a tensor.
struct OnnxNode {
  enum class Kind {
    input,      ///< the input `name`
    attribute,  ///< the attribute `name`, a tensor
    constant,   ///< `number`, converted to `type`
    cast,       ///< the operand, converted to `type`
    operation,  ///< the ONNX operator `name`
  };
  Kind kind = Kind::operation;
  std::string name = {};
  std::vector<int64_t> operands = {};   ///< indices of earlier nodes
  std::optional<ScalarType> type = {};  ///< of a constant or cast; nullopt: that of the elements
  ScalarValue number = {};              ///< boolean, int64 or float64
  /// An attribute of the operator, which is an integer or, if that is not set, a string; or empty.
  std::string attribute = {};
  std::optional<int64_t> integer = {};
  std::string text = {};
  friend bool operator==(const OnnxNode&, const OnnxNode&) = default;
};

/// An attribute with the default value of an argument, which is a tensor.
struct OnnxAttribute {
  std::string name;
  std::optional<ScalarValue> number;  ///< boolean, int64 or float64; nullopt: no element, which stands for `None`
};

struct OnnxFunction {
  std::string domain;
  std::string name;
  std::string documentation;
  std::vector<std::string> inputs;
  std::vector<OnnxAttribute> attributes;
  std::vector<OnnxNode> nodes;  ///< the last one is the result
  int64_t element = 0;          ///< the input with the type of the elements
};

}  // namespace structured::gen
