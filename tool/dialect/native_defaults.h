// Converts defaults in schemas to default arguments in the native dialect's C++ API.
#pragma once

#include <string>

#include "dialect/dialect.h"
#include "structured/schema/default_value.h"

namespace structured::gen {

/// Returns `{0, 1}` for the `int[2]` `[0,1]`, and `::structured::MemoryFormat::Contiguous` for `contiguous_format`.
/// A number for a list of fixed length stays a number, the default of all elements.
CppDefault native_default(const schema::DefaultValue& value);

/// Returns the list that the default of all elements of a list of fixed length stands for: `[True,True]` for the
/// `bool[2]` `True`. Returns other values as they are.
schema::DefaultValue with_all_elements(const Type& type, schema::DefaultValue value);

/// Whether the C++ type of a list of fixed length in a call converts from one element. An optional of an ArrayRef would
/// refer to a temporary copy.
bool converts_from_element(const Type& type);

/// Returns the C++ literal for a string, as the schema writes it if it is in double quotes.
std::string cpp_string(const schema::DefaultValue& value);

}  // namespace structured::gen
