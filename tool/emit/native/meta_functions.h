// Meta functions as other libraries call them.
#pragma once

#include "lower/plan.h"
#include "emit/writer.h"

namespace structured::gen {

/// In the library that has the meta function: the function that gives it away, for the operator's handles.
void write_meta_function(Writer& writer, const PlannedVariant& planned);

/// In a library with kernels for an imported operator: the global that stands for the meta function. `owner` is the
/// expression for the library that has it.
void declare_imported_meta(Writer& writer, const PlannedVariant& planned);
void define_imported_meta(Writer& writer, const PlannedVariant& planned, llvm::StringRef owner);

}  // namespace structured::gen
