// `prepare_add_out` and its like: public functions that make prepared operators, in the namespaces of backends.
#pragma once

#include "lower/plan.h"
#include "emit/native/shared_bodies.h"
#include "emit/writer.h"

namespace structured::gen {

void declare_prepare_function(Writer& writer, const Plan& plan, const PlannedVariant& planned);
void define_prepare_function(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper,
                             const SharedBodies& shared);

}  // namespace structured::gen
