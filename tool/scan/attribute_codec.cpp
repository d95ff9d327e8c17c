#include "scan/attribute_codec.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/ConvertUTF.h"
#include "scan/clang_versions.h"
#include "scan/scan_findings.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral carrier_tag = "structured attribute";

// Origin of an argument's spelling, which its offsets do not show.
constexpr char file_mark = 'f';
constexpr char macro_mark = 'm';

/// Encodes offsets relative to the start of the attribute: file numbers change when a declaration is read from a
/// precompiled header.
struct FileOffsets {
  clang::FileID file;
  unsigned begin = 0;
  unsigned end = 0;
};

FileOffsets file_offsets(clang::SourceRange tokens, const clang::SourceManager& sources,
                         const clang::LangOptions& language) {
  clang::CharSourceRange range = sources.getExpansionRange(tokens);
  auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
  auto [end_file, end] = sources.getDecomposedLoc(range.getEnd());
  if (range.isTokenRange()) end += clang::Lexer::MeasureTokenLength(range.getEnd(), sources, language);
  if (end_file != file) end = begin;
  return {file, begin, end};
}

/// In `[[using structured: a, b]]` both attributes are located at the prefix; their own names follow later.
unsigned own_begin(llvm::StringRef name, FileOffsets offsets, const clang::SourceManager& sources,
                   const clang::LangOptions& language) {
  bool invalid = false;
  llvm::StringRef text = sources.getBufferData(offsets.file, &invalid);
  if (invalid || offsets.end > text.size()) return offsets.begin;
  clang::SourceLocation file_start = sources.getLocForStartOfFile(offsets.file);
  clang::Lexer lexer(file_start, language, text.begin(), text.begin() + offsets.begin, text.end());
  clang::Token token;
  auto offset_of = [&] { return sources.getFileOffset(token.getLocation()); };
  lexer.LexFromRawLexer(token);  // `structured`
  lexer.LexFromRawLexer(token);
  if (token.is(clang::tok::coloncolon)) return offsets.begin;
  unsigned begin = offsets.begin;
  int depth = 0;
  while (token.isNot(clang::tok::eof) && offset_of() < offsets.end) {
    if (token.is(clang::tok::l_paren)) ++depth;
    if (token.is(clang::tok::r_paren)) --depth;
    if (depth == 0 && token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == name) begin = offset_of();
    lexer.LexFromRawLexer(token);
  }
  return begin;
}

void refuse_argument(clang::Sema& sema, const clang::ParsedAttr& attribute, clang::SourceRange range,
                     const llvm::Twine& found) {
  report_finding(sema.getDiagnostics(), bad_attribute_argument_kind, range.getBegin(),
                 clang::CharSourceRange::getTokenRange(range),
                 "`structured::" + attribute.getAttrName()->getName() +
                     "` takes string, integer and boolean literals, found " + found);
}

bool is_zero_or_more(const clang::IntegerLiteral& literal) { return literal.getValue().getActiveBits() < 64; }

/// Returns the kind letter and the text of a literal.
std::optional<std::pair<char, std::string>> literal(clang::Sema& sema, const clang::ParsedAttr& attribute,
                                                    const clang::Expr& expression) {
  clang::SourceRange range = expression.getSourceRange();
  const clang::Expr* inner = expression.IgnoreImplicit();
  if (const auto* string = llvm::dyn_cast<clang::StringLiteral>(inner)) {
    if (string->getCharByteWidth() != 1) {
      refuse_argument(sema, attribute, range, "a string of wide characters");
      return std::nullopt;
    }
    llvm::StringRef bytes = string->getBytes();
    const auto* begin = reinterpret_cast<const llvm::UTF8*>(bytes.begin());
    if (!llvm::isLegalUTF8String(&begin, reinterpret_cast<const llvm::UTF8*>(bytes.end()))) {
      refuse_argument(sema, attribute, range, "a string that is not UTF-8");
      return std::nullopt;
    }
    return std::pair('s', bytes.str());
  }
  if (const auto* boolean = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(inner)) {
    return std::pair('b', std::string(boolean->getValue() ? "1" : "0"));
  }
  const auto* minus = llvm::dyn_cast<clang::UnaryOperator>(inner);
  bool is_negative = minus && minus->getOpcode() == clang::UO_Minus;
  if (is_negative) inner = minus->getSubExpr()->IgnoreImplicit();
  if (const auto* integer = llvm::dyn_cast<clang::IntegerLiteral>(inner)) {
    if (!is_zero_or_more(*integer)) {
      refuse_argument(sema, attribute, range, "a number of more than 63 bits");
      return std::nullopt;
    }
    llvm::SmallString<24> digits;
    integer->getValue().toStringUnsigned(digits);
    return std::pair('i', (is_negative ? "-" : "") + digits.str().str());
  }
  refuse_argument(sema, attribute, range, "another expression");
  return std::nullopt;
}

}  // namespace

bool attach_attribute(clang::Sema& sema, clang::Decl& declaration, const clang::ParsedAttr& attribute) {
  const clang::SourceManager& sources = sema.getSourceManager();
  FileOffsets attribute_offsets = file_offsets(attribute.getRange(), sources, sema.getLangOpts());
  std::vector<std::string> strings{carrier_tag.str(), attribute.getAttrName()->getName().str()};
  bool is_good = true;
  for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
    if (attribute.isArgIdent(i)) {
      const clang::IdentifierLoc& identifier = *attribute.getArgAsIdent(i);
      refuse_argument(sema, attribute, location_of(identifier), "the name `" + name_of(identifier) + "`");
      is_good = false;
      continue;
    }
    const clang::Expr& expression = *attribute.getArgAsExpr(i);
    auto value = literal(sema, attribute, expression);
    if (!value) {
      is_good = false;
      continue;
    }
    FileOffsets offsets = file_offsets(expression.getSourceRange(), sources, sema.getLangOpts());
    if (offsets.file != attribute_offsets.file) offsets = attribute_offsets;
    auto relative = [&](unsigned offset) {
      return std::to_string(static_cast<long>(offset) - static_cast<long>(attribute_offsets.begin));
    };
    clang::SourceRange tokens = expression.getSourceRange();
    bool is_in_macro = tokens.getBegin().isMacroID() || tokens.getEnd().isMacroID();
    strings.push_back(value->first + std::string(1, is_in_macro ? macro_mark : file_mark) + relative(offsets.begin) +
                      ":" + relative(offsets.end) + ":" + value->second);
  }
  if (!is_good) return false;
  std::vector<llvm::StringRef> references(strings.begin(), strings.end());
  declaration.addAttr(clang::SuppressAttr::Create(sema.getASTContext(), references.data(),
                                                  static_cast<unsigned>(references.size()), attribute.getRange()));
  return true;
}

std::optional<CarriedAttribute> carried_attribute(const clang::Attr& attribute, const clang::SourceManager& sources,
                                                  const clang::LangOptions& language) {
  const auto* carrier = llvm::dyn_cast<clang::SuppressAttr>(&attribute);
  if (!carrier || carrier->isInherited() || carrier->diagnosticIdentifiers_size() < 2) return std::nullopt;
  llvm::ArrayRef<llvm::StringRef> strings(carrier->diagnosticIdentifiers_begin(),
                                          carrier->diagnosticIdentifiers_size());
  if (strings[0] != carrier_tag) return std::nullopt;

  CarriedAttribute result;
  result.name = strings[1].str();
  result.key = carrier->getRange().getBegin();
  FileOffsets offsets = file_offsets(carrier->getRange(), sources, language);
  clang::SourceLocation file_start = sources.getLocForStartOfFile(offsets.file);
  unsigned begin = result.key.isMacroID() ? offsets.begin : own_begin(result.name, offsets, sources, language);
  result.range = clang::CharSourceRange::getCharRange(file_start.getLocWithOffset(begin),
                                                      file_start.getLocWithOffset(offsets.end));
  clang::SourceLocation origin = file_start.getLocWithOffset(offsets.begin);
  for (llvm::StringRef encoded : strings.drop_front(2)) {
    char kind = encoded.front();
    auto [places, value] = encoded.drop_front(2).split(':');
    int relative_begin = 0;
    int relative_end = 0;
    auto [end_text, rest] = value.split(':');
    places.getAsInteger(10, relative_begin);
    end_text.getAsInteger(10, relative_end);
    CarriedArgument argument;
    argument.is_in_macro = encoded[1] == macro_mark;
    argument.range = clang::CharSourceRange::getCharRange(origin.getLocWithOffset(relative_begin),
                                                          origin.getLocWithOffset(relative_end));
    if (kind == 's') {
      argument.value = rest.str();
    } else if (kind == 'b') {
      argument.value = rest == "1";
    } else {
      int64_t number = 0;
      rest.getAsInteger(10, number);
      argument.value = number;
    }
    result.arguments.push_back(std::move(argument));
  }
  return result;
}

}  // namespace structured::gen
