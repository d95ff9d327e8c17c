// Default arguments of the native dialect's C++ API, from a schema's defaults.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "model/type.h"
#include "target/target.h"

namespace structured::gen {

/// `[0,1]` for an `int[2]` is `{0, 1}`, `contiguous_format` is `::structured::MemoryFormat::Contiguous`. std::nullopt
/// if C++ has no such constant.
std::optional<CppDefault> native_default(const Type& type, llvm::StringRef schema_default);

}  // namespace structured::gen
