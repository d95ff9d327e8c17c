// Parameters of operators as constant data, for libraries without schema text.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/schema.h"

namespace structured::gen {

/// The default of an argument.
struct LoweredDefault {
  std::string type;        ///< C++ type of the value: `::structured::Scalar`
  std::string expression;  ///< C++ expression, or elements in braces
  CppDefault::Form form = CppDefault::Form::expression;
  friend auto operator<=>(const LoweredDefault&, const LoweredDefault&) = default;
};

/// An argument or a result.
struct LoweredParameter {
  std::string name;    ///< empty for a result without a name
  std::string kind;    ///< enumerator of the runtime's Value::Kind: `int_list`
  int64_t length = 0;  ///< fixed length of a list; 0 for others
  bool is_optional = false;
  bool is_mutable = false;
  bool is_alias = false;  ///< whether the schema gives it an alias set
  bool is_keyword_only = false;
  std::optional<LoweredDefault> default_value;
  friend auto operator<=>(const LoweredParameter&, const LoweredParameter&) = default;
};

/// The arguments of a schema, then its results.
std::vector<LoweredParameter> lower_parameters(const CppTypes& cpp_types, const Schema& schema);

/// Adds the headers that the expressions of default values need.
void add_default_headers(const CppTypes& cpp_types, const Schema& schema, std::set<std::string>& headers);

}  // namespace structured::gen
