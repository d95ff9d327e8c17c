// Prints the meta function and the kernels of operators that are one scalar function.
#pragma once

#include <set>
#include <string>

#include "lower/plan.h"
#include "emit/writer.h"
#include "model/operator.h"

namespace structured::gen {

/// The definitions of both, of a lowered operator, inside of the namespace that they belong to.
void write_pointwise_functions(Writer& writer, const Plan& plan, const PlannedVariant& planned);

/// What they include.
void add_pointwise_headers(const Operator& op, std::set<std::string>& spellings);

}  // namespace structured::gen
