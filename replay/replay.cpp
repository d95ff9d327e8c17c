#include "replay.h"

#include <structured/base/error.h>
#include <structured/check/check_call.h>
#include <structured/find_operator.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compare.h"
#include "on_device.h"
#include "open_results.h"
#include "program.h"

namespace structured::replay {
namespace {

bool is_wanted(const Case& recorded, const std::string& only) {
  const std::string full = recorded.full_name();
  const std::string_view base = std::string_view(recorded.op).substr(recorded.op.find("::") + 2);
  return only.empty() || only == full || only == recorded.op || only == base ||
         only == std::string_view(full).substr(full.find("::") + 2);
}

bool is_known_difference(const std::vector<KnownDifference>& known, const std::string& op, const std::string& fault) {
  for (const KnownDifference& difference : known) {
    if (difference.op == op && fault.find(difference.text) != std::string::npos) return true;
  }
  return false;
}

// Returns empty if the error reports invalid arguments. Internal errors and missing kernels are faults.
std::string fault_in_refusal(const Error& error) {
  if (dynamic_cast<const InternalError*>(&error) != nullptr) return std::string("an internal error: ") + error.what();
  const std::string_view message = error.what();
  for (const std::string_view missing : {"not implemented", "has no kernel for backend"}) {
    if (message.find(missing) != std::string_view::npos) return std::string("a missing kernel: ") + error.what();
  }
  return "";
}

// Returns the float64 or complex128 result; undefined if it is not recorded.
Tensor exact_result(const Case& recorded, std::size_t index) {
  if (index >= recorded.exact.size() || !recorded.exact[index].contains("tensor")) return {};
  return tensor_from(recorded.exact[index]);
}

// Returns the exact result for a mutable argument that is also a result.
Tensor exact_argument(const Case& recorded, const nlohmann::json& written) {
  for (std::size_t i = 0; i < recorded.exact.size() && i < recorded.expect.size(); ++i) {
    if (recorded.expect[i] == written) return exact_result(recorded, i);
  }
  return {};
}

// Describes the first fault in the results and the mutable arguments; empty if there is none.
std::string fault_in_results(const Case& recorded, const std::vector<SchemaArgument>& schema, const Stack& arguments,
                             const Stack& results, Device device) {
  // The recorded result and one of another device may each differ from the exact one by the tolerance: sums of many
  // products that cancel do, because their terms are added in another order.
  const double factor = device.is_cpu() ? 1 : 2;
  const std::optional<std::string> in_meaning = difference_in_meaning(recorded, schema, arguments, results);
  if (in_meaning) return *in_meaning;
  const bool returns_nothing = recorded.expect.size() == 1 && recorded.expect[0].contains("none") && results.empty();
  if (results.size() != recorded.expect.size() && !returns_nothing) {
    // PyTorch's bindings flatten a list of tensors to several results.
    const bool is_list = results.size() == 1 && results[0].is(Value::Kind::tensor_list);
    if (!is_list) {
      return std::to_string(results.size()) + " results, expected " + std::to_string(recorded.expect.size());
    }
    return difference(results[0], {{"list", recorded.expect}}, recorded.is_random, {}, factor);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool is_list = results[i].is(Value::Kind::tensor_list) && !recorded.expect[i].contains("list");
    const nlohmann::json expected = is_list ? nlohmann::json{{"list", recorded.expect}} : recorded.expect[i];
    const std::string found = difference(results[i], expected, recorded.is_random, exact_result(recorded, i), factor);
    if (!found.empty()) return (results.size() > 1 ? "result " + std::to_string(i) + ": " : "") + found;
  }
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const std::string name(schema[i].name);
    if (!recorded.written.contains(name)) continue;
    const nlohmann::json& written = recorded.written[name];
    const std::string found =
        difference(arguments[i], written, recorded.is_random, exact_argument(recorded, written), factor);
    if (!found.empty()) return "argument `" + name + "` after the call: " + found;
  }
  return "";
}

// Describes how the call deviates from the recording; empty if it does not.
std::string fault_in_call(const Case& recorded, const OperatorHandle& op, const ReplayOptions& options) {
  const std::vector<SchemaArgument> schema = read_schema(op.schema()).arguments;
  try {
    Stack stack = arguments_of(recorded, schema);
    if (!options.device.is_cpu()) stack = arguments_on_device(stack, schema, options.device);
    Stack arguments = stack;
    options.checks_calls ? check_call(op, stack) : op.call(stack);
    if (!options.device.is_cpu()) {
      arguments = on_device(arguments, kCPU);
      stack = on_device(stack, kCPU);
    }
    if (recorded.error && recorded.expect.is_null()) return "no error, expected one like: " + *recorded.error;
    return fault_in_results(recorded, schema, arguments, stack, options.device);
  } catch (const Error& error) {
    return recorded.error ? fault_in_refusal(error) : std::string("an error: ") + error.what();
  } catch (const MalformedCase&) {
    throw;
  } catch (const std::exception& error) {
    return std::string("an exception other than Error: ") + error.what();
  }
}

}  // namespace

std::size_t Report::passed() const {
  std::size_t sum = 0;
  for (const auto& [name, counts] : operators) sum += counts.value_passed + counts.error_passed;
  return sum;
}

std::size_t Report::failed() const {
  std::size_t sum = 0;
  for (const auto& [name, counts] : operators) sum += counts.value_failed + counts.error_failed;
  return sum;
}

std::size_t Report::known() const {
  std::size_t sum = 0;
  for (const auto& [name, counts] : operators) sum += counts.value_known + counts.error_known;
  return sum;
}

std::size_t Report::skipped() const {
  std::size_t sum = 0;
  for (const auto& [name, counts] : operators) sum += counts.skipped;
  return sum;
}

std::vector<std::string> Report::below(double percent) const {
  const auto is_below = [&](std::size_t passed, std::size_t others) {
    return 100 * static_cast<double>(passed) < percent * static_cast<double>(passed + others);
  };
  std::vector<std::string> names;
  for (const auto& [name, counts] : operators) {
    if (is_below(counts.value_passed, counts.value_failed + counts.value_known) ||
        is_below(counts.error_passed, counts.error_failed + counts.error_known)) {
      names.push_back(name);
    }
  }
  return names;
}

std::vector<KnownDifference> read_known_differences(std::istream& lines) {
  std::vector<KnownDifference> known;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t first = line.find(" | ");
    const std::size_t second = first == std::string::npos ? first : line.find(" | ", first + 3);
    if (second == std::string::npos) {
      throw std::runtime_error("line " + std::to_string(number) +
                               " of the known differences: expected `operator | part of the message | reason`");
    }
    known.push_back({line.substr(0, first), line.substr(first + 3, second - first - 3)});
  }
  return known;
}

// The program in a line, or nothing: a recorded call may have an argument `steps`, too.
std::optional<nlohmann::json> program_in(const std::string& line) {
  if (line.find("\"steps\"") == std::string::npos) return std::nullopt;
  nlohmann::json program = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  return is_program(program) ? std::optional(std::move(program)) : std::nullopt;
}

// Adds the results of a program, which are named after the kind of derivative and the sample: `double: add`.
template <typename Complain>
void replay_program(const nlohmann::json& program, const ReplayOptions& options, Report& report, Complain complain) {
  const std::string name = program.value("name", "");
  if (!options.only.empty() && options.only != name) return;
  const std::vector<ProgramResult> results = run_program(program);
  if (results.empty()) ++report.operators["unknown operators: " + name].skipped;
  for (const ProgramResult& result : results) {
    Counts& counts = report.operators[result.name];
    const bool is_known = !result.fault.empty() && is_known_difference(options.known, result.name, result.fault);
    if (!result.fault.empty() && !is_known) complain(result.name + ": " + result.fault);
    ++(result.fault.empty() ? counts.value_passed : is_known ? counts.value_known : counts.value_failed);
  }
}

Report replay(std::istream& cases, const ReplayOptions& options) {
  Report report;
  std::string line;
  for (std::size_t number = 1; std::getline(cases, line); ++number) {
    if (line.empty()) continue;
    const auto complain = [&](const std::string& text) {
      if (options.complain) options.complain("line " + std::to_string(number) + ": " + text);
    };
    try {
      if (const std::optional<nlohmann::json> program = program_in(line)) {
        replay_program(*program, options, report, complain);
        continue;
      }
      const Case recorded = parse_case(line);
      if (!is_wanted(recorded, options.only)) continue;
      Counts& counts = report.operators[recorded.full_name()];
      const OperatorHandle* const op = find_operator(recorded.full_name());
      if (op == nullptr) {
        ++counts.skipped;
        continue;
      }
      const std::string fault = fault_in_call(recorded, *op, options);
      const bool is_known = !fault.empty() && is_known_difference(options.known, recorded.full_name(), fault);
      if (!fault.empty() && !is_known) complain(recorded.full_name() + ": " + fault);
      if (recorded.error) {
        ++(fault.empty() ? counts.error_passed : is_known ? counts.error_known : counts.error_failed);
      } else {
        ++(fault.empty() ? counts.value_passed : is_known ? counts.value_known : counts.value_failed);
      }
    } catch (const MalformedCase& problem) {
      ++report.malformed;
      complain(std::string("malformed case: ") + problem.what());
    }
  }
  return report;
}

}  // namespace structured::replay
