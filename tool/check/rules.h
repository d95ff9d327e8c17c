// The rules listed in check/diagnostic_kinds.def. Each rule reports diagnostics to the Checker; check() runs all
// of them.
#pragma once

#include "check/checker.h"

namespace structured::gen {

#define STRUCTURED_RULE(function) void function(Checker& checker);
#include "check/diagnostic_kinds.def"

}  // namespace structured::gen
