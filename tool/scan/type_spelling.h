// Canonical spelling of types. Clang's printer is unsuitable: it omits default template arguments of types as written
// only, and prints explicit instantiations with arguments as written.
#pragma once

#include <string>

#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/Type.h"

namespace structured::gen {

/// Printing policy of all text derived from the AST, independent of compiler, platform and flags.
clang::PrintingPolicy printing_policy();

/// Returns the fully qualified type without default template arguments and inline namespaces, with leading `const`:
/// `const std::optional<structured::Tensor> &`. Dependent types are printed as written.
std::string canonical_spelling(clang::QualType type, clang::ASTContext& context);

/// Returns the qualified name without inline namespaces: `structured::ScalarType::Float`.
std::string qualified_name(const clang::NamedDecl& declaration);

/// Returns the qualified name with inline namespaces, `structured::kernels::add_cpu`: emitted code redeclares the
/// function, and the linker needs its full name.
std::string function_name(const clang::FunctionDecl& function);

}  // namespace structured::gen
