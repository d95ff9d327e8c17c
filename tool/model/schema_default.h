// Conversion of C++ default arguments to defaults in schemas.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/schema.h"

namespace structured::gen {

/// Converts `true` to `True`, `std::nullopt` to `None`, `{0, 1}` to `[0,1]`; keeps strings and the digits of fractions.
/// Returns std::nullopt if a schema cannot express the default for an argument of this type.
std::optional<std::string> schema_default(const Type& type, const DefaultArgument& written);

/// Whether `text` can be the default of an argument of this type in a schema.
bool is_schema_default(const Type& type, llvm::StringRef text);

}  // namespace structured::gen
