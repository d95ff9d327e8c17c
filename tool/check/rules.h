// The rules, as check/diagnostic_kinds.def lists them. A rule reports its findings to the Checker; check() runs all
// rules.
#pragma once

#include "check/checker.h"

namespace structured::gen {

#define STRUCTURED_RULE(function) void function(Checker& checker);
#include "check/diagnostic_kinds.def"

}  // namespace structured::gen
