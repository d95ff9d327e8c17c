// Calls in meta functions.
#include <utility>

#include "analysis/definitions.h"
#include "analysis/shape_translator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace structured::gen {
namespace {

/// Returns the counterpart of a library's function; empty if it has none.
llvm::StringRef counterpart(const llvm::Twine& name) {
  static const llvm::StringMap<llvm::StringRef> table = [] {
    llvm::StringMap<llvm::StringRef> result;
#define STRUCTURED_SHAPE_CALL(cpp, name) result.try_emplace(cpp, #name);
#include "model/shape_calls.def"
    result.erase("");
    return result;
  }();
  return table.lookup(name.str());
}

llvm::StringRef plain_name(const clang::FunctionDecl& function) {
  return function.getDeclName().isIdentifier() ? function.getName() : "";
}

bool is_of_library(const clang::FunctionDecl& function) {
  const clang::DeclContext* context = function.getEnclosingNamespaceContext();
  llvm::StringRef outermost;
  for (; context != nullptr && !context->isTranslationUnit(); context = context->getParent()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) outermost = space->getName();
  }
  const bool is_known = llvm::StringSwitch<bool>(outermost)
                            .Cases("std", "at", "c10", "torch", "structured", true)
                            .Default(function.getBuiltinID() != 0);
  return is_known && !is_in_source(function);
}

/// Whether the call returns its first argument.
bool is_identity(const clang::FunctionDecl& function) {
  return llvm::StringSwitch<bool>(function.getQualifiedNameAsString())
      .Cases("std::move", "std::forward", "std::as_const", "__builtin_expect", "c10::typeMetaToScalarType", true)
      .Default(false);
}

}  // namespace

std::optional<ShapePosition> shape_position(const clang::Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  expression = without_wrapping(expression);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression); made && made->getNumArgs() == 1) {
    return shape_position(made->getArg(0));  // an iterator of constant elements
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const llvm::StringRef name = call->getMethodDecl() ? plain_name(*call->getMethodDecl()) : "";
    const bool is_begin = name == "begin" || name == "cbegin";
    const bool is_end = name == "end" || name == "cend";
    const clang::Expr* list = call->getImplicitObjectArgument();
    if (!(is_begin || is_end) || shape_class(list->getType()) != "List") return std::nullopt;
    return ShapePosition{list, {}, is_end};
  }
  const auto moved = [](const clang::Expr* from, const clang::Expr* by, bool is_back) -> std::optional<ShapePosition> {
    auto position = shape_position(from);
    if (!position || position->is_end != is_back) return std::nullopt;
    position->offsets.push_back(by);
    return position;
  };
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(expression); sum && sum->isAdditiveOp()) {
    return moved(sum->getLHS(), sum->getRHS(), sum->getOpcode() == clang::BO_Sub);
  }
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (call && (call->getOperator() == clang::OO_Plus || call->getOperator() == clang::OO_Minus)) {
    return moved(call->getArg(0), call->getArg(1), call->getOperator() == clang::OO_Minus);
  }
  return std::nullopt;
}

/// The elements of a list from one position to another, as a list of its own.
ShapeTranslator::Node ShapeTranslator::between(const ShapePosition& first, const ShapePosition& last) {
  const Node list = value(first.list);
  const Node begin = sum_of(first.offsets);
  return known("between", {list, begin, sum_of(last.offsets)});
}

ShapeTranslator::Node ShapeTranslator::sum_of(llvm::ArrayRef<const clang::Expr*> terms) {
  std::optional<Node> sum;
  for (const clang::Expr* term : terms) {
    const Node next = value(term);
    sum = sum ? add(ShapeOp::binary, {*sum, next}, "+") : next;
  }
  return sum ? *sum : add(ShapeOp::integer, {}, "0");
}

std::vector<ShapeTranslator::Node> ShapeTranslator::arguments(const clang::CallExpr& call, unsigned first,
                                                              bool drops_defaults) {
  std::vector<Node> result;
  for (unsigned i = first; i < call.getNumArgs(); ++i) {
    if (drops_defaults && llvm::isa<clang::CXXDefaultArgExpr>(call.getArg(i))) continue;
    result.push_back(value(call.getArg(i)));
  }
  return result;
}

ShapeTranslator::Node ShapeTranslator::called(const clang::CallExpr& call) {
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) return overloaded(*operation);
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) return method(*member);
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr) return refuse(call.getSourceRange(), "calls a function through a pointer");
  if (is_identity(*function)) return value(call.getArg(0));
  if (is_of_library(*function)) {
    if (const auto result = library_call(call, *function)) return *result;
  }
  return own_call(call, *function, arguments(call, 0, /*drops_defaults=*/false));
}

ShapeTranslator::Node ShapeTranslator::own_call(const clang::CallExpr& call, const clang::FunctionDecl& function,
                                                std::vector<Node> operands) {
  if (refusal_) return 0;
  if (definition_of(function, sema_) == nullptr) {
    return refuse(call.getSourceRange(),
                  "calls `" + function.getQualifiedNameAsString() + "`, whose body is not known here");
  }
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const clang::QualType type = parameter->getType();
    const bool is_writable = type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
    if ((is_writable && !type.getNonReferenceType()->isRecordType()) ||
        (type->isPointerType() && !type->getPointeeType().isConstQualified())) {
      return refuse(call.getSourceRange(), "calls `" + function.getQualifiedNameAsString() +
                                               "`, which may change a number through its parameter `" +
                                               parameter->getNameAsString() + "`");
    }
  }
  std::string name = function_name(function);
  const auto is_complete = [&](const ShapeFunction& each) { return each.name == name; };
  if (!refusal_ && llvm::none_of(functions_, is_complete)) {
    return refuse(call.getSourceRange(), "calls `" + function.getQualifiedNameAsString() + "`, which calls it");
  }
  return add(ShapeOp::call, std::move(operands), std::move(name));
}

ShapeTranslator::Node ShapeTranslator::overloaded(const clang::CXXOperatorCallExpr& call) {
  const llvm::StringRef kind = shape_class(call.getArg(0)->getType());
  const auto both = [&](llvm::StringRef op) {
    const Node left = value(call.getArg(0));
    return add(ShapeOp::binary, {left, value(call.getArg(1))}, op.str());
  };
  switch (call.getOperator()) {
    case clang::OO_Subscript: {
      const Node list = value(call.getArg(0));
      return add(ShapeOp::element, {list, value(call.getArg(1))});
    }
    case clang::OO_Star:
    case clang::OO_Arrow:
      if ((kind == "Optional" || kind == "Tensor") && call.getNumArgs() == 1) return value(call.getArg(0));
      break;
    case clang::OO_EqualEqual:
    case clang::OO_ExclaimEqual:
      if (kind == "List") {
        const Node left = value(call.getArg(0));
        const Node is_equal = known("is_equal", {left, value(call.getArg(1))});
        return call.getOperator() == clang::OO_EqualEqual ? is_equal : add(ShapeOp::unary, {is_equal}, "!");
      }
      return both(call.getOperator() == clang::OO_EqualEqual ? "==" : "!=");
    case clang::OO_Less:
    case clang::OO_Greater:
    case clang::OO_LessEqual:
    case clang::OO_GreaterEqual:
      if (!kind.empty()) return both(clang::getOperatorSpelling(call.getOperator()));
      break;
    case clang::OO_Plus:
      if (kind == "String" || shape_class(call.getArg(1)->getType()) == "String") {
        const Node left = value(call.getArg(0));
        return known("message", {left, value(call.getArg(1))});
      }
      break;
    case clang::OO_Pipe:
      if (shape_class(call.getType()) == "DtypeSet") {
        const Node left = value(call.getArg(0));
        return known("either", {left, value(call.getArg(1))});
      }
      break;
    case clang::OO_Call: {
      const auto* closure = call.getArg(0)->getType()->getAsCXXRecordDecl();
      if (closure == nullptr || !closure->isLambda()) break;
      std::vector<Node> operands{value(call.getArg(0))};
      llvm::append_range(operands, arguments(call, 1, /*drops_defaults=*/false));
      return add(ShapeOp::apply, std::move(operands));
    }
    default:
      break;
  }
  return refuse(call.getSourceRange(),
                std::string("uses the operator `") + clang::getOperatorSpelling(call.getOperator()) + "` of a class");
}

ShapeTranslator::Node ShapeTranslator::method(const clang::CXXMemberCallExpr& call) {
  const clang::Expr* object = call.getImplicitObjectArgument();
  const clang::CXXMethodDecl* callee = call.getMethodDecl();
  if (callee == nullptr) return refuse(call.getSourceRange(), "calls a method through a pointer");
  clang::QualType type = object->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  const llvm::StringRef kind = shape_class(type);
  if (llvm::isa<clang::CXXConversionDecl>(callee)) {
    if (kind == "Optional" && callee->getReturnType()->isBooleanType()) return known("is_given", {value(object)});
    if (!kind.empty()) return value(object);
  }
  const llvm::StringRef name = plain_name(*callee);
  if (kind == "Optional" && name == "value") return value(object);
  if (kind == "List") {
    if (const auto result = list_method(call, name)) return *result;
  }
  if (kind == "Scalar" && name == "to") {
    const clang::QualType result = callee->getReturnType();
    return known(result->isBooleanType()    ? "as_boolean"
                 : result->isFloatingType() ? "as_real"
                                            : "as_integer",
                 {value(object)});
  }
  if (!kind.empty()) {
    const llvm::StringRef found = counterpart(kind + "." + name);
    if (found.empty()) {
      return refuse(call.getSourceRange(),
                    "calls `" + callee->getQualifiedNameAsString() + "`, which has no counterpart");
    }
    std::vector<Node> operands{value(object)};
    llvm::append_range(operands, arguments(call, 0, /*drops_defaults=*/true));
    return known(found, std::move(operands));
  }
  std::vector<Node> operands{value(object)};
  llvm::append_range(operands, arguments(call, 0, /*drops_defaults=*/false));
  return own_call(call, *callee, std::move(operands));
}

/// Methods whose arguments are positions in the list, and others that are expressions.
std::optional<ShapeTranslator::Node> ShapeTranslator::list_method(const clang::CXXMemberCallExpr& call,
                                                                  llvm::StringRef name) {
  const clang::Expr* list = call.getImplicitObjectArgument();
  if (name == "at" && call.getNumArgs() == 1) {
    const Node object = value(list);
    return add(ShapeOp::element, {object, value(call.getArg(0))});
  }
  if (name != "insert" && name != "erase") return std::nullopt;
  const auto position = call.getNumArgs() > 0 ? shape_position(call.getArg(0)) : std::nullopt;
  if (!position || call.getNumArgs() != (name == "insert" ? 2u : 1u)) return std::nullopt;
  const Node object = value(list);
  Node place = sum_of(position->offsets);
  if (position->is_end) place = add(ShapeOp::binary, {known("length", {object}), place}, "-");
  if (name == "erase") return known("remove", {object, place});
  return known("insert", {object, place, value(call.getArg(1))});
}

std::optional<ShapeTranslator::Node> ShapeTranslator::overflow_check(const clang::CallExpr& call,
                                                                     llvm::StringRef name) {
  const llvm::StringRef op = llvm::StringSwitch<llvm::StringRef>(name)
                                 .Case("__builtin_add_overflow", "+")
                                 .Case("__builtin_sub_overflow", "-")
                                 .Case("__builtin_mul_overflow", "*")
                                 .Default("");
  if (op.empty()) return std::nullopt;
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(call.getArg(2)->IgnoreParenImpCasts());
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return std::nullopt;
  const Node left = value(call.getArg(0));
  const Node result = add(ShapeOp::binary, {left, value(call.getArg(1))}, op.str());
  return known("overflows", {stored(address->getSubExpr(), result)});
}

std::optional<ShapeTranslator::Node> ShapeTranslator::library_call(const clang::CallExpr& call,
                                                                   const clang::FunctionDecl& function) {
  const llvm::StringRef name = plain_name(function);
  if (const auto result = overflow_check(call, name)) return result;
  if (name == "make_pair" || name == "make_tuple") {
    return add(ShapeOp::list, arguments(call, 0, /*drops_defaults=*/true));
  }
  if (name == "get" && call.getNumArgs() == 1 && function.getTemplateSpecializationArgs() != nullptr) {
    const clang::TemplateArgument& index = function.getTemplateSpecializationArgs()->get(0);
    if (index.getKind() == clang::TemplateArgument::Integral) {
      const Node tuple = value(call.getArg(0));
      return add(ShapeOp::element, {tuple, add(ShapeOp::integer, {}, llvm::toString(index.getAsIntegral(), 10))});
    }
  }
  if (name == "str" && function.getQualifiedNameAsString() == "c10::str") {
    return known("message", arguments(call, 0, /*drops_defaults=*/true));
  }
  if ((name == "all_of" || name == "any_of" || name == "none_of") && call.getNumArgs() == 3) {
    const auto first = shape_position(call.getArg(0));
    const auto last = shape_position(call.getArg(1));
    if (!first || !last || first->is_end || !last->is_end) return std::nullopt;
    const Node list = between(*first, *last);
    return known(name, {list, value(call.getArg(2))});
  }
  const llvm::StringRef found = counterpart(name);
  if (found.empty()) return std::nullopt;
  return known(found, arguments(call, 0, /*drops_defaults=*/true));
}

std::vector<ShapeTranslator::Node> ShapeTranslator::message(const clang::Expr* text) {
  const clang::Expr* bare = without_wrapping(text);
  while (true) {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(bare)) {
      bare = without_wrapping(cast->getSubExpr());
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare);
               made && made->getNumArgs() > 0 && shape_class(made->getType()) == "String") {
      bare = without_wrapping(made->getArg(0));
    } else {
      break;
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(bare); call && call->getDirectCallee()) {
    // The functions of the macros of checks take a default first, or the place in the source, too.
    const llvm::StringRef name = plain_name(*call->getDirectCallee());
    const std::optional<unsigned> first = llvm::StringSwitch<std::optional<unsigned>>(name)
                                              .Case("torchCheckMsgImpl", call->getNumArgs() > 1 ? 1 : 0)
                                              .Case("stdTorchCheckMsgImpl", call->getNumArgs() > 7 ? 7 : 0)
                                              .Case("str", 0)
                                              .Default(std::nullopt);
    if (first) {
      std::vector<Node> parts;
      const unsigned last = name == "stdTorchCheckMsgImpl" && *first == 0 ? 1 : call->getNumArgs();
      for (unsigned i = *first; i < last; ++i) llvm::append_range(parts, message(call->getArg(i)));
      return parts;
    }
  }
  // The message shows the text of an expression that has no counterpart.
  const std::optional<Refusal> before = refusal_;
  const auto names = function_names_;
  const std::size_t count = functions_.size();
  const Node part = value(text);
  if (refusal_ && !before) {
    refusal_.reset();
    functions_.resize(count);
    function_names_ = names;
    const auto range = clang::CharSourceRange::getTokenRange(text->getSourceRange());
    const llvm::StringRef written = clang::Lexer::getSourceText(context_.getSourceManager().getExpansionRange(range),
                                                                context_.getSourceManager(), context_.getLangOpts());
    return {add(ShapeOp::text, {}, "<" + written.str() + ">")};
  }
  return {part};
}

}  // namespace structured::gen
