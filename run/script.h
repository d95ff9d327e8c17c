#pragma once
// TorchScript modules on the command line.
#include <string>
#include <vector>

namespace structured::run {

/// Loads the module at `path`. With `expected`, a file that torch.save has written with a tuple of the arguments of
/// `forward` and its result, calls `forward` and compares. With `list`, prints methods and operators. Returns false,
/// and prints the difference, if the result is not as expected.
bool run_script(const std::string& path, const std::string& expected, bool list, double tolerance);

/// Names of our operators in the code of the module at `path`.
std::vector<std::string> operators_of_script(const std::string& path);

}  // namespace structured::run
