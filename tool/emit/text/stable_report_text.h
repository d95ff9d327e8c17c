// The report on a library and PyTorch's stable ABI as text, for a terminal.
#pragma once

#include <string>

#include "dialect/stable_report.h"

namespace structured::gen {

/// Returns lines, after a first one that counts operators. `name` is the library's namespace.
std::string stable_report_text(const std::string& name, const StableReport& report);

}  // namespace structured::gen
