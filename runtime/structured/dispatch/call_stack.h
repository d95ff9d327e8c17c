#pragma once
// The functions that are running on this thread.
#include <string>

namespace structured::detail {

/// A line for each running function outside Structured's own libraries, the innermost first: its name, if its image
/// exports that, and an address for addr2line. Empty on systems without ELF.
std::string describe_call_stack();

}  // namespace structured::detail
