// Inputs of saved programs, and comparison of their outputs with expected ones.
#pragma once

#include <structured/format/npy.h>
#include <structured/program/saved_program.h>

#include <optional>
#include <string>
#include <vector>

namespace structured::run {

/// Reads an `.npz` or `.safetensors` file.
NamedTensors read_tensors(const std::string& path);

/// New copies of the inputs in `given`, by number (`input.0`) or by name, since a program may write to them. Without
/// any tensors in `given`, inputs are zeros. Throws Error if one is missing.
std::vector<Value> make_inputs(const SavedProgram& program, const NamedTensors& given);

/// Runs a program twice and prints how the outputs differ from `output.0` and so on in `expected`, of the second run
/// from `second.0` and so on where there are such. Inputs are those in `given`, or if there are none, in `expected`.
/// Returns whether all outputs are equal up to `tolerance` (see `difference`).
bool is_as_expected(SavedProgram& program, const NamedTensors& given, const NamedTensors& expected,
                    std::optional<double> tolerance);

}  // namespace structured::run
