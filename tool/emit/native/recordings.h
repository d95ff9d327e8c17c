// Prints nodes of the gradient graph and the functions that record calls, for the native runtime.
#pragma once

#include <set>
#include <string>

#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

void write_node(Writer& writer, const LoweredNode& node);
/// Prints the function that records calls of a variant, whose table must be declared.
void write_recording(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Prints the nodes and recording functions of one source. `declared` are the tables that are declared there.
void write_recordings(Writer& writer, const LoweredLibrary& lowered, const LoweredSource& source,
                      std::set<std::string>& declared);
void add_recording_headers(const LoweredLibrary& lowered, const LoweredSource& source, std::set<std::string>& headers);

}  // namespace structured::gen
