// Meta functions that libraries export and import.
#pragma once

#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Prints the function that returns the operator's MetaFunction, in the library that defines the operator.
void write_meta_function(Writer& writer, const LoweredVariant& variant);

/// Print the global that stands for the meta function of an imported operator. `owner` is an expression for the library
/// that defines the operator.
void declare_imported_meta(Writer& writer, const LoweredVariant& variant);
void define_imported_meta(Writer& writer, const LoweredVariant& variant, llvm::StringRef owner);

}  // namespace structured::gen
