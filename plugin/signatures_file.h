// `signatures.json`, as a compilation reads it.
#pragma once

#include <string>

#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Error.h"
#include "model/signatures.h"
#include "scan/source_map.h"

namespace structured::gen {

struct SignaturesFile {
  Signatures signatures;
  std::string name;      ///< as places call it
  llvm::StringRef text;  ///< lives as long as the source manager
};

/// Reads signatures of the given dialect. The file becomes one of those that the compilation depends on, also in its
/// dependency file.
llvm::Expected<SignaturesFile> read_signatures(llvm::StringRef path, llvm::StringRef dialect, const SourceMap& map,
                                               clang::Preprocessor& preprocessor);

}  // namespace structured::gen
