// Names of enumerators in the defaults of schemas, by the type of the argument: `complex_float` for
// ScalarType::ComplexFloat. They are defined in schema/dtypes.def and schema/backends.def.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "model/type.h"

namespace structured::gen {

/// Returns the enumeration whose enumerators may be defaults of arguments of this type: `Reduction` for `int`. Empty if
/// there is none.
llvm::StringRef enumeration_of(Type::Base base);

/// Returns `complex_float` for `ComplexFloat`.
std::optional<llvm::StringRef> word_of(Type::Base base, llvm::StringRef enumerator);

/// Returns `ComplexFloat` for `complex_float` and `complex64`.
std::optional<llvm::StringRef> enumerator_of(Type::Base base, llvm::StringRef word);

}  // namespace structured::gen
