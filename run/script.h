#pragma once
// TorchScript modules on the command line.
#include <structured/program/operator_lookup.h>

#include <optional>
#include <string>

namespace structured::run {

/// Loads the module at `path` with operators of `library`. With `expected`, a file that torch.save has written with a
/// tuple of the arguments of `forward` and its result, calls `forward` and compares. With `list`, prints methods and
/// operators. Returns false, and prints the difference, if the result is not as expected.
bool run_script(const std::string& path, OperatorLookup library, const std::string& expected, bool list,
                std::optional<double> tolerance);

}  // namespace structured::run
