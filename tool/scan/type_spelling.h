// Canonical spellings of types. Clang's own printing will not do: it leaves out default template arguments only for
// types as written, and then prints explicitly instantiated templates with the arguments as written too.
#pragma once

#include <string>

#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/Type.h"

namespace structured::gen {

/// The one policy for all text that is made from Clang's tree: the same for every compiler, platform and flag.
clang::PrintingPolicy printing_policy();

/// Fully qualified, default template arguments and inline namespaces left out, `const` in front:
/// `const std::optional<structured::Tensor> &`. A type that depends on a template parameter is printed as written.
std::string canonical_spelling(clang::QualType type, clang::ASTContext& context);

/// `structured::ScalarType::Float`, without inline namespaces.
std::string qualified_name(const clang::NamedDecl& declaration);

/// `structured::kernels::add_cpu`, with inline namespaces: emitted code declares the function again, and the linker
/// knows it by its full name.
std::string function_name(const clang::FunctionDecl& function);

}  // namespace structured::gen
