// Prints lowered functions as C++ of our own runtime.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/function.h"

namespace structured::gen {

/// The function with its comment. A prepared function becomes a struct with `begin` and `run`; it is nothing if its
/// body is shared.
void write_function(Writer& writer, const LoweredFunction& function);

/// A shared body: it takes its callees, and the operator's name if errors need it, after the operator's own arguments,
/// so that these stay in the registers in which they came.
void write_shared_body(Writer& writer, const Body& body, const std::string& name);
void declare_shared_body(Writer& writer, const Body& body, const std::string& name);
/// The callees that the function passes to its shared body.
std::vector<std::string> shared_body_arguments(const LoweredFunction& function);

/// Adds the headers that the steps need.
void add_body_headers(const Body& body, std::set<std::string>& headers);

}  // namespace structured::gen
