// Errors in attributes, and uses of modules, that only Clang's parser can detect. They are reported through Clang's
// diagnostics engine, in the tool and in the plugin, with their kind in brackets.
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

inline constexpr llvm::StringLiteral unknown_attribute_kind = "structured-unknown-attribute";
inline constexpr llvm::StringLiteral misplaced_attribute_kind = "structured-misplaced-attribute";
inline constexpr llvm::StringLiteral bad_attribute_argument_kind = "structured-bad-attribute-argument";
inline constexpr llvm::StringLiteral module_kind = "structured-module";

/// Reports an error at `place` and underlines `range`.
void report_finding(clang::DiagnosticsEngine& engine, llvm::StringRef kind, clang::SourceLocation place,
                    clang::CharSourceRange range, const llvm::Twine& message,
                    llvm::ArrayRef<clang::FixItHint> fixits = {});

/// Whether report_finding() reported the diagnostic; argument 0 is the message then, argument 1 the kind.
bool is_finding(const clang::Diagnostic& diagnostic);

}  // namespace structured::gen
