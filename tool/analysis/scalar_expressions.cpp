// Expressions of scalar functions, except calls.
#include <utility>

#include "analysis/bare_expression.h"
#include "analysis/scalar_evaluator.h"
#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"

namespace structured::gen {
namespace {

std::optional<ScalarOp> operation_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_Add:
      return ScalarOp::add;
    case clang::BO_Sub:
      return ScalarOp::sub;
    case clang::BO_Mul:
      return ScalarOp::mul;
    case clang::BO_Div:
      return ScalarOp::div;
    case clang::BO_Rem:
      return ScalarOp::rem;
    case clang::BO_And:
      return ScalarOp::bit_and;
    case clang::BO_Or:
      return ScalarOp::bit_or;
    case clang::BO_Xor:
      return ScalarOp::bit_xor;
    case clang::BO_Shl:
      return ScalarOp::shift_left;
    case clang::BO_Shr:
      return ScalarOp::shift_right;
    case clang::BO_EQ:
      return ScalarOp::eq;
    case clang::BO_NE:
      return ScalarOp::ne;
    case clang::BO_LT:
      return ScalarOp::lt;
    case clang::BO_LE:
      return ScalarOp::le;
    case clang::BO_GT:
      return ScalarOp::gt;
    case clang::BO_GE:
      return ScalarOp::ge;
    default:
      return std::nullopt;
  }
}

}  // namespace

ScalarEvaluator::Node ScalarEvaluator::number(const clang::Expr* expression) {
  const SymbolicValue result = value(expression);
  if (!refusal_ && !result.is_number()) refuse(expression->getSourceRange(), "uses a value that is not a number");
  return refusal_ ? builder_.constant(false) : result.node;
}

ScalarEvaluator::Node ScalarEvaluator::condition(const clang::Expr* expression) {
  const Node result = number(expression);
  return refusal_ ? builder_.constant(false) : builder_.cast(result, ScalarType::boolean);
}

std::optional<SymbolicValue> ScalarEvaluator::wide_constant(const clang::Expr& expression) {
  if (!expression.getType()->isSpecificBuiltinType(clang::BuiltinType::LongDouble)) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsRValue(result, context_) || result.HasSideEffects || !result.Val.isFloat()) {
    return std::nullopt;
  }
  SymbolicValue constant;
  constant.kind = SymbolicValue::Kind::wide;
  constant.wide = std::make_shared<const llvm::APFloat>(result.Val.getFloat());
  return constant;
}

std::optional<SymbolicValue> ScalarEvaluator::folded(const clang::Expr& expression) {
  if (!scalar_type(expression.getType(), context_) || expression.isValueDependent()) return std::nullopt;
  clang::Expr::EvalResult result;
  const bool is_known = expression.EvaluateAsRValue(result, context_) && !result.HasSideEffects;
  if (!is_known || !(result.Val.isInt() || result.Val.isFloat())) return std::nullopt;
  return constant(result.Val, expression.getType());
}

SymbolicValue ScalarEvaluator::constant(const clang::APValue& value, clang::QualType type) {
  if (const auto scalar = scalar_type(type, context_); scalar && (value.isInt() || value.isFloat())) {
    const llvm::APInt bits = value.isInt() ? llvm::APInt(value.getInt()) : value.getFloat().bitcastToAPInt();
    return SymbolicValue::number(builder_.constant(ScalarValue{*scalar, bits.zextOrTrunc(64).getZExtValue()}));
  }
  std::vector<SymbolicValue> parts;
  const auto* array = context_.getAsConstantArrayType(type);
  if (value.isArray() && array) {
    for (unsigned i = 0; i < value.getArraySize(); ++i) {
      const bool is_written = i < value.getArrayInitializedElts();
      const clang::APValue& element = is_written ? value.getArrayInitializedElt(i) : value.getArrayFiller();
      parts.push_back(constant(element, array->getElementType()));
    }
    return SymbolicValue::object(std::move(parts));
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!value.isStruct() || !record) return {};
  unsigned index = 0;
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    parts.push_back(constant(value.getStructBase(index++), base.getType()));
  }
  for (const clang::FieldDecl* field : record->fields()) {
    parts.push_back(constant(value.getStructField(field->getFieldIndex()), field->getType()));
  }
  return SymbolicValue::object(std::move(parts));
}

SymbolicValue ScalarEvaluator::zero(clang::QualType type) {
  if (const auto scalar = scalar_type(type, context_)) return SymbolicValue::number(builder_.zero(*scalar));
  std::vector<SymbolicValue> parts;
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) parts.push_back(zero(array->getElementType()));
  } else if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl(); record && !record->isUnion()) {
    for (const clang::CXXBaseSpecifier& base : record->bases()) parts.push_back(zero(base.getType()));
    for (const clang::FieldDecl* field : record->fields()) parts.push_back(zero(field->getType()));
  } else {
    return {};
  }
  return SymbolicValue::object(std::move(parts));
}

SymbolicValue ScalarEvaluator::value(const clang::Expr* expression) {
  if (refusal_) return {};
  expression = bare(expression);
  if (expression->containsErrors()) return refuse(expression->getSourceRange(), does_not_compile.str());
  if (auto known = folded(*expression)) return *known;
  if (auto known = wide_constant(*expression)) return *known;
  if (expression->isGLValue()) return load(place(expression), *expression);
  if (const auto* operation = llvm::dyn_cast<clang::CastExpr>(expression)) return cast(*operation);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression)) return unary(*operation);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) return binary(*operation);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return called(*call);
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) return constructed(*construction);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) return initializer_list(*list);
  if (const auto* closure = llvm::dyn_cast<clang::LambdaExpr>(expression)) return lambda(*closure);
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
    const Node test = condition(choice->getCond());
    return fork(test, [&] { return value(choice->getTrueExpr()); }, [&] { return value(choice->getFalseExpr()); });
  }
  if (llvm::isa<clang::CXXScalarValueInitExpr, clang::ImplicitValueInitExpr>(expression)) {
    SymbolicValue result = zero(expression->getType());
    if (!result.is_undefined()) return result;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {  // a member of a temporary
    const SymbolicValue object = value(member->getBase());
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    const auto* record = field ? llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent()) : nullptr;
    const std::size_t index = record ? record->getNumBases() + field->getFieldIndex() : object.parts.size();
    if (index < object.parts.size()) return object.parts[index];
  }
  if (llvm::isa<clang::CXXThrowExpr>(expression)) {
    return refuse_failure(expression->getSourceRange(), "may throw an exception");
  }
  return refuse(expression->getSourceRange(),
                "contains an expression without a counterpart: " + std::string(expression->getStmtClassName()));
}

SymbolicValue ScalarEvaluator::cast(const clang::CastExpr& expression) {
  const clang::Expr* operand = expression.getSubExpr();
  switch (expression.getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_LValueToRValue:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
      return value(operand);
    case clang::CK_ToVoid:
      execute(operand);
      return {};
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_FloatingToBoolean:
    case clang::CK_FloatingCast:
    case clang::CK_BooleanToSignedIntegral:
    case clang::CK_LValueToRValueBitCast: {
      const auto type = scalar_type(expression.getType(), context_);
      const auto from = scalar_type(operand->getType(), context_);
      if (type && is_floating(*type) && !from && expression.getCastKind() == clang::CK_FloatingCast) {
        const SymbolicValue wide = value(operand);
        if (!wide.wide) break;
        llvm::APFloat rounded = *wide.wide;
        bool loses_digits = false;
        rounded.convert(context_.getFloatTypeSemantics(expression.getType()), llvm::APFloat::rmNearestTiesToEven,
                        &loses_digits);
        return constant(clang::APValue(rounded), expression.getType());
      }
      if (!type || !from) break;
      const Node result = number(operand);
      if (refusal_) return {};
      const bool keeps_bits = expression.getCastKind() == clang::CK_LValueToRValueBitCast;
      return SymbolicValue::number(keeps_bits ? builder_.bit_cast(result, *type) : builder_.cast(result, *type));
    }
    case clang::CK_UncheckedDerivedToBase:
    case clang::CK_DerivedToBase:
      return load(place(&expression), expression);
    case clang::CK_ArrayToPointerDecay:
      // Text, which no operation reads.
      if (llvm::isa<clang::StringLiteral>(bare(operand))) return SymbolicValue::object({});
      break;
    default:
      break;
  }
  return refuse(expression.getSourceRange(),
                "converts `" + operand->getType().getAsString() + "` to `" + expression.getType().getAsString() + "`");
}

SymbolicValue ScalarEvaluator::unary(const clang::UnaryOperator& expression) {
  const clang::Expr* operand = expression.getSubExpr();
  switch (expression.getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension:
      return value(operand);
    case clang::UO_Minus:
    case clang::UO_Not: {
      const Node result = number(operand);
      if (refusal_) return {};
      const bool is_minus = expression.getOpcode() == clang::UO_Minus;
      return SymbolicValue::number(builder_.make(is_minus ? ScalarOp::neg : ScalarOp::bit_not, {result}));
    }
    case clang::UO_LNot: {
      const Node result = condition(operand);
      return refusal_ ? SymbolicValue() : SymbolicValue::number(builder_.negation(result));
    }
    case clang::UO_PostInc:
    case clang::UO_PostDec: {
      const SymbolicValue before = load(place(operand), expression);
      increment(expression);
      return before;
    }
    default:
      return refuse(expression.getSourceRange(), "uses a pointer");
  }
}

SymbolicValue ScalarEvaluator::arithmetic(const clang::Expr& expression, clang::BinaryOperatorKind kind, Node left,
                                          Node right) {
  if (refusal_) return {};
  const auto op = operation_of(kind);
  if (!op) return refuse(expression.getSourceRange(), "uses `" + clang::BinaryOperator::getOpcodeStr(kind).str() + "`");
  if (kind == clang::BO_Shl || kind == clang::BO_Shr) right = builder_.cast(right, builder_.type_of(left));
  return SymbolicValue::number(builder_.make(*op, {left, right}));
}

SymbolicValue ScalarEvaluator::binary(const clang::BinaryOperator& expression) {
  const clang::Expr* left = expression.getLHS();
  const clang::Expr* right = expression.getRHS();
  const auto boolean = [&](const clang::Expr* side) {
    const Node result = condition(side);
    return refusal_ ? SymbolicValue() : SymbolicValue::number(result);
  };
  const auto known = [&](bool decision) { return SymbolicValue::number(builder_.constant(decision)); };
  switch (expression.getOpcode()) {
    case clang::BO_Comma:
      execute(left);
      return value(right);
    case clang::BO_LAnd:
      return fork(condition(left), [&] { return boolean(right); }, [&] { return known(false); });
    case clang::BO_LOr:
      return fork(condition(left), [&] { return known(true); }, [&] { return boolean(right); });
    default:
      break;
  }
  if (!scalar_type(left->getType(), context_) || !scalar_type(right->getType(), context_)) {
    return refuse(expression.getSourceRange(), "computes with `" + left->getType().getAsString() + "`");
  }
  const Node first = number(left);
  return arithmetic(expression, expression.getOpcode(), first, number(right));
}

ScalarPlace ScalarEvaluator::compound_assignment(const clang::CompoundAssignOperator& expression) {
  const auto computed = scalar_type(expression.getComputationLHSType(), context_);
  const auto type = scalar_type(expression.getType(), context_);
  const Node right = number(expression.getRHS());
  const ScalarPlace target = place(expression.getLHS());
  const SymbolicValue before = load(target, expression);
  if (refusal_) return {};
  if (!computed || !type || !before.is_number()) {
    refuse(expression.getSourceRange(), "computes with `" + expression.getType().getAsString() + "`");
    return {};
  }
  const auto kind = clang::BinaryOperator::getOpForCompoundAssignment(expression.getOpcode());
  const SymbolicValue result = arithmetic(expression, kind, builder_.cast(before.node, *computed), right);
  if (!refusal_) assign(target, SymbolicValue::number(builder_.cast(result.node, *type)), expression);
  return target;
}

ScalarPlace ScalarEvaluator::increment(const clang::UnaryOperator& expression) {
  const ScalarPlace target = place(expression.getSubExpr());
  const SymbolicValue before = load(target, expression);
  if (refusal_ || !before.is_number() || builder_.type_of(before.node) == ScalarType::boolean) {
    refuse(expression.getSourceRange(), "uses a pointer");
    return {};
  }
  const ScalarType type = builder_.type_of(before.node);
  const Node one = builder_.cast(builder_.constant(true), type);
  const ScalarOp op = expression.isIncrementOp() ? ScalarOp::add : ScalarOp::sub;
  assign(target, SymbolicValue::number(builder_.make(op, {before.node, one})), expression);
  return target;
}

SymbolicValue ScalarEvaluator::initializer_list(const clang::InitListExpr& expression) {
  const clang::InitListExpr& list =
      expression.isSemanticForm() || !expression.getSemanticForm() ? expression : *expression.getSemanticForm();
  const clang::QualType type = list.getType();
  if (scalar_type(type, context_)) return list.getNumInits() == 0 ? zero(type) : value(list.getInit(0));
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const auto* array = context_.getAsConstantArrayType(type);
  if ((!record || record->isUnion() || !record->hasTrivialDestructor()) && !array) {
    return refuse(list.getSourceRange(), "has a value of the type `" + type.getAsString() + "`");
  }
  std::vector<SymbolicValue> parts;
  for (const clang::Expr* init : list.inits()) {
    parts.push_back(init->isGLValue() ? SymbolicValue::reference(place(init)) : value(init));
  }
  while (array && parts.size() < array->getSize().getZExtValue()) {
    parts.push_back(list.getArrayFiller() ? value(list.getArrayFiller()) : zero(array->getElementType()));
  }
  return SymbolicValue::object(std::move(parts));
}

SymbolicValue ScalarEvaluator::lambda(const clang::LambdaExpr& expression) {
  std::vector<SymbolicValue> captures;
  for (const clang::Expr* init : expression.capture_inits()) {
    captures.push_back(init->isGLValue() ? SymbolicValue::reference(place(init)) : value(init));
  }
  return SymbolicValue::object(std::move(captures));
}

ScalarPlace ScalarEvaluator::variable(const clang::DeclRefExpr& expression) {
  const clang::ValueDecl* declaration = expression.getDecl();
  if (const auto found = frame().variables.find(declaration); found != frame().variables.end()) {
    return target_of(found->second);
  }
  if (const auto found = frame().captures.find(declaration); found != frame().captures.end() && frame().self) {
    return target_of(frame().self->part(found->second->getFieldIndex()));
  }
  const auto* constant_variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (constant_variable && constant_variable->getType().isConstQualified()) {
    const clang::VarDecl* definition = constant_variable->getDefinition(context_);
    const clang::APValue* known = definition ? definition->evaluateValue() : nullptr;
    SymbolicValue result = known ? constant(*known, definition->getType()) : SymbolicValue();
    if (!result.is_undefined()) return new_place(std::move(result));
  }
  refuse(expression.getSourceRange(), "reads `" + declaration->getNameAsString() + "`, which is not a constant");
  return {};
}

ScalarPlace ScalarEvaluator::place(const clang::Expr* expression) {
  if (refusal_) return {};
  expression = bare(expression);
  if (expression->containsErrors()) {
    refuse(expression->getSourceRange(), does_not_compile.str());
    return {};
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return variable(*reference);
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
    SymbolicValue result = value(temporary->getSubExpr());
    return new_place(std::move(result));
  }
  if (!expression->isGLValue()) {
    SymbolicValue result = value(expression);
    return new_place(std::move(result));
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    const auto* record = field ? llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent()) : nullptr;
    const clang::Expr* base = bare(member->getBase()->IgnoreParenImpCasts());
    const bool is_self = member->isArrow() && llvm::isa<clang::CXXThisExpr>(base) && frame().self;
    if (record && !record->isUnion() && (is_self || !member->isArrow())) {
      const ScalarPlace object = is_self ? *frame().self : place(member->getBase());
      return target_of(object.part(record->getNumBases() + field->getFieldIndex()));
    }
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(bare(element->getBase()));
    if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay) {
      const ScalarPlace array = place(decay->getSubExpr());
      const Node index = number(element->getIdx());
      if (refusal_) return {};
      if (builder_.is_constant(index)) return array.part(static_cast<unsigned>(builder_.value_of(index).bits));
      refuse(expression->getSourceRange(), "has an array index that depends on elements");
      return {};
    }
  }
  if (const auto* operation = llvm::dyn_cast<clang::CompoundAssignOperator>(expression)) {
    return compound_assignment(*operation);
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (operation->getOpcode() == clang::BO_Comma) {
      execute(operation->getLHS());
      return place(operation->getRHS());
    }
    if (operation->getOpcode() == clang::BO_Assign) {
      const SymbolicValue assigned = value(operation->getRHS());
      const ScalarPlace target = place(operation->getLHS());
      assign(target, assigned, *expression);
      return target;
    }
  }
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    const bool is_self = llvm::isa<clang::CXXThisExpr>(operation->getSubExpr()->IgnoreParenImpCasts());
    if (operation->getOpcode() == clang::UO_Deref && is_self && frame().self) return *frame().self;
    if (operation->isIncrementDecrementOp()) return increment(*operation);
  }
  if (const auto* operation = llvm::dyn_cast<clang::CastExpr>(expression)) {
    ScalarPlace result = place(operation->getSubExpr());
    if (operation->getCastKind() == clang::CK_NoOp) return result;
    const bool is_to_base = operation->getCastKind() == clang::CK_UncheckedDerivedToBase ||
                            operation->getCastKind() == clang::CK_DerivedToBase;
    if (is_to_base) {
      const clang::CXXRecordDecl* record = operation->getSubExpr()->getType()->getAsCXXRecordDecl();
      for (const clang::CXXBaseSpecifier* step : operation->path()) {
        unsigned index = 0;
        for (const clang::CXXBaseSpecifier& base : record->bases()) {
          if (context_.hasSameUnqualifiedType(base.getType(), step->getType())) break;
          ++index;
        }
        result = result.part(index);
        record = step->getType()->getAsCXXRecordDecl();
      }
      return result;
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    const SymbolicValue result = called(*call);
    if (result.kind == SymbolicValue::Kind::reference) return result.place;
    if (refusal_) return {};
    return new_place(result);
  }
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
    const Node test = condition(choice->getCond());
    if (refusal_) return {};
    if (builder_.is_constant(test))
      return place(builder_.is_true(test) ? choice->getTrueExpr() : choice->getFalseExpr());
    SymbolicValue selected = fork(
        test, [&] { return load(place(choice->getTrueExpr()), *expression); },
        [&] { return load(place(choice->getFalseExpr()), *expression); });
    const ScalarPlace result = new_place(std::move(selected));
    read_only_.push_back(result.cell);
    return result;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression); list && list->getNumInits() == 1) {
    return place(list->getInit(0));
  }
  refuse(expression->getSourceRange(),
         "contains an expression without a counterpart: " + std::string(expression->getStmtClassName()));
  return {};
}

}  // namespace structured::gen
