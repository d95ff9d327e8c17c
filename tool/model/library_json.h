// The stored form of a Library, `operators.json`: for tools, for people, and for a later `list` or `explain`.
//
// Keys are sorted, members with their default value are omitted, schemas are their text, and source ranges are
// strings as in fragments, relative to the source of the function that they belong to.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"

namespace structured::gen {

std::string to_json(const Library& library);

/// Reads what to_json wrote. Any other text is an error that names the place in the text or in the document
/// (`$.operators[3].variants[0].schema`), what was expected there and what was found.
llvm::Expected<Library> library_from_json(llvm::StringRef text);

}  // namespace structured::gen
