// What wrappers do, line by line.
#pragma once

#include "emit/plan.h"
#include "emit/writer.h"

namespace structured::gen {

/// The function that the dispatcher calls.
void write_wrapper(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper);

/// The common one of the variant of `wrapper`, which is the one for Meta.
void write_common_wrapper(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper);

/// For those that Plan::is_preparable says: the two parts that a prepared operator is made of, and the public function
/// that makes one, in the namespace of the backend.
void write_prepared(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper);
void declare_prepare_function(Writer& writer, const Plan& plan, const PlannedVariant& planned);
void define_prepare_function(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper);

}  // namespace structured::gen
