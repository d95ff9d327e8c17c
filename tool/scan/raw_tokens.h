// Tokens of text that the parser skips.
#pragma once

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Calls `see(token, offset)` for each token of [begin, end) in `text`, without comments, until it returns false.
template <class See>
void for_each_token(llvm::StringRef text, unsigned begin, unsigned end, clang::SourceLocation file_start,
                    const clang::LangOptions& language, See see) {
  clang::Lexer lexer(file_start, language, text.begin(), text.begin() + begin, text.end());
  clang::Token token;
  while (true) {
    bool is_last = lexer.LexFromRawLexer(token);
    unsigned offset = token.getLocation().getRawEncoding() - file_start.getRawEncoding();
    if (token.is(clang::tok::eof) || offset >= end) return;
    if (!see(token, offset) || is_last) return;
  }
}

}  // namespace structured::gen
