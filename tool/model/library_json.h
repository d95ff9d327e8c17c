// The stored form of a Library, `operators.json`, for `list`, `explain` and other tools.
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

/// Parses the output of to_json. For any other text, the error states the position in the text or in the document
/// (`$.operators[3].variants[0].schema`), and what was expected and found.
llvm::Expected<Library> library_from_json(llvm::StringRef text);

}  // namespace structured::gen
