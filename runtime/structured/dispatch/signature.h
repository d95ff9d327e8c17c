#pragma once
// Arguments and results of operators at run time, from libraries with or without schema text.
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "structured/base/export.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/value.h"

namespace structured {

/// One argument or result of an operator. The name lives as long as the operator's library.
struct Parameter {
  std::string_view name;                 ///< empty for a result without a name
  Value::Kind kind = Value::Kind::none;  ///< of its values, apart from `None`
  bool is_optional = false;              ///< accepts `None`
  bool is_mutable = false;               ///< the operator writes to it
  bool is_alias = false;                 ///< has an alias set in the schema
  bool is_keyword_only = false;
  std::size_t length = 0;              ///< fixed length of a list; 0 for others
  std::optional<Value> default_value;  ///< an integer for a list of integers stands for all of its elements
};

struct OperatorSignature {
  std::vector<Parameter> arguments;
  std::vector<Parameter> results;
};

/// The arguments and results of an operator. Parses schema text if its library has it.
STRUCTURED_API OperatorSignature signature_of(const OperatorHandle& op);

namespace detail {

/// The signature of an operator in a library without schema text.
STRUCTURED_API OperatorSignature signature_from(const ParameterList& parameters);

}  // namespace detail
}  // namespace structured
