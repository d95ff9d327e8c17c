// The stored form of Signatures, `signatures.json`: the same text until a signature changes.
//
// Written as every other document of ours (see json_writer.h). It comes to us from outside, with an installed library,
// so that readers believe nothing of it.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/signatures.h"

namespace structured::gen {

std::string to_json(const Signatures& signatures);

/// Reads what to_json wrote. Any other text is an error that names the place in the text or in the document
/// (`$.operators[3].definition.name`), what was expected there and what was found. Whether the definitions make sense,
/// and the schemas follow from them, is not looked at.
llvm::Expected<Signatures> signatures_from_json(llvm::StringRef text);

}  // namespace structured::gen
