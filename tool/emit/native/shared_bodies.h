// Prints the bodies that several wrappers share.
#pragma once

#include <string>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// The bodies that wrappers of `source` call: definitions, or declarations of those that shared_bodies_source defines.
void write_shared_bodies(Writer& writer, const LoweredLibrary& lowered, llvm::StringRef source);

/// The source with the bodies that wrappers of several sources share.
std::string shared_bodies_source(const LoweredLibrary& lowered);

}  // namespace structured::gen
