// Where the headers are that belong to the Clang in this program.
#pragma once

#include <string>

namespace structured::gen {

/// Beside the installed program, which may have been moved; else where they were when it was built. `program` is its
/// name as it was called by, for systems that do not tell it otherwise.
std::string default_resource_dir(const char* program);

}  // namespace structured::gen
