// Reading `signatures.json` during a compilation.
#pragma once

#include <string>

#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Error.h"
#include "model/signatures.h"
#include "scan/source_map.h"

namespace structured::gen {

struct SignaturesFile {
  Signatures signatures;
  std::string name;      ///< path as used in ranges
  llvm::StringRef text;  ///< owned by the source manager
};

/// Reads signatures of the given dialect, and makes the file a dependency of the compilation, including its dependency
/// file.
llvm::Expected<SignaturesFile> read_signatures(llvm::StringRef path, llvm::StringRef dialect, const SourceMap& map,
                                               clang::Preprocessor& preprocessor);

}  // namespace structured::gen
