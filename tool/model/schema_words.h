// The words that schemas have for enumerators: `complex_float` for ScalarType::ComplexFloat. One table for both
// directions, so that whatever is written into a schema can be read out of it.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "model/type.h"

namespace structured::gen {

/// The enumeration whose enumerators arguments of this type may have for a default: `Reduction` for `int`. Empty if
/// there is none.
llvm::StringRef enumeration_of(Type::Base base);

/// `complex_float` for `ComplexFloat`.
std::optional<llvm::StringRef> word_of(Type::Base base, llvm::StringRef enumerator);

/// `ComplexFloat` for `complex_float`, and for `complex64`.
std::optional<llvm::StringRef> enumerator_of(Type::Base base, llvm::StringRef word);

}  // namespace structured::gen
