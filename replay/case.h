// One recorded call, as test/conformance/README.md describes its line of JSON.
#pragma once

#include <structured/core/tensor.h>
#include <structured/dispatch/schema.h>
#include <structured/dispatch/value.h>
#include <structured/number/scalar_type.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace structured::replay {

/// Thrown for a case with invalid content. The message describes the error.
class MalformedCase : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Case {
  std::string name;      ///< name of the sample: `add`
  std::string op;        ///< `aten::add`
  std::string overload;  ///< `Tensor`, or empty
  nlohmann::json args;
  nlohmann::json kwargs;
  nlohmann::json expect;   ///< list of results; null if the call raised
  nlohmann::json exact;    ///< results in float64 or complex128, null where not needed; empty if not recorded
  nlohmann::json written;  ///< mutable arguments after the call, by name
  std::optional<std::string> error;
  bool is_random = false;  ///< the elements are random, so they are not compared

  std::string full_name() const { return overload.empty() ? op : op + "." + overload; }
};

/// Parses one line. Throws MalformedCase.
Case parse_case(const std::string& line);

/// Returns the arguments of the boxed call, including defaults. They may refer to `computed` values. Throws
/// MalformedCase if they do not match the schema, and structured::Error if the runtime cannot create one of them.
Stack arguments_of(const Case& recorded, const std::vector<SchemaArgument>& schema, const Stack& computed = {});

/// The value that `{"ref": NUMBER}` or `{"ref": NUMBER, "item": INDEX}` refers to. Throws MalformedCase.
Value computed_value(const nlohmann::json& reference, const Stack& computed);

/// Converts a recorded tensor. Throws MalformedCase, or structured::Error if it has more dimensions than kMaxDims.
Tensor tensor_from(const nlohmann::json& value);

/// Converts a recorded number such as `{"int": 1}`; nullopt for other values. Throws MalformedCase.
std::optional<Scalar> number_from(const nlohmann::json& value);

/// Returns the dtype of a name such as "float32"; nullopt for unknown and quantized dtypes.
std::optional<ScalarType> dtype_named(const std::string& name);

}  // namespace structured::replay
