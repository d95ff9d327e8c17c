// The last build of a library, for checks of a single source: its signatures stand for the functions in the other
// sources.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/signatures.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns the signatures that `source`, a source of the same library, must match: definitions of operators for which
/// it has functions but no definition, and outputs of operators for which it has no impl. Signatures that may come only
/// from an earlier version of `source` are omitted, because `source` is authoritative for them. Backends are omitted
/// because signatures do not show which of them `source` had. `text` is the document from which the signatures were
/// read, and `file` its name in source locations.
ImportedLibrary last_build(Signatures signatures, const Fragment& source, const TypeTable& types, llvm::StringRef file,
                           llvm::StringRef text);

}  // namespace structured::gen
