// Findings about attributes that only Clang's parser can make; they go straight to Clang's diagnostics engine, in
// the tool as in the plugin, with their kind in brackets.
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

inline constexpr llvm::StringLiteral unknown_attribute_kind = "structured-unknown-attribute";
inline constexpr llvm::StringLiteral misplaced_attribute_kind = "structured-misplaced-attribute";
inline constexpr llvm::StringLiteral bad_attribute_argument_kind = "structured-bad-attribute-argument";

/// An error at `place`, underlining `range`.
void report_finding(clang::DiagnosticsEngine& engine, llvm::StringRef kind, clang::SourceLocation place,
                    clang::CharSourceRange range, const llvm::Twine& message,
                    llvm::ArrayRef<clang::FixItHint> fixits = {});

/// Whether it was `report_finding` that reported it: its arguments are the message and the kind then.
bool is_finding(const clang::Diagnostic& diagnostic);

}  // namespace structured::gen
