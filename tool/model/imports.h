// Libraries whose operators another library has kernels for.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/signatures.h"
#include "model/type_table.h"

namespace structured::gen {

/// A library as its signatures describe it, in the form of declarations, which rules and derivation read. They have
/// the source location of their schema in the signatures' file. Names of operators include their
/// namespace, because the importing library may have another one.
struct ImportedLibrary {
  std::string schema_namespace;
  std::string cpp_namespace;
  /// One declaration for each operator. `source` is the file with the signatures.
  Fragment definitions;
  /// Signatures of impls and their backends: one declaration for each operator with a definition of its
  /// own.
  Fragment kernels;
  bool is_last_build = false;  ///< the importing library itself: see last_build.h
};

/// `text` is the document that the signatures were read from, and `file` its name in source locations.
ImportedLibrary imported_library(const Signatures& signatures, const TypeTable& types, llvm::StringRef file,
                                 llvm::StringRef text);

}  // namespace structured::gen
