// A library as its last build left it, for checks that see one source of it: the functions in the others are known by
// their signatures alone.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/signatures.h"
#include "model/type_table.h"

namespace structured::gen {

/// The signatures of its own library that `source` must agree with: the definitions of operators that it has
/// functions for and does not define, and the outputs of those that it has no impl for. Where a signature may have come
/// from `source` alone, as it was then, `source` is right and nothing is compared. Backends are left out, as nobody
/// knows which of them `source` itself had. `text` is the document that the signatures were read from, and `file` what
/// source locations call it.
ImportedLibrary last_build(Signatures signatures, const Fragment& source, const TypeTable& types, llvm::StringRef file,
                           llvm::StringRef text);

}  // namespace structured::gen
