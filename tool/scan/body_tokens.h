// Tokens of the bodies of function templates, which scans do not parse.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/TypeLoc.h"
#include "scan/raw_tokens.h"
#include "scan/source_map.h"

namespace structured::gen {

/// Calls `see(token)` for each token of the function's body, braces included, until it returns false. Sees no tokens if
/// the function has no body, or if a macro spells its declaration.
template <class See>
void for_each_body_token(const clang::FunctionDecl& function, const SourceMap& map, See see) {
  const clang::FunctionTypeLoc type = function.getFunctionTypeLoc();
  if (!type || !function.getLocation().isFileID() || !type.getRParenLoc().isFileID()) return;
  auto [file, begin] = map.sources().getDecomposedLoc(type.getRParenLoc());
  bool is_invalid = false;
  llvm::StringRef text = map.sources().getBufferData(file, &is_invalid);
  if (is_invalid) return;
  int depth = 0;  // number of open braces
  for_each_token(text, begin + 1, static_cast<unsigned>(text.size()), map.sources().getLocForStartOfFile(file),
                 map.language(), [&](const clang::Token& token, unsigned) {
                   if (token.is(clang::tok::l_brace)) ++depth;
                   if (depth == 0) return token.isNot(clang::tok::semi);
                   if (token.is(clang::tok::r_brace)) --depth;
                   return see(token) && depth > 0;
                 });
}

}  // namespace structured::gen
