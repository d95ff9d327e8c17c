// Names that C++ allows.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// `delete`, `and`
bool is_cpp_keyword(llvm::StringRef word);

/// Whether emitted code may put functions into a namespace of that name: `acme::math`. Not in `std`.
bool is_cpp_namespace(llvm::StringRef name);

}  // namespace structured::gen
