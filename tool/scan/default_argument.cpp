#include "scan/default_argument.h"

#include <charconv>
#include <cmath>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/JSON.h"
#include "scan/type_spelling.h"

namespace structured::gen {
namespace {

/// Down to what the author wrote: conversions that the language adds (temporaries, converting constructors and
/// functions) are left out, so that `const Scalar& alpha = 1` is the number 1.
const clang::Expr* author_part(const clang::Expr* expression) {
  while (true) {
    expression = expression->IgnoreImplicit()->IgnoreParenImpCasts();
    const clang::Expr* inner = nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expression)) {
      inner = cast->getSubExpr();
    } else if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      if (construct->getNumArgs() >= 1) {
        bool others_are_defaults = llvm::all_of(llvm::drop_begin(construct->arguments()), [](const clang::Expr* e) {
          return llvm::isa<clang::CXXDefaultArgExpr>(e);
        });
        if (others_are_defaults && !construct->isStdInitListInitialization()) inner = construct->getArg(0);
      }
    } else if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
      if (llvm::isa_and_nonnull<clang::CXXConversionDecl>(call->getMethodDecl())) {
        inner = call->getImplicitObjectArgument();
      }
    }
    if (!inner) return expression;
    expression = inner;
  }
}

std::string text_of(const llvm::APFloat& number) {
  if (&number.getSemantics() == &llvm::APFloat::IEEEsingle()) return shortest_float(number.convertToFloat());
  llvm::APFloat wide = number;
  bool loses_info = false;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses_info);
  return shortest_float(wide.convertToDouble());
}

/// Clang prints 1e-5 with all seventeen digits.
class ShortFloats final : public clang::PrinterHelper {
 public:
  bool handledStmt(clang::Stmt* statement, llvm::raw_ostream& out) override {
    const auto* literal = llvm::dyn_cast<clang::FloatingLiteral>(statement);
    if (literal) out << text_of(literal->getValue());
    return literal != nullptr;
  }
};

std::optional<std::string> value_of(const clang::Expr& expression, const clang::ASTContext& context) {
  if (const auto* string = llvm::dyn_cast<clang::StringLiteral>(&expression)) {
    if (string->getCharByteWidth() != 1 || !llvm::json::isUTF8(string->getBytes())) return std::nullopt;
    return string->getBytes().str();
  }
  if (expression.isValueDependent() || expression.containsErrors()) return std::nullopt;
  clang::QualType type = expression.getType();
  clang::Expr::EvalResult result;
  if (!(type->isIntegralOrEnumerationType() || type->isRealFloatingType()) ||
      !expression.EvaluateAsRValue(result, context) || result.HasSideEffects) {
    return std::nullopt;
  }
  if (result.Val.isInt()) {
    if (type->isBooleanType()) return result.Val.getInt().getBoolValue() ? "true" : "false";
    llvm::SmallString<24> digits;
    result.Val.getInt().toString(digits);
    return digits.str().str();
  }
  if (result.Val.isFloat()) return text_of(result.Val.getFloat());
  return std::nullopt;
}

}  // namespace

namespace {

template <class Float>
std::string shortest(Float number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char buffer[32];
  // Positional notation within the range where Python's repr, and so ATen's text, has it.
  Float magnitude = std::fabs(number);
  bool is_positional = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  auto end = std::to_chars(buffer, buffer + sizeof buffer, number,
                           is_positional ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer, end.ptr);
  if (is_positional && text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string shortest_float(double number) { return shortest(number); }
std::string shortest_float(float number) { return shortest(number); }

std::optional<DefaultArgument> default_argument(const clang::ParmVarDecl& parameter, const clang::ASTContext& context,
                                                const SourceMap& map) {
  if (!parameter.hasDefaultArg()) return std::nullopt;
  DefaultArgument result;
  if (parameter.hasUnparsedDefaultArg()) return result;
  const clang::Expr* expression =
      parameter.hasUninstantiatedDefaultArg() ? parameter.getUninstantiatedDefaultArg() : parameter.getDefaultArg();
  clang::SourceRange tokens = expression->getSourceRange();
  clang::CharSourceRange range = map.in_file(tokens);
  result.range = map.range(range);
  const clang::Expr* inner = author_part(expression);
  bool is_from_macro = tokens.getBegin().isMacroID() || tokens.getEnd().isMacroID();
  llvm::StringRef written = map.raw_text(range).ltrim();
  if (written.consume_front("=")) written = written.ltrim();
  result.text = written.rtrim();
  result.value = value_of(*inner, context);
  if (is_from_macro || result.text.empty() || !llvm::json::isUTF8(result.text)) {
    // The text would be a macro's name, or a whole macro call that has more in it than the default; or cannot be
    // stored.
    std::string printed;
    llvm::raw_string_ostream out(printed);
    ShortFloats helper;
    inner->printPretty(out, &helper, printing_policy());
    result.text = llvm::json::fixUTF8(printed);
  }
  return result;
}

}  // namespace structured::gen
