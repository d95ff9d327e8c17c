// Which specialisations of the standard library's templates a source is going to need: with headers that are kept in
// parsed form, they are instantiated once, and not for every parse that starts from there.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class Sema;
}

namespace structured::gen {

/// Instantiates `std::optional`, `std::pair`, `std::tuple` and `std::vector` of what `text` names as their arguments,
/// and finds out how they are copied, where all of that has been declared. Shows no error. False if there was one: then
/// what `sema` has seen is no longer what its headers say.
bool instantiate_named_types(clang::Sema& sema, llvm::StringRef text);

}  // namespace structured::gen
