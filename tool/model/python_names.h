// Names in Python, and in schemas that PyTorch parses.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Whether the word is reserved in Python: `lambda`.
bool is_python_keyword(llvm::StringRef word);

/// Whether PyTorch's parser reserves the word, so that a schema with that name cannot be registered: `in`. It reserves
/// most keywords of Python; `from` and `lambda` are among those that it accepts.
bool is_reserved_in_torch(llvm::StringRef word);

}  // namespace structured::gen
