// Expressions of meta functions, except calls.
#include <utility>

#include "analysis/shape_translator.h"
#include "analysis/variable_changes.h"
#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

std::string real_text(const llvm::APFloat& number) {
  llvm::APFloat wide = number;
  bool loses_digits = false;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses_digits);
  if (wide.isNaN()) return "nan";
  if (wide.isInfinity()) return wide.isNegative() ? "-inf" : "inf";
  llvm::SmallString<32> text;
  wide.toString(text, /*FormatPrecision=*/17);
  return text.str().str();
}

bool is_number(clang::QualType type) { return type->isArithmeticType() || type->isEnumeralType(); }

}  // namespace

ShapeTranslator::Node ShapeTranslator::enumerator(const clang::EnumDecl& type, const llvm::APSInt& value,
                                                  const clang::Expr& use) {
  std::string name;
  for (const clang::EnumConstantDecl* each : type.enumerators()) {
    if (llvm::APSInt::isSameValue(each->getInitVal(), value)) {
      name = each->getNameAsString();
      break;
    }
  }
  if (type.getName() == "ScalarType" || type.getName() == "MemoryFormat") {
    if (name.empty()) return refuse(use.getSourceRange(), "has a value that `" + type.getNameAsString() + "` lacks");
    return add(type.getName() == "ScalarType" ? ShapeOp::dtype : ShapeOp::memory_format, {}, name);
  }
  if (type.getName() == "Layout" || type.getName() == "DeviceType") return add(ShapeOp::text, {}, name);
  return add(ShapeOp::integer, {}, llvm::toString(value, 10));
}

std::optional<ShapeTranslator::Node> ShapeTranslator::folded(const clang::Expr& expression) {
  if (!is_number(expression.getType()) || expression.isValueDependent() || expression.isGLValue()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsRValue(result, context_) || result.HasSideEffects) return std::nullopt;
  if (result.Val.isFloat()) return add(ShapeOp::real, {}, real_text(result.Val.getFloat()));
  if (!result.Val.isInt()) return std::nullopt;
  const llvm::APSInt& number = result.Val.getInt();
  if (const auto* type = expression.getType()->getAs<clang::EnumType>()) {
    return enumerator(*type->getDecl(), number, expression);
  }
  if (expression.getType()->isBooleanType()) return add(number.isZero() ? ShapeOp::no : ShapeOp::yes);
  return add(ShapeOp::integer, {}, llvm::toString(number, 10));
}

/// A constant set of dtypes: the bit of each is its number.
std::optional<ShapeTranslator::Node> ShapeTranslator::folded_dtypes(const clang::Expr& expression) {
  if (shape_class(expression.getType()) != "DtypeSet" || expression.isValueDependent()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsConstantExpr(result, context_) || !result.Val.isStruct()) return std::nullopt;
  const uint64_t bits = result.Val.getStructField(0).getInt().getZExtValue();
  std::vector<Node> dtypes;
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if (bits >> dtype.number & 1) dtypes.push_back(add(ShapeOp::dtype, {}, dtype.name));
  }
  return add(ShapeOp::list, std::move(dtypes));
}

ShapeTranslator::Node ShapeTranslator::value(const clang::Expr* expression) {
  expression = without_wrapping(expression);
  if (refusal_) return 0;
  if (expression->containsErrors()) return refuse(expression->getSourceRange(), "does not compile");
  if (const auto known_value = folded(*expression)) return *known_value;
  if (const auto dtypes = folded_dtypes(*expression)) return *dtypes;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return variable(*reference);
  if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(expression)) return member(*part);
  if (const auto* operation = llvm::dyn_cast<clang::CastExpr>(expression)) return cast(*operation);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression)) return unary(*operation);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) return binary(*operation);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return called(*call);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) return constructed(*made);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) return initializer_list(*list);
  if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression)) {
    const auto* elements = llvm::dyn_cast<clang::InitListExpr>(without_wrapping(list->getSubExpr()));
    if (elements == nullptr) return add(ShapeOp::list);
    std::vector<Node> operands;
    for (const clang::Expr* each : elements->inits()) operands.push_back(value(each));
    return add(ShapeOp::list, std::move(operands));
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression)) {
    return closure(*lambda, declare_name(nullptr, "function"));
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    const Node test = value(choice->getCond());
    const Node yes = value(choice->getTrueExpr());
    return add(ShapeOp::choice, {test, yes, value(choice->getFalseExpr())});
  }
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(expression)) {
    return add(ShapeOp::text, {}, text->getString().str());
  }
  if (const auto* name = llvm::dyn_cast<clang::PredefinedExpr>(expression)) {
    return add(ShapeOp::text, {}, name->getFunctionName() ? name->getFunctionName()->getString().str() : "");
  }
  if (llvm::isa<clang::CXXThisExpr>(expression)) return add(ShapeOp::variable, {}, "self_");
  if (llvm::isa<clang::CXXNullPtrLiteralExpr>(expression)) return add(ShapeOp::none);
  if (llvm::isa<clang::CXXScalarValueInitExpr, clang::ImplicitValueInitExpr>(expression)) {
    return default_value(expression->getType(), expression);
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const Node list = value(element->getBase());
    return add(ShapeOp::element, {list, value(element->getIdx())});
  }
  return refuse(expression->getSourceRange(),
                "has an expression without a counterpart: " + std::string(expression->getStmtClassName()));
}

ShapeTranslator::Node ShapeTranslator::target(const clang::Expr* expression) {
  expression = without_wrapping(expression);
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  const bool is_place = llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(expression) ||
                        (call && (call->getOperator() == clang::OO_Subscript));
  const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression);
  const clang::FunctionDecl* callee = method ? method->getMethodDecl() : nullptr;
  if (callee && callee->getDeclName().isIdentifier() &&
      shape_class(method->getImplicitObjectArgument()->getType()) == "List" &&
      (callee->getName() == "front" || callee->getName() == "back")) {
    const Node list = value(method->getImplicitObjectArgument());
    return add(ShapeOp::element, {list, add(ShapeOp::integer, {}, callee->getName() == "front" ? "0" : "-1")});
  }
  if (!is_place) return refuse(expression->getSourceRange(), "assigns to an object that is not a variable");
  return value(expression);
}

ShapeTranslator::Node ShapeTranslator::variable(const clang::DeclRefExpr& expression) {
  const clang::ValueDecl* declaration = expression.getDecl();
  if (const auto place = frame().places.find(declaration); place != frame().places.end()) return place->second;
  if (const auto found = frame().names.find(declaration); found != frame().names.end()) {
    return add(ShapeOp::variable, {}, found->second);
  }
  const auto* constant = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (constant && constant->getType().getCanonicalType().getAsString().find("nullopt_t") != std::string::npos) {
    return add(ShapeOp::none);
  }
  if (constant && is_number(constant->getType()) && constant->isUsableInConstantExpressions(context_)) {
    clang::Expr::EvalResult result;
    if (expression.EvaluateAsRValue(result, context_) && result.Val.isInt()) {
      if (const auto* type = constant->getType()->getAs<clang::EnumType>()) {
        return enumerator(*type->getDecl(), result.Val.getInt(), expression);
      }
      return add(ShapeOp::integer, {}, llvm::toString(result.Val.getInt(), 10));
    }
  }
  const bool is_fixed =
      constant && constant->getAnyInitializer() && (constant->getType().isConstQualified() || constant->isConstexpr());
  if (is_fixed) return value(constant->getAnyInitializer());
  return refuse(expression.getSourceRange(),
                "uses `" + declaration->getQualifiedNameAsString() + "`, which is not a constant");
}

ShapeTranslator::Node ShapeTranslator::member(const clang::MemberExpr& expression) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(expression.getMemberDecl());
  if (field == nullptr) {
    const auto* constant = llvm::dyn_cast<clang::VarDecl>(expression.getMemberDecl());
    if (constant && constant->getAnyInitializer() && constant->getType().isConstQualified()) {
      return value(constant->getAnyInitializer());
    }
    return refuse(expression.getSourceRange(),
                  "uses the member `" + expression.getMemberDecl()->getNameAsString() + "`");
  }
  const Node object = value(expression.getBase());
  if (shape_class(expression.getBase()->getType()) == "Tuple") {
    return add(ShapeOp::element, {object, add(ShapeOp::integer, {}, field->getName() == "first" ? "0" : "1")});
  }
  return add(ShapeOp::member, {object}, field->getNameAsString());
}

ShapeTranslator::Node ShapeTranslator::cast(const clang::CastExpr& expression) {
  const clang::Expr* operand = expression.getSubExpr();
  switch (expression.getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_LValueToRValue:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
    case clang::CK_IntegralCast:
    case clang::CK_FloatingCast:
    case clang::CK_BooleanToSignedIntegral:
    case clang::CK_ArrayToPointerDecay:
    case clang::CK_FunctionToPointerDecay:
      return value(operand);
    case clang::CK_IntegralToBoolean: {
      const Node number = value(operand);
      return add(ShapeOp::binary, {number, add(ShapeOp::integer, {}, "0")}, "!=");
    }
    case clang::CK_IntegralToFloating:
      return known("as_real", {value(operand)});
    case clang::CK_NullToPointer:
      return add(ShapeOp::none);
    case clang::CK_PointerToBoolean:
      return known("is_given", {value(operand)});
    case clang::CK_FloatingToIntegral:
      return known("as_integer", {value(operand)});
    default:
      return refuse(expression.getSourceRange(), "converts `" + operand->getType().getAsString() + "` to `" +
                                                     expression.getType().getAsString() + "`");
  }
}

ShapeTranslator::Node ShapeTranslator::unary(const clang::UnaryOperator& expression) {
  const clang::Expr* operand = expression.getSubExpr();
  switch (expression.getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension:
      return value(operand);
    case clang::UO_Minus:
      return add(ShapeOp::unary, {value(operand)}, "-");
    case clang::UO_Not:
      return add(ShapeOp::unary, {value(operand)}, "~");
    case clang::UO_LNot:
      return add(ShapeOp::unary, {value(operand)}, "!");
    case clang::UO_Deref:
      if (expression.getType()->isRecordType()) return value(operand);  // a pointer to an object is the object
      break;
    case clang::UO_AddrOf:
      if (operand->getType()->isRecordType()) return value(operand);
      break;
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec: {
      const Node before = value(operand);
      const Node one = add(ShapeOp::integer, {}, "1");
      const Node after = stored(operand, add(ShapeOp::binary, {before, one}, expression.isIncrementOp() ? "+" : "-"));
      if (expression.isPrefix()) return after;
      return add(ShapeOp::binary, {after, one}, expression.isIncrementOp() ? "-" : "+");
    }
    default:
      break;
  }
  return refuse(expression.getSourceRange(), "uses a pointer");
}

/// Assigns within an expression, which Python can do for variables only.
ShapeTranslator::Node ShapeTranslator::stored(const clang::Expr* variable, Node value) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(without_wrapping(variable));
  const auto found = reference ? frame().names.find(reference->getDecl()) : frame().names.end();
  if (found == frame().names.end()) {
    return refuse(variable->getSourceRange(), "assigns within an expression to an object that is not a variable");
  }
  note_assignment(variable);
  return add(ShapeOp::store, {value}, found->second);
}

ShapeTranslator::Node ShapeTranslator::arithmetic(clang::BinaryOperatorKind kind, clang::QualType type, Node left,
                                                  Node right, const clang::Expr& use) {
  const std::string op = clang::BinaryOperator::getOpcodeStr(kind).str();
  if (kind == clang::BO_Div && type->isFloatingType()) return known("divided", {left, right});
  if (kind == clang::BO_Cmp) return refuse(use.getSourceRange(), "uses `<=>`");
  return add(ShapeOp::binary, {left, right}, op);
}

ShapeTranslator::Node ShapeTranslator::binary(const clang::BinaryOperator& expression) {
  const clang::Expr* left = expression.getLHS();
  const clang::Expr* right = expression.getRHS();
  if (expression.getOpcode() == clang::BO_Assign) return stored(left, value(right));
  if (expression.isCompoundAssignmentOp()) {
    const auto kind = clang::BinaryOperator::getOpForCompoundAssignment(expression.getOpcode());
    const Node before = value(left);
    return stored(left, arithmetic(kind, expression.getType(), before, value(right), expression));
  }
  if (expression.isCommaOp() || expression.isPtrMemOp()) {
    return refuse(expression.getSourceRange(), "uses `" + expression.getOpcodeStr().str() + "`");
  }
  const Node first = value(left);
  if (expression.isLogicalOp()) {  // a known operand decides, or is left out
    const ShapeNode known_first = refusal_ ? ShapeNode() : frame().function.nodes[static_cast<std::size_t>(first)];
    if (known_first.op == ShapeOp::yes || known_first.op == ShapeOp::no) {
      const bool decides = (known_first.op == ShapeOp::yes) == (expression.getOpcode() == clang::BO_LOr);
      return decides ? first : value(right);
    }
  }
  return arithmetic(expression.getOpcode(), expression.getType(), first, value(right), expression);
}

ShapeTranslator::Node ShapeTranslator::initializer_list(const clang::InitListExpr& list) {
  const clang::InitListExpr& expression =
      list.isSemanticForm() || !list.getSemanticForm() ? list : *list.getSemanticForm();
  const clang::QualType type = expression.getType();
  if (expression.isTransparent()) return value(expression.getInit(0));
  const auto elements = [&] {
    std::vector<Node> operands;
    for (const clang::Expr* each : expression.inits()) operands.push_back(value(each));
    return add(ShapeOp::list, std::move(operands));
  };
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    if (expression.getNumInits() < array->getSize().getZExtValue()) {
      return refuse(expression.getSourceRange(), "has an array that is initialized in part");
    }
    return elements();
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr) {
    return expression.getNumInits() == 1 ? value(expression.getInit(0)) : default_value(type, &expression);
  }
  if (shape_class(type) == "List") {  // std::array has one member
    if (expression.getNumInits() == 0) return default_value(type, &expression);
    const auto* inner = llvm::dyn_cast<clang::InitListExpr>(without_wrapping(expression.getInit(0)));
    return inner ? initializer_list(*inner) : elements();
  }
  if (record->getNumBases() > 0 || record->isUnion()) {
    return refuse(expression.getSourceRange(), "makes an object of the class `" + record->getNameAsString() + "`");
  }
  std::vector<Node> fields;
  unsigned index = 0;
  for (const clang::FieldDecl* field : record->fields()) {
    if (index == expression.getNumInits()) break;
    fields.push_back(add(ShapeOp::field, {value(expression.getInit(index++))}, field->getNameAsString()));
  }
  return add(ShapeOp::record, std::move(fields));
}

ShapeTranslator::Node ShapeTranslator::constructed(const clang::CXXConstructExpr& expression) {
  const clang::CXXConstructorDecl& constructor = *expression.getConstructor();
  const clang::QualType type = expression.getType();
  const llvm::StringRef kind = shape_class(type);
  std::vector<const clang::Expr*> written;
  for (const clang::Expr* each : expression.arguments()) {
    if (!llvm::isa<clang::CXXDefaultArgExpr>(each)) written.push_back(each);
  }
  const bool is_list = kind == "List";
  if (constructor.isCopyOrMoveConstructor() && written.size() == 1) {
    const Node original = value(written[0]);
    const bool is_shared = constructor.isCopyConstructor() && !without_wrapping(written[0])->isPRValue();
    const bool is_mutable = is_list ? owns_elements(type) : kind.empty() || kind == "Tuple";
    return is_shared && is_mutable ? known("copy", {original}) : original;
  }
  if (written.empty()) {
    return default_value(type, &expression);
  }
  if (is_list) {
    const auto first = shape_position(written[0]);
    const auto second = written.size() == 2 ? shape_position(written[1]) : std::nullopt;
    if (first && second && second->is_end && !first->is_end) return between(*first, *second);
    if (written.size() == 2 && written[0]->getType()->isIntegerType()) {
      const Node count = value(written[0]);
      return known("filled", {count, value(written[1])});
    }
    const clang::QualType from = written[0]->getType();
    if (written.size() == 1 && shape_class(from) == "List") {
      const Node list = value(written[0]);
      return owns_elements(type) && !llvm::isa<clang::CXXStdInitializerListExpr>(without_wrapping(written[0]))
                 ? known("copy", {list})
                 : list;
    }
    if (written.size() == 1 && from->isConstantArrayType()) return value(written[0]);
    if (written.size() == 1 && from->isIntegerType() && owns_elements(type)) {
      const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
      if (record != nullptr && record->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type) {
        const Node count = value(written[0]);
        return known("filled", {count, default_value(record->getTemplateArgs()[0].getAsType(), &expression)});
      }
    }
    if (written.size() == 1 && !owns_elements(type)) return add(ShapeOp::list, {value(written[0])});
  } else if (kind == "Tuple") {
    std::vector<Node> operands;
    for (const clang::Expr* each : written) operands.push_back(value(each));
    return add(ShapeOp::list, std::move(operands));
  } else if (!kind.empty() && written.size() == 1) {  // Optional, Scalar, String, Options of a value
    if (kind != "Options") return value(written[0]);
  } else if (written.size() == 1 && type->getAsCXXRecordDecl()->getName() == "SymInt") {
    return value(written[0]);
  }
  return refuse(expression.getSourceRange(),
                "makes an object of the class `" + type.getUnqualifiedType().getAsString() + "`");
}

ShapeTranslator::Node ShapeTranslator::default_value(clang::QualType type, const clang::Expr* use) {
  const clang::SourceRange place = use ? use->getSourceRange() : clang::SourceRange();
  type = type.getNonReferenceType();
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    return add(enumeration->getDecl()->getName() == "ScalarType" ? ShapeOp::none : ShapeOp::integer, {},
               enumeration->getDecl()->getName() == "ScalarType" ? "" : "0");
  }
  if (type->isBooleanType()) return add(ShapeOp::no);
  if (type->isIntegerType()) return add(ShapeOp::integer, {}, "0");
  if (type->isFloatingType()) return add(ShapeOp::real, {}, "0.0");
  if (type->isPointerType()) return add(ShapeOp::none);
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    const Node count = add(ShapeOp::integer, {}, llvm::toString(array->getSize(), 10, false));
    return known("filled", {count, default_value(array->getElementType(), use)});
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const llvm::StringRef kind = shape_class(type);
  if (kind == "Tensor" || kind == "Optional") return add(ShapeOp::none);
  if (kind == "String") return add(ShapeOp::text);
  if (kind == "List") {
    const auto* array = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    if (array && array->getQualifiedNameAsString() == "std::array") {
      const Node count = add(ShapeOp::integer, {}, llvm::toString(array->getTemplateArgs()[1].getAsIntegral(), 10));
      return known("filled", {count, default_value(array->getTemplateArgs()[0].getAsType(), use)});
    }
    return add(ShapeOp::list);
  }
  const clang::CXXRecordDecl* definition = record ? record->getDefinition() : nullptr;
  if (!kind.empty() || definition == nullptr || definition->getNumBases() > 0 || definition->isUnion() ||
      definition->hasUserProvidedDefaultConstructor()) {
    return refuse(place, "makes an object of the type `" + type.getUnqualifiedType().getAsString() + "`");
  }
  std::vector<Node> fields;
  for (const clang::FieldDecl* field : definition->fields()) {
    const clang::Expr* init = field->getInClassInitializer();
    const Node initial = init ? value(init) : default_value(field->getType(), use);
    fields.push_back(add(ShapeOp::field, {initial}, field->getNameAsString()));
  }
  return add(ShapeOp::record, std::move(fields));
}

ShapeTranslator::Node ShapeTranslator::closure(const clang::LambdaExpr& expression, std::string name) {
  const clang::CXXMethodDecl* body = expression.getCallOperator();
  if (clang::FunctionTemplateDecl* generic = expression.getDependentCallOperator()) {
    const auto instances = generic->specializations();
    const bool is_one = std::distance(instances.begin(), instances.end()) == 1;
    body = is_one ? llvm::dyn_cast<clang::CXXMethodDecl>(*instances.begin()) : nullptr;
  }
  if (body == nullptr || body->getBody() == nullptr) {
    return refuse(expression.getSourceRange(), "has a lambda that is called with several types");
  }
  for (const clang::LambdaCapture& capture : expression.captures()) {
    const clang::ValueDecl* captured = capture.capturesVariable() ? capture.getCapturedVar() : nullptr;
    if (captured == nullptr) continue;
    if (captured->isInitCapture()) {
      const auto* made = llvm::cast<clang::VarDecl>(captured);
      const Node initial = value(made->getInit());
      emit(ShapeOp::set, {add(ShapeOp::variable, {}, declare_name(made, made->getName())), initial});
    } else if (capture.getCaptureKind() == clang::LCK_ByCopy && !captured->getType().isConstQualified() &&
               frame().changes->is_changed(captured)) {
      return refuse(capture.getLocation(), "captures a copy of `" + captured->getNameAsString() + "`, which changes");
    }
  }
  frame().closures.emplace_back();
  frame().outer.emplace_back();
  std::vector<std::string> parameters;
  std::vector<const clang::Expr*> loops = std::exchange(frame().increments, {});
  const bool was_in_case = std::exchange(frame().is_in_case, false);
  Node statements = block([&] {
    for (const clang::ParmVarDecl* parameter : body->parameters()) {
      parameters.push_back(declare_name(parameter, parameter->getName()));
    }
    execute(body->getBody());
  });
  frame().is_in_case = was_in_case;
  frame().increments = std::move(loops);
  frame().closures.pop_back();
  if (!frame().outer.back().empty()) {
    std::vector<Node> whole;
    for (const std::string& each : frame().outer.back()) whole.push_back(add(ShapeOp::outer, {}, each));
    whole.push_back(statements);
    statements = add(ShapeOp::block, std::move(whole));
  }
  frame().outer.pop_back();
  std::string text;
  for (const std::string& each : parameters) text += (text.empty() ? "" : ",") + each;
  const Node function = add(ShapeOp::function, {statements}, text);
  emit(ShapeOp::set, {add(ShapeOp::variable, {}, name), function});
  return add(ShapeOp::variable, {}, std::move(name));
}

}  // namespace structured::gen
