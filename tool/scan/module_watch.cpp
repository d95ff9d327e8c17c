#include "scan/module_watch.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "scan/scan_findings.h"

namespace structured::gen {

void ModuleWatch::operator()(const clang::Token& token) {
  bool may_begin = is_export_ || (may_begin_ && token.isAtStartOfLine());
  is_export_ = may_begin && !is_export_ && token.is(clang::tok::kw_export);
  if (token.is(clang::tok::l_brace)) ++depth_;
  if (token.is(clang::tok::r_brace)) --depth_;
  may_begin_ = depth_ == 0 && token.isOneOf(clang::tok::semi, clang::tok::r_brace, clang::tok::eof);
  if (may_begin && !has_reported_ && begins_directive(token)) report(token);
}

bool ModuleWatch::begins_directive(const clang::Token& token) const {
  const clang::LangOptions& language = preprocessor_.getLangOpts();
  const clang::IdentifierInfo* identifier = token.getIdentifierInfo();
  if (!language.CPlusPlusModules || !identifier || !token.getLocation().isFileID()) return false;
  bool is_import = identifier->isStr("import");
  if (!is_import && !identifier->isStr("module")) return false;
  // A variable may have the name: `module->forward()`.
  auto next = clang::Lexer::findNextToken(token.getLocation(), preprocessor_.getSourceManager(), language);
  if (!next) return false;
  if (next->isOneOf(clang::tok::raw_identifier, clang::tok::colon)) return true;
  return is_import ? next->isOneOf(clang::tok::less, clang::tok::string_literal) : next->is(clang::tok::semi);
}

void ModuleWatch::report(const clang::Token& token) {
  has_reported_ = true;
  bool is_import = token.getIdentifierInfo()->isStr("import");
  report_finding(preprocessor_.getDiagnostics(), module_kind, token.getLocation(),
                 clang::CharSourceRange::getTokenRange(token.getLocation()),
                 is_import ? "a kernel source has `import`, and scans read no modules; include a header, or move the "
                             "code that needs the module to a source without annotations"
                           : "a kernel source has `module`, and emitted code cannot declare functions of a module; "
                             "move the annotated functions to a source without it");
}

}  // namespace structured::gen
