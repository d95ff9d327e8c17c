// Operators that are one scalar function: what stands in for the meta function and the CPU kernel that an author would
// have written, so that the rest of emission knows structured operators only.
#pragma once

#include <set>
#include <string>

#include "emit/plan.h"
#include "emit/writer.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"

namespace structured::gen {

/// The operator with a meta function and a CPU impl of these qualified names. `pointwise` stays, too.
Operator lowered_pointwise(const Operator& op, const std::string& meta_name, const std::string& cpu_name);

/// What is wrong with the scalar function, as `error_for` goes on; empty if nothing.
std::string fault_in_pointwise(const Operator& op);

/// The definitions of both, of a lowered operator, inside of the namespace that they belong to.
void write_pointwise_functions(Writer& writer, const Plan& plan, const PlannedVariant& planned);

/// What they include.
void add_pointwise_headers(const Operator& op, std::set<std::string>& spellings);

}  // namespace structured::gen
