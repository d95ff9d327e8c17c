// Instantiates templates of the standard library in the preamble, once, instead of in every parse that starts from it.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class Sema;
}

namespace structured::gen {

/// Instantiates `std::optional`, `std::pair`, `std::tuple` and `std::vector`, and overload resolution for copying them,
/// for the arguments that `text` names, if all types are declared. Diagnostics are suppressed. Returns false if there
/// was an error, after which `sema` must not be used for a preamble.
bool instantiate_named_types(clang::Sema& sema, llvm::StringRef text);

}  // namespace structured::gen
