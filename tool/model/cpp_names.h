// Names in C++.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Whether `c` may stand in a name, after its first character; ASCII only.
inline bool is_word_character(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether the text is a name, or a keyword.
bool is_identifier(llvm::StringRef text);

/// Whether the word is reserved in C++: `delete`, `and`.
bool is_cpp_keyword(llvm::StringRef word);

/// Whether emitted code may define functions in a namespace of that name: `acme::math`, but not `std`.
bool is_cpp_namespace(llvm::StringRef name);

}  // namespace structured::gen
