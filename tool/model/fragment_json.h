// The stored form of a Fragment: what `scan` writes and every other subcommand reads.
//
// Keys are sorted, members with their default value are omitted, and source ranges are strings: `12:3-12:20` in
// the fragment's own source, `kernels/shapes.h:4:1-4:9` elsewhere. Equal fragments give equal bytes on
// every machine.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"

namespace structured::gen {

std::string to_json(const Fragment& fragment);

/// Parses the output of to_json. For any other text, the error states the position in the text or in the document
/// (`$.declarations[3].name`), and what was expected and found.
llvm::Expected<Fragment> fragment_from_json(llvm::StringRef text);

}  // namespace structured::gen
