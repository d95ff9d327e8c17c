#include "script.h"

#include <structured/base/error.h>
#include <structured/program/saved_value.h>
#include <structured/program/script_module.h>

#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "compare.h"

namespace structured::run {
namespace {

using program::DynamicValue;

std::string difference_of_values(const DynamicValue& found, const DynamicValue& expected,
                                 std::optional<double> tolerance);

std::string difference_of_elements(const std::vector<DynamicValue>& found, const std::vector<DynamicValue>& expected,
                                   std::optional<double> tolerance) {
  if (found.size() != expected.size()) {
    return ": found " + std::to_string(found.size()) + " elements, expected " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string problem = difference_of_values(found[i], expected[i], tolerance);
    if (!problem.empty()) return "[" + std::to_string(i) + "]" + problem;
  }
  return "";
}

/// Describes the first difference, after the path to it.
std::string difference_of_values(const DynamicValue& found, const DynamicValue& expected,
                                 std::optional<double> tolerance) {
  if (found.type_name() != expected.type_name()) {
    return ": found a value of type " + std::string(found.type_name()) + ", expected " +
           std::string(expected.type_name());
  }
  if (found.is<Tensor>()) {
    const std::string problem = difference(found.to_tensor(), expected.to_tensor(), tolerance);
    return problem.empty() ? "" : ": " + problem;
  }
  if (found.is<DynamicValue::List>()) {
    return difference_of_elements(found.to_list().elements, expected.to_list().elements, tolerance);
  }
  if (found.is<DynamicValue::Tuple>()) {
    return difference_of_elements(found.to_tuple().elements, expected.to_tuple().elements, tolerance);
  }
  if (found.is<DynamicValue::Dict>()) {
    std::vector<DynamicValue> values, wanted;
    for (const auto& [key, value] : expected.to_dict().items) {
      const DynamicValue* const own = found.to_dict().find(key);
      if (own == nullptr) return ": expected another key";
      values.push_back(*own);
      wanted.push_back(value);
    }
    if (found.to_dict().items.size() != wanted.size()) return ": found more keys than expected";
    return difference_of_elements(values, wanted, tolerance);
  }
  if (found.is<double>()) {
    const double a = found.to_double(), b = expected.to_double();
    return std::abs(a - b) <= (tolerance ? *tolerance * std::abs(b) : 1e-7 + 1e-7 * std::abs(b))
               ? ""
               : ": found " + std::to_string(a) + ", expected " + std::to_string(b);
  }
  return found.equals(expected) ? "" : ": found another value";
}

}  // namespace

bool run_script(const std::string& path, OperatorLookup library, const std::string& expected, bool list,
                std::optional<double> tolerance) {
  ScriptModule module = ScriptModule::load(path, {library});
  if (list) {
    for (const std::string& method : module.methods()) std::printf("method %s\n", method.c_str());
    for (const std::string& op : module.operators()) std::printf("  %s\n", op.c_str());
  }
  if (expected.empty()) return true;
  const DynamicValue values = program::load_saved_value(expected);
  const std::vector<DynamicValue>& parts = values.to_tuple().elements;
  STRUCTURED_CHECK(parts.size() == 2, expected, ": expected a tuple of arguments and a result, found ", parts.size(),
                   " elements");
  const DynamicValue found = module.call("forward", parts[0].to_list().elements);
  const std::string problem = difference_of_values(found, parts[1], tolerance);
  if (problem.empty()) {
    std::printf("the result is as expected\n");
  } else {
    std::printf("result%s\n", problem.c_str());
  }
  return problem.empty();
}

}  // namespace structured::run
