// Converts findings of Clang's parser to diagnostics like those of rules.
#pragma once

#include "check/diagnostic.h"
#include "scan/scanner.h"

namespace structured::gen {

Diagnostic diagnostic_of(const ScanFinding& finding);

}  // namespace structured::gen
