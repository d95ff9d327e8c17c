// Where the bodies of functions are.
#pragma once

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

/// The declaration of `function` that has its body, null if none is to be seen. A function template is instantiated for
/// that: a scan leaves instantiations out, unlike a compilation, and both are to see the same.
const clang::FunctionDecl* definition_of(const clang::FunctionDecl& function, clang::Sema& sema);

/// Whether the function stands in the source itself, not in a header.
bool is_in_source(const clang::FunctionDecl& function);

}  // namespace structured::gen
