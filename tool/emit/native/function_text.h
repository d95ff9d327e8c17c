// Prints lowered functions as C++ for the native runtime.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/function.h"

namespace structured::gen {

/// Prints the function with its comment. A prepared function becomes a struct with `begin` and `run`; nothing is
/// printed for it if its body is shared.
void write_function(Writer& writer, const LoweredFunction& function);

/// Prints a shared body. It takes its callees, and the operator's name if errors need it, after the operator's own
/// arguments, so that these stay in the registers of the caller's arguments.
void write_shared_body(Writer& writer, const Body& body, const std::string& name);
void declare_shared_body(Writer& writer, const Body& body, const std::string& name);
/// Returns the callees that the function passes to its shared body.
std::vector<std::string> shared_body_arguments(const LoweredFunction& function);

/// Adds the headers that the steps need.
void add_body_headers(const Body& body, std::set<std::string>& headers);

}  // namespace structured::gen
