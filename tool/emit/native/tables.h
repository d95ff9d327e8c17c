// Tables of the operators that one kernel source defines, and the public functions that dispatch through them.
#pragma once

#include <string>

#include "lower/plan.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// `boxed`: whether there are boxed calls, and with them ways through layers.
std::string tables_source(const Plan& plan, llvm::StringRef source, bool boxed);

}  // namespace structured::gen
