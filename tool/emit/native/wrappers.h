// Wrappers of kernels: what the dispatcher calls, and the direct way to one backend.
#pragma once

#include <set>
#include <string>

#include "lower/plan.h"
#include "emit/native/shared_bodies.h"
#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// The emitted source that mirrors one kernel source.
std::string wrappers_source(const Plan& plan, const SharedBodies& shared, llvm::StringRef source);

/// One wrapper, below declarations of those globals that it uses which `declared` does not name yet.
void write_wrapper_and_globals(Writer& writer, const Plan& plan, const PlannedWrapper& wrapper,
                               const SharedBodies& shared, std::set<std::string>& declared);

}  // namespace structured::gen
