// Valid names in C++.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Whether the word is reserved in C++: `delete`, `and`.
bool is_cpp_keyword(llvm::StringRef word);

/// Whether emitted code may define functions in a namespace of that name: `acme::math`, but not `std`.
bool is_cpp_namespace(llvm::StringRef name);

}  // namespace structured::gen
