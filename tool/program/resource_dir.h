// Location of the headers of this program's Clang.
#pragma once

#include <string>

namespace structured::gen {

/// Returns the folder relative to the installed program, which may have been moved, or else the one used at build time.
/// `program` is argv[0], for systems that do not provide the path of the program.
std::string default_resource_dir(const char* program);

}  // namespace structured::gen
