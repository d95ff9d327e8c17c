// Expressions without what changes no value.
#pragma once

namespace clang {
class Expr;
}  // namespace clang

namespace structured::gen {

/// Skips parentheses, cleanups, substituted template arguments, defaults and bound temporaries.
const clang::Expr* bare(const clang::Expr* expression);

}  // namespace structured::gen
