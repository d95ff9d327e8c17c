// One recorded call, as test/conformance/README.md describes its line of JSON.
#pragma once

#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/dispatch/schema.h>
#include <structured/dispatch/value.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace structured::replay {

/// A case that says what no case can say. The message tells what is wrong with it.
class MalformedCase : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Case {
  std::string name;      ///< the sample's name: `add`
  std::string op;        ///< `aten::add`
  std::string overload;  ///< `Tensor`, or empty
  nlohmann::json args;
  nlohmann::json kwargs;
  nlohmann::json expect;   ///< a list of values, or null where the call raised
  nlohmann::json exact;    ///< results in float64, or null where they matter not; empty if none is told
  nlohmann::json written;  ///< arguments after the call, by name
  std::optional<std::string> error;
  bool is_random = false;  ///< elements are not determined

  std::string full_name() const { return overload.empty() ? op : op + "." + overload; }
};

/// Throws MalformedCase.
Case parse_case(const std::string& line);

/// The values that a boxed call takes, defaults included. Throws MalformedCase where they are none of the schema's, and
/// structured::Error where the runtime refuses to make them.
Stack arguments_of(const Case& recorded, const std::vector<SchemaArgument>& schema);

/// A recorded tensor. Throws MalformedCase, and structured::Error for one of more dimensions than tensors have here.
Tensor tensor_from(const nlohmann::json& value);

/// A recorded number, `{"int": 1}`; nothing for other values. Throws MalformedCase.
std::optional<Scalar> number_from(const nlohmann::json& value);

/// "float32" and so on; nothing for a dtype that there are no tensors of.
std::optional<ScalarType> dtype_named(const std::string& name);

}  // namespace structured::replay
