// Defaults: what a C++ default argument is in a schema.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/type.h"

namespace structured::gen {

/// `true` is `True`, `std::nullopt` is `None`, `{0, 1}` is `[0,1]`; fractions and strings stay as they are written.
/// Returns std::nullopt if a schema cannot express it for an argument of this type.
std::optional<std::string> schema_default(const Type& type, const DefaultArgument& written);

/// Whether `text` can be the default of an argument of this type in a schema.
bool is_schema_default(const Type& type, llvm::StringRef text);

/// `a` and `"b,c"` for `[a, "b,c"]`; std::nullopt unless `text` is a list. Schemas have no lists of lists.
std::optional<llvm::SmallVector<llvm::StringRef, 4>> schema_default_elements(llvm::StringRef text);

}  // namespace structured::gen
