// Prints the functions of operators in the C++ API, and declarations of what they call.
#pragma once

#include <string>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Print `using signature_add_Tensor = ...;` and a declaration of the operator's table or dispatching function.
void write_signature(Writer& writer, const LoweredVariant& variant);
void declare_table(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Returns the function that the dispatcher calls, as code in the hidden namespace names it.
std::string kernel_name(const LoweredLibrary& lowered, const LoweredWrapper& wrapper);
/// Returns the function that the dispatcher calls, as code anywhere names it.
std::string qualified_kernel_name(const LoweredLibrary& lowered, const LoweredWrapper& wrapper);
/// Returns the function that dispatch tables hold: the kernel, or one that calls it and checks the call. In the second
/// case, the variant's table must be declared.
std::string kernel_in_table(const LoweredLibrary& lowered, const LoweredWrapper& wrapper);

/// Defines the overload of an in-place or out= function for a temporary, if the variant has one.
void define_temporary_overload(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Print the public functions of a variant. Definitions call `callee` with the dispatcher's arguments.
/// A second declaration in the same scope must have no default arguments.
void declare_public_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                              bool with_defaults = true);
void define_public_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant,
                             llvm::StringRef callee);

}  // namespace structured::gen
