#include "analysis/symbolic_expr_builder.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include "scan/type_spelling.h"

namespace structured::gen {
namespace {

// Limits recursion: generated expressions can be nested deeper than the stack allows.
constexpr unsigned depth_limit = 200;

llvm::StringRef class_name(clang::QualType type) { return name_of(type.getNonReferenceType()->getAsCXXRecordDecl()); }

bool is_optional(clang::QualType type) { return class_name(type).contains_insensitive("optional"); }

bool is_shape_query(llvm::StringRef name) {
  constexpr llvm::StringLiteral queries[] = {"dim",        "dtype", "empty",       "is_complex", "is_floating_point",
                                             "ndimension", "numel", "scalar_type", "size",       "sizes"};
  return llvm::is_contained(queries, name);
}

bool is_nonnegative(const clang::Expr& expression) {
  if (expression.getType()->isUnsignedIntegerType()) return true;
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expression);
  constexpr llvm::StringLiteral counts[] = {"dim", "ndimension", "numel", "size"};
  return call && is_tensor(call->getImplicitObjectArgument()->getType()) &&
         llvm::is_contained(counts, name_of(call->getMethodDecl()));
}

SymbolicExprContext::Opaque opaque(std::string text, const clang::Expr& whole, Reads reads) {
  return {std::move(text), whole.getType().getNonReferenceType()->isBooleanType(), is_nonnegative(whole),
          std::move(reads)};
}

// `namespace::name<arguments>`, spelled identically in every source.
std::string full_name(const clang::NamedDecl& declaration) {
  std::string result;
  llvm::raw_string_ostream out(result);
  declaration.getNameForDiagnostic(out, printing_policy(), /*Qualified=*/true);
  return result;
}

}  // namespace

bool is_tensor(clang::QualType type) { return class_name(type) == "Tensor"; }

llvm::StringRef name_of(const clang::NamedDecl* declaration) {
  return declaration && declaration->getIdentifier() ? declaration->getName() : llvm::StringRef();
}

const clang::ValueDecl* variable_of(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  if (!reference || !llvm::isa<clang::VarDecl, clang::BindingDecl>(reference->getDecl())) return nullptr;
  return reference->getDecl();
}

const SymbolicExpr* SymbolicExprBuilder::unknown(const clang::Expr& expression) {
  const clang::QualType type = expression.getType();
  // The parenthesized initializer of a variable of dependent type has no type.
  return exprs_.unknown(!type.isNull() && type.getNonReferenceType()->isBooleanType());
}

std::optional<const SymbolicExpr*> SymbolicExprBuilder::constant(const clang::Expr& expression) {
  if (expression.isValueDependent() || !expression.getType()->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult value;
  if (!expression.EvaluateAsInt(value, context_)) return std::nullopt;
  const auto number = value.Val.getInt().tryExtValue();
  if (!number) return std::nullopt;
  return exprs_.constant(*number);
}

template <class Range>
const SymbolicExpr* SymbolicExprBuilder::apply(llvm::StringRef name, const Range& operands, const clang::Expr& whole) {
  std::string text = name.str() + "(";
  Reads reads;
  for (const clang::Expr* operand : operands) {
    const SymbolicExpr* expr = build(operand);
    if (text.back() != '(') text += ", ";
    text += expr->text;
    reads.add(expr->reads);
  }
  return exprs_.opaque(opaque(text + ")", whole, std::move(reads)));
}

const SymbolicExpr* SymbolicExprBuilder::build(const clang::Expr* expression) {
  if (depth_ == depth_limit) return unknown(*expression);
  const llvm::SaveAndRestore deeper(depth_, depth_ + 1);
  if (const auto value = constant(*expression)) return *value;
  if (const auto* inner = llvm::dyn_cast<clang::ParenExpr>(expression)) return build(inner->getSubExpr());
  if (const auto* inner = llvm::dyn_cast<clang::FullExpr>(expression)) return build(inner->getSubExpr());
  if (const auto* inner = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return build(inner->getSubExpr());
  if (const auto* inner = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) return build(inner->getSubExpr());
  if (const auto* inner = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression)) return build(inner->getExpr());
  if (const auto* inner = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression)) {
    return build(inner->getReplacement());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) return build_cast(*cast);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expression)) return build_unary(*op);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expression)) return build_binary(*op);
  if (const auto* op = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expression)) {
    const auto parts = op->getDecomposedForm();
    return build_comparison(parts.Opcode, parts.LHS, parts.RHS, *expression);
  }
  if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    const auto decision = scope_.decision(condition(op->getCond()));
    if (!decision) return apply("?:", llvm::ArrayRef({op->getCond(), op->getLHS(), op->getRHS()}), *op);
    return build(*decision ? op->getTrueExpr() : op->getFalseExpr());
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return build_reference(*reference);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) return build_member(*member);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return build_call(*call);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) return build_construction(*made);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) return apply("{}", list->inits(), *list);
  if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression)) return build(list->getSubExpr());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    return apply("[]", llvm::ArrayRef({element->getBase(), element->getIdx()}), *element);
  }
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(expression)) {
    return exprs_.opaque({"\"" + llvm::toHex(text->getBytes()) + "\"", false, false, {}});
  }
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(expression)) {
    llvm::SmallString<32> digits;
    number->getValue().toString(digits);
    return exprs_.opaque({digits.str().str() + "f", false, false, {}});
  }
  if (llvm::isa<clang::CXXNullPtrLiteralExpr>(expression)) return exprs_.constant(0);
  return unknown(*expression);
}

const SymbolicExpr* SymbolicExprBuilder::build_cast(const clang::CastExpr& cast) {
  const SymbolicExpr* inner = build(cast.getSubExpr());
  switch (cast.getCastKind()) {
    case clang::CK_IntegralToBoolean:
    case clang::CK_PointerToBoolean:
    case clang::CK_FloatingToBoolean:
    case clang::CK_MemberPointerToBoolean:
      return exprs_.condition(inner);
    case clang::CK_NullToPointer:
      return exprs_.constant(0);
    default:
      return inner;
  }
}

const SymbolicExpr* SymbolicExprBuilder::build_unary(const clang::UnaryOperator& op) {
  if (op.getOpcode() == clang::UO_LNot) return exprs_.negation(condition(op.getSubExpr()));
  if (op.isIncrementDecrementOp() || op.getOpcode() == clang::UO_AddrOf) return unknown(op);
  return apply(clang::UnaryOperator::getOpcodeStr(op.getOpcode()), llvm::ArrayRef({op.getSubExpr()}), op);
}

const SymbolicExpr* SymbolicExprBuilder::build_binary(const clang::BinaryOperator& op) {
  if (op.isComparisonOp()) return build_comparison(op.getOpcode(), op.getLHS(), op.getRHS(), op);
  switch (op.getOpcode()) {
    case clang::BO_LAnd:
      return exprs_.conjunction(condition(op.getLHS()), condition(op.getRHS()));
    case clang::BO_LOr:
      return exprs_.disjunction(condition(op.getLHS()), condition(op.getRHS()));
    case clang::BO_Comma:
      return build(op.getRHS());
    default:
      if (op.isAssignmentOp()) return unknown(op);
      return apply(op.getOpcodeStr(), llvm::ArrayRef({op.getLHS(), op.getRHS()}), op);
  }
}

const SymbolicExpr* SymbolicExprBuilder::build_comparison(clang::BinaryOperatorKind kind, const clang::Expr* left,
                                                          const clang::Expr* right, const clang::Expr& whole) {
  if (class_name(left->getType()) == "nullopt_t") std::swap(left, right);
  if (class_name(right->getType()) == "nullopt_t") {
    const SymbolicExpr* present = presence(build(left));
    return kind == clang::BO_NE ? present : exprs_.negation(present);
  }
  switch (kind) {
    case clang::BO_EQ:
      return exprs_.equal(build(left), build(right));
    case clang::BO_NE:
      return exprs_.negation(exprs_.equal(build(left), build(right)));
    case clang::BO_LT:
      return exprs_.less(build(left), build(right));
    case clang::BO_GE:
      return exprs_.negation(exprs_.less(build(left), build(right)));
    case clang::BO_GT:
      return exprs_.less(build(right), build(left));
    case clang::BO_LE:
      return exprs_.negation(exprs_.less(build(right), build(left)));
    default:
      return apply("<=>", llvm::ArrayRef({left, right}), whole);
  }
}

const SymbolicExpr* SymbolicExprBuilder::build_reference(const clang::DeclRefExpr& reference) {
  const clang::ValueDecl& declaration = *reference.getDecl();
  if (llvm::isa<clang::VarDecl, clang::BindingDecl>(declaration)) return scope_.variable(declaration);
  if (llvm::isa<clang::FunctionDecl>(declaration)) {
    return exprs_.opaque({full_name(declaration), false, false, {}});
  }
  return unknown(reference);
}

const SymbolicExpr* SymbolicExprBuilder::build_member(const clang::MemberExpr& member) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  if (!field) return unknown(member);
  return apply("." + field->getNameAsString(), llvm::ArrayRef<const clang::Expr*>({member.getBase()}), member);
}

const SymbolicExpr* SymbolicExprBuilder::presence(const SymbolicExpr* optional) {
  Reads reads = optional->reads;
  reads.is_tensor = false;
  return exprs_.opaque({"has_value(" + optional->text + ")", true, false, std::move(reads)});
}

const SymbolicExpr* SymbolicExprBuilder::build_call(const clang::CallExpr& call) {
  if (const SymbolicExpr* result = scope_.result(call)) return result;
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) return build_method_call(*member);
  if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) return build_operator_call(*op);
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (name_of(callee) == "__builtin_expect" && call.getNumArgs() > 0) return build(call.getArg(0));
  if (!callee) return unknown(call);
  if (call.getNumArgs() == 0 && !callee->isConstexpr()) {
    // Depends on global state such as the machine or a setting, not on tensors.
    return exprs_.opaque(opaque(full_name(*callee) + "()", call, Reads::anything()));
  }
  return apply(full_name(*callee), call.arguments(), call);
}

const SymbolicExpr* SymbolicExprBuilder::build_method_call(const clang::CXXMemberCallExpr& call) {
  const clang::CXXMethodDecl* method = call.getMethodDecl();
  if (!method) return unknown(call);
  const clang::Expr& object = *call.getImplicitObjectArgument();
  const SymbolicExpr* subject = build(&object);
  const llvm::StringRef name = name_of(method);
  if (is_optional(object.getType()->isPointerType() ? object.getType()->getPointeeType() : object.getType())) {
    if (name == "has_value" || llvm::isa<clang::CXXConversionDecl>(method)) return presence(subject);
    if (name == "value") return subject;
  }
  std::string text = subject->text + "." + (name.empty() ? full_name(*method) : name.str()) + "(";
  Reads reads = subject->reads;
  reads.is_tensor = false;
  if (subject->reads.is_tensor && !is_shape_query(name)) reads.only_shapes = false;
  for (const clang::Expr* argument : call.arguments()) {
    const SymbolicExpr* expr = build(argument);
    if (text.back() != '(') text += ", ";
    text += expr->text;
    reads.add(expr->reads);
  }
  return exprs_.opaque(opaque(text + ")", call, std::move(reads)));
}

const SymbolicExpr* SymbolicExprBuilder::build_operator_call(const clang::CXXOperatorCallExpr& call) {
  const clang::OverloadedOperatorKind kind = call.getOperator();
  if (call.isComparisonOp() && call.getNumArgs() == 2) {
    return build_comparison(clang::BinaryOperator::getOverloadedOpcode(kind), call.getArg(0), call.getArg(1), call);
  }
  if (call.isAssignmentOp() || kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus) return unknown(call);
  if (kind == clang::OO_Exclaim) return exprs_.negation(condition(call.getArg(0)));
  const bool is_access = kind == clang::OO_Arrow || (kind == clang::OO_Star && call.getNumArgs() == 1);
  if (is_access && is_optional(call.getArg(0)->getType())) return build(call.getArg(0));
  if (kind == clang::OO_Subscript && call.getNumArgs() == 2 && is_tensor(call.getType())) {
    const SymbolicExpr* list = build(call.getArg(0));
    const SymbolicExpr* index = build(call.getArg(1));
    Reads reads{index->reads.only_shapes && list->reads.only_shapes, list->reads.is_tensor, list->reads.tensors};
    return exprs_.opaque({list->text + "[" + index->text + "]", false, false, std::move(reads)});
  }
  return apply(clang::getOperatorSpelling(kind), call.arguments(), call);
}

const SymbolicExpr* SymbolicExprBuilder::build_construction(const clang::CXXConstructExpr& construction) {
  const clang::CXXConstructorDecl& constructor = *construction.getConstructor();
  if (construction.getNumArgs() == 1 &&
      (constructor.isCopyOrMoveConstructor() || is_optional(construction.getType()))) {
    return build(construction.getArg(0));
  }
  return apply(full_name(*constructor.getParent()), construction.arguments(), construction);
}

}  // namespace structured::gen
