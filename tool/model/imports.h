// Libraries whose operators another library has kernels for.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/signatures.h"
#include "model/type_table.h"

namespace structured::gen {

/// What is known of a library from its signatures, in the form that rules and derivation know: declarations. They have
/// no places of their own, and stand where the signatures' file has the schema. Names of operators have their
/// namespace, as that of the importing library need not be the same.
struct ImportedLibrary {
  std::string schema_namespace;
  std::string cpp_namespace;
  /// One declaration for each operator. `source` is the file with the signatures.
  Fragment definitions;
  /// What impls look like, and which backends are taken: one declaration for each operator with a definition of its
  /// own.
  Fragment kernels;
  bool is_last_build = false;  ///< it is no other library: see last_build.h
};

/// `text` is the document that the signatures were read from, and `file` what places call it.
ImportedLibrary imported_library(const Signatures& signatures, const TypeTable& types, llvm::StringRef file,
                                 llvm::StringRef text);

}  // namespace structured::gen
