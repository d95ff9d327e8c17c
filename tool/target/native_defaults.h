// Converts defaults in schemas to default arguments in the native dialect's C++ API.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "model/type.h"
#include "target/target.h"

namespace structured::gen {

/// Returns `{0, 1}` for the `int[2]` `[0,1]`, and `::structured::MemoryFormat::Contiguous` for `contiguous_format`.
/// std::nullopt if the default is not valid for the type.
std::optional<CppDefault> native_default(const Type& type, llvm::StringRef schema_default);

}  // namespace structured::gen
