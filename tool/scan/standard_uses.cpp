#include "scan/standard_uses.h"

#include "llvm/ADT/STLExtras.h"
#include "scan/body_tokens.h"

namespace structured::gen {
namespace {

// The functions of runtime/structured/number/math.h.
constexpr llvm::StringLiteral names[] = {"abs",      "acos",
                                         "acosh",    "asin",
                                         "asinh",    "atan",
                                         "atan2",    "atanh",
                                         "cbrt",     "ceil",
                                         "copysign", "cos",
                                         "cosh",     "erf",
                                         "erfc",     "exp",
                                         "exp2",     "expm1",
                                         "fabs",     "floor",
                                         "fma",      "fmax",
                                         "fmin",     "fmod",
                                         "hypot",    "is_floating_point_v",
                                         "isfinite", "isinf",
                                         "isnan",    "log",
                                         "log10",    "log1p",
                                         "log2",     "nearbyint",
                                         "pow",      "remainder",
                                         "rint",     "round",
                                         "signbit",  "sin",
                                         "sinh",     "sqrt",
                                         "tan",      "tanh",
                                         "trunc"};

bool is_identifier(const clang::Token& token, llvm::StringRef text) {
  return token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == text;
}

}  // namespace

std::vector<StandardUse> standard_uses(const clang::FunctionDecl& function, const SourceMap& map) {
  std::vector<StandardUse> uses;
  std::optional<clang::Token> qualifier;  // `std` before `::`
  bool has_colons = false;
  for_each_body_token(function, map, [&](const clang::Token& token) {
    if (qualifier && !has_colons && token.is(clang::tok::coloncolon)) {
      has_colons = true;
      return true;
    }
    if (has_colons && token.is(clang::tok::raw_identifier) && llvm::is_contained(names, token.getRawIdentifier())) {
      clang::CharSourceRange range = clang::CharSourceRange::getCharRange(qualifier->getLocation(), token.getEndLoc());
      uses.push_back({token.getRawIdentifier().str(), map.range(range)});
    }
    qualifier = is_identifier(token, "std") ? std::optional(token) : std::nullopt;
    has_colons = false;
    return true;
  });
  return uses;
}

}  // namespace structured::gen
