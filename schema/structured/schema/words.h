#pragma once
// Enumerations whose enumerators may be defaults in schemas, and the words for these enumerators: `complex_float` for
// ComplexFloat of ScalarType. They are defined in dtypes.def, enumerations.def and
// backends.def.
#include <optional>
#include <string_view>

#include "structured/schema/export.h"
#include "structured/schema/type.h"

namespace structured::schema {

/// Returns the enumeration whose enumerators may be defaults of arguments of this type: `Reduction` for `int`. Empty if
/// there is none.
STRUCTURED_API std::string_view enumeration_of(Type::Base base);

/// Returns the word for an enumerator: `complex_float` for `ComplexFloat` of `ScalarType`.
STRUCTURED_API std::optional<std::string_view> word_of(std::string_view enumeration, std::string_view enumerator);
/// Returns the enumerator for a word: `ComplexFloat` for `complex_float` and `complex64`.
STRUCTURED_API std::optional<std::string_view> find_word(std::string_view enumeration, std::string_view word);

}  // namespace structured::schema
