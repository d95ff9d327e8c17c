// Words for enumerators in the defaults of schemas, by the type of the argument: `complex_float` for
// ScalarType::ComplexFloat. The registry has the words (language/dtypes.def, language/backends.def).
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "model/type.h"

namespace structured::gen {

/// The enumeration whose enumerators may be defaults of arguments of this type: `Reduction` for `int`. Empty if there
/// is none.
llvm::StringRef enumeration_of(Type::Base base);

/// `complex_float` for `ComplexFloat`.
std::optional<llvm::StringRef> word_of(Type::Base base, llvm::StringRef enumerator);

/// `ComplexFloat` for `complex_float`, and for `complex64`.
std::optional<llvm::StringRef> enumerator_of(Type::Base base, llvm::StringRef word);

}  // namespace structured::gen
