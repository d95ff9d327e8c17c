// Recorded programs of several calls, with the gradients of their outputs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace structured::replay {

/// A kind of derivative that a program was recorded with.
struct ProgramResult {
  std::string name;   ///< `functional: add`, or `double: add` for second derivatives
  std::string fault;  ///< how the derivatives differ from the recorded ones; empty if they do not
};

/// Whether a line of JSON is a program, which has `steps`, and not a single call.
bool is_program(const nlohmann::json& line);

/// Runs a program, and compares its outputs and gradients with the recorded ones: those of its variant (functional,
/// inplace or view) and, where recorded, second derivatives (double) and tangents (forward). Empty if an operator is
/// unknown. Throws MalformedCase.
///
/// A missing gradient and a gradient of zeros are equal.
std::vector<ProgramResult> run_program(const nlohmann::json& program);

}  // namespace structured::replay
