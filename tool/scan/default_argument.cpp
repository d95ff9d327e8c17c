#include "scan/default_argument.h"

#include <charconv>
#include <cmath>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "scan/type_spelling.h"

namespace structured::gen {
namespace {

/// Schemas have no float type: a float is converted to double.
std::string text_of(const llvm::APFloat& number) {
  llvm::APFloat wide = number;
  bool loses_info = false;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses_info);
  return shortest_float(wide.convertToDouble());
}

/// Replaces Clang's spelling, which prints 1e-5 with seventeen digits.
class ShortFloats final : public clang::PrinterHelper {
 public:
  bool handledStmt(clang::Stmt* statement, llvm::raw_ostream& out) override {
    const auto* literal = llvm::dyn_cast<clang::FloatingLiteral>(statement);
    if (literal) out << text_of(literal->getValue());
    return literal != nullptr;
  }
};

bool is_number(clang::QualType type) { return type->isIntegralOrEnumerationType() || type->isRealFloatingType(); }

std::optional<clang::APValue> evaluated(const clang::Expr& expression, const clang::ASTContext& context) {
  if (expression.isValueDependent() || expression.containsErrors()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsRValue(result, context) || result.HasSideEffects) return std::nullopt;
  return result.Val;
}

/// Whether `type` is a number or a bool.
std::optional<std::string> text_of(const clang::APValue& value, clang::QualType type) {
  if (value.isFloat()) return text_of(value.getFloat());
  if (!value.isInt()) return std::nullopt;
  if (type->isBooleanType()) return value.getInt().getBoolValue() ? "true" : "false";
  return llvm::toString(value.getInt(), /*Radix=*/10);
}

/// Strips temporaries and numeric conversions, implicit or explicit: `0.1f` in `double(0.1f)`.
const clang::Expr* without_number_casts(const clang::Expr* expression) {
  while (true) {
    expression = expression->IgnoreParens();
    const clang::Expr* inner = nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) inner = cast->getSubExpr();
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression)) inner = full->getSubExpr();
    const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression);
    if (temporary) inner = temporary->getSubExpr();
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression);
    if (list && list->getNumInits() == 1) inner = list->getInit(0);
    if (!inner || !is_number(inner->getType())) return expression;
    expression = inner;
  }
}

/// Returns the enumerator that `expression` names, also through a conversion to an integer.
std::optional<std::string> enumerator_of(const clang::Expr* expression, const clang::ASTContext& context) {
  if (!expression->getType()->isEnumeralType()) expression = without_number_casts(expression);
  const auto* type = expression->getType()->getAs<clang::EnumType>();
  auto value = type ? evaluated(*expression, context) : std::nullopt;
  if (!value || !value->isInt()) return std::nullopt;
  for (const clang::EnumConstantDecl* enumerator : type->getDecl()->enumerators()) {
    if (llvm::APSInt::isSameValue(enumerator->getInitVal(), value->getInt())) return qualified_name(*enumerator);
  }
  return std::nullopt;
}

/// Whether the class merely wraps one value: `Scalar(1)` is recorded as 1.
bool stands_for_argument(const clang::CXXRecordDecl& record) {
  static constexpr llvm::StringLiteral names[] = {
      "std::optional",    "std::basic_string_view",
      "c10::optional",    "c10::basic_string_view",
      "Scalar",           "ArrayRef",
      "Device",           "SymInt",
      "OptionalArrayRef", "OptionalIntArrayRef",
      "OptionalRef",      "OptionalTensorRef",
      "IListRef",
  };
  std::string qualified = qualified_name(record);
  llvm::StringRef name = qualified;
  if (llvm::is_contained(names, name)) return true;
  auto [scope, last] = name.rsplit("::");
  return (scope == "structured" || scope == "c10" || scope == "at") && llvm::is_contained(names, last);
}

class ValueReader {
 public:
  ValueReader(const clang::ASTContext& context, const SourceMap& map) : context_(context), map_(map) {}

  /// Evaluates `expression` as the default of a parameter of type `target`.
  DefaultValue read(const clang::Expr* expression, clang::QualType target) const {
    DefaultValue result;
    for (; expression; expression = inner_part(*expression)) {
      clang::QualType type = expression->getType();
      if (!expression->isTypeDependent() && is_number(type)) return number(*expression);
      if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expression)) return string(*literal);
      result.elements = elements_of(*expression);
      // A dependent `{}` has no type yet.
      bool is_of_target = type->isVoidType() || context_.hasSameUnqualifiedType(type, target.getNonReferenceType());
      result.is_initial = is_nullopt(type) || (result.elements && result.elements->empty() && is_of_target);
      if (result.is_initial) result.elements.reset();
      if (result.is_initial || result.elements) break;
    }
    return result;
  }

 private:
  DefaultValue number(const clang::Expr& expression) const {
    DefaultValue result;
    if (auto value = evaluated(expression, context_)) result.evaluated = text_of(*value, expression.getType());
    result.enumerator = enumerator_of(&expression, context_);
    const clang::Expr* written = without_number_casts(&expression);
    const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(written);
    const clang::Expr* digits =
        sign && sign->getOpcode() == clang::UO_Minus ? sign->getSubExpr()->IgnoreParenImpCasts() : written;
    if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral>(digits)) result.literal = as_written(*written);
    return result;
  }

  DefaultValue string(const clang::StringLiteral& literal) const {
    DefaultValue result;
    if (literal.getCharByteWidth() != 1) return result;
    if (literal.getNumConcatenated() == 1) result.literal = as_written(literal);
    if (llvm::json::isUTF8(literal.getBytes())) {
      result.evaluated = literal.getBytes().str();
    } else if (!result.literal) {  // other bytes need escape sequences
      llvm::raw_string_ostream out(result.literal.emplace());
      literal.outputString(out);
    }
    return result;
  }

  /// Returns the source text unless a macro spells a part of it.
  std::optional<std::string> as_written(const clang::Expr& literal) const {
    clang::SourceRange range = literal.getSourceRange();
    if (range.getBegin().isMacroID() || range.getEnd().isMacroID()) return std::nullopt;
    llvm::StringRef text = map_.raw_text(map_.in_file(range));
    return llvm::json::isUTF8(text) ? std::optional(text.str()) : std::nullopt;
  }

  static bool is_nullopt(clang::QualType type) {
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record && record->getIdentifier() && record->getName() == "nullopt_t";
  }

  /// Returns the elements of an array; nullopt for an object without any.
  std::optional<std::vector<DefaultValue>> elements_of(const clang::Expr& expression) const {
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(&expression);
    const clang::ConstantArrayType* array = context_.getAsConstantArrayType(expression.getType());
    if (array && (list || llvm::isa<clang::ImplicitValueInitExpr>(expression))) return elements_of(list, *array);
    bool is_made_of_nothing = list && list->getNumInits() == 0;
    if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(&expression)) {
      is_made_of_nothing =
          number_of_arguments(*construct) == 0 && stands_for_argument(*construct->getConstructor()->getParent());
    }
    if (const auto* construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(&expression)) {
      is_made_of_nothing = construct->getNumArgs() == 0;
    }
    return is_made_of_nothing ? std::optional(std::vector<DefaultValue>()) : std::nullopt;
  }

  /// Elements that `list` omits are zero.
  std::vector<DefaultValue> elements_of(const clang::InitListExpr* list, const clang::ConstantArrayType& array) const {
    clang::QualType type = array.getElementType();
    std::vector<DefaultValue> elements;
    if (list) {
      for (const clang::Expr* element : list->inits()) elements.push_back(read(element, type));
    }
    clang::ImplicitValueInitExpr zero(type);
    if (elements.size() < array.getZExtSize()) elements.resize(array.getZExtSize(), read(&zero, type));
    return elements;
  }

  /// Strips wrappers that add nothing: temporaries, conversions and the classes above.
  static const clang::Expr* inner_part(const clang::Expr& expression) {
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(&expression)) return full->getSubExpr();
    if (const auto* parentheses = llvm::dyn_cast<clang::ParenExpr>(&expression)) return parentheses->getSubExpr();
    if (const auto* list = llvm::dyn_cast<clang::ParenListExpr>(&expression)) {
      return list->getNumExprs() == 1 ? list->getExpr(0) : nullptr;
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression)) return cast->getSubExpr();
    if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(&expression)) {
      return temporary->getSubExpr();
    }
    if (const auto* temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(&expression)) {
      return temporary->getSubExpr();
    }
    if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(&expression)) return list->getSubExpr();
    // Braces around a number or around the array of a std::array.
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&expression)) {
      return list->getNumInits() == 1 ? list->getInit(0) : nullptr;
    }
    if (const auto* construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(&expression)) {
      return construct->getNumArgs() == 1 ? construct->getArg(0) : nullptr;
    }
    if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(&expression)) {
      const clang::CXXConstructorDecl& constructor = *construct->getConstructor();
      bool is_transparent = constructor.isCopyOrMoveConstructor() || construct->isStdInitListInitialization() ||
                            stands_for_argument(*constructor.getParent());
      return is_transparent && number_of_arguments(*construct) == 1 ? construct->getArg(0) : nullptr;
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&expression)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      return variable && variable->isConstexpr() ? variable->getAnyInitializer() : nullptr;
    }
    return nullptr;
  }

  static std::size_t number_of_arguments(const clang::CXXConstructExpr& construct) {
    return llvm::count_if(construct.arguments(),
                          [](const clang::Expr* e) { return !llvm::isa<clang::CXXDefaultArgExpr>(e); });
  }

  const clang::ASTContext& context_;
  const SourceMap& map_;
};

}  // namespace

std::string shortest_float(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char buffer[32];
  // Positional notation in the range in which Python's repr(), and therefore ATen, uses it.
  double magnitude = std::fabs(number);
  bool is_positional = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  auto end = std::to_chars(buffer, buffer + sizeof buffer, number,
                           is_positional ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer, end.ptr);
  if (is_positional && text.find('.') == std::string::npos) text += ".0";
  return text;
}

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
  bool is_from_macro = tokens.getBegin().isMacroID() || tokens.getEnd().isMacroID();
  llvm::StringRef written = map.raw_text(range).ltrim();
  if (written.consume_front("=")) written = written.ltrim();
  result.text = written.rtrim();
  result.value = ValueReader(context, map).read(expression, parameter.getType());
  if (is_from_macro || result.text.empty() || !llvm::json::isUTF8(result.text)) {
    // The text is a macro name, a macro call that contains more than the default, or cannot be stored.
    std::string printed;
    llvm::raw_string_ostream out(printed);
    ShortFloats helper;
    expression->IgnoreImplicit()->printPretty(out, &helper, printing_policy());
    result.text = llvm::json::fixUTF8(printed);
  }
  return result;
}

}  // namespace structured::gen
