// Lookup of function definitions.
#pragma once

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

/// Returns the declaration of `function` that has its body, or null if none is visible. Instantiates function
/// templates: a scan skips the instantiations that a compilation would perform, and both must see the same definitions.
const clang::FunctionDecl* definition_of(const clang::FunctionDecl& function, clang::Sema& sema);

/// Whether the function is defined in the main source file rather than in a header.
bool is_in_source(const clang::FunctionDecl& function);

}  // namespace structured::gen
