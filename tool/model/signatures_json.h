// The stored form of Signatures, `signatures.json`. Its text changes only if a signature does.
//
// See json_writer.h for the format. The file may come with an installed library, so readers must validate all of its
// contents.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/signatures.h"

namespace structured::gen {

std::string to_json(const Signatures& signatures);

/// Parses the output of to_json. For any other text, the error states the position in the text or in the document
/// (`$.operators[3].definition.name`), and what was expected and found. Does not check whether the definitions are
/// valid and match the schemas; read_import does.
llvm::Expected<Signatures> signatures_from_json(llvm::StringRef text);

}  // namespace structured::gen
