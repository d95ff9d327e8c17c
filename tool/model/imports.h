// Imported libraries: libraries for whose operators another library has kernels.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/signatures.h"
#include "model/type_table.h"

namespace structured::gen {

/// A library, converted from its signatures to declarations for rules and derivation. The declarations are located
/// at their schemas in the signatures file. Operator names include the namespace, which may differ from that of the
/// importing library.
struct ImportedLibrary {
  std::string schema_namespace;
  std::string cpp_namespace;
  /// One declaration for each operator. `source` is the file with the signatures.
  Fragment definitions;
  /// Impls and kernels: for each operator, one declaration with their signature and their backends. `name` is the
  /// operator.
  Fragment kernels;
  bool is_last_build = false;  ///< the last build of the importing library itself; see last_build.h
};

/// `text` is the document from which the signatures were read, and `file` its name in source locations.
ImportedLibrary imported_library(const Signatures& signatures, const TypeTable& types, llvm::StringRef file,
                                 llvm::StringRef text);

}  // namespace structured::gen
