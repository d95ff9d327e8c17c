// Calls and objects in scalar functions.
#include <limits>
#include <utility>

#include "analysis/definitions.h"
#include "analysis/scalar_evaluator.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Builtins.h"
#include "clang/Sema/Sema.h"

namespace structured::gen {
namespace {

bool is_in_namespace(const clang::FunctionDecl& function, llvm::StringRef name) {
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(function.getDeclContext()->getEnclosingNamespaceContext());
  while (space && space->isInline()) space = llvm::dyn_cast<clang::NamespaceDecl>(space->getParent());
  return space && space->getName() == name;
}

/// Returns the name in <cmath> of a function that computes the same: those of the standard and of C, and those of a
/// namespace `math` for one floating-point type, whose bodies are implementations. Empty for others.
llvm::StringRef name_in_cmath(const clang::FunctionDecl& function, const clang::ASTContext& context) {
  if (!function.getDeclName().isIdentifier()) return {};
  llvm::StringRef name = function.getName();
  const bool is_global = function.getDeclContext()->getRedeclContext()->isTranslationUnit();
  if (function.getBuiltinID() != 0 || (function.isExternC() && is_global)) {
    name.consume_front("__builtin_");
    const bool is_float =
        function.getNumParams() > 0 && scalar_type(function.getParamDecl(0)->getType(), context) == ScalarType::float32;
    if (is_float) name.consume_back("f");
    return name;
  }
  if (function.isInStdNamespace()) return name;
  if (!is_in_namespace(function, "math") || function.getNumParams() == 0) return {};
  const auto type = scalar_type(function.getParamDecl(0)->getType(), context);
  if (!type || !is_floating(*type)) return {};
  const bool is_uniform = llvm::all_of(function.parameters(), [&](const clang::ParmVarDecl* parameter) {
    return scalar_type(parameter->getType(), context) == type;
  });
  const auto result = scalar_type(function.getReturnType(), context);
  return is_uniform && (result == type || result == ScalarType::boolean) ? name : llvm::StringRef();
}

/// The operation of that name of a function with `count` arguments.
std::optional<ScalarOp> operation_named(llvm::StringRef name, std::size_t count) {
  if (name == "abs") name = "fabs";
  if (name == "rint") name = "nearbyint";
  const auto op = find_scalar_op(name);
  const bool is_function = op && facts_of(*op).domain == ScalarDomain::floating && facts_of(*op).operands == count;
  return is_function ? op : std::nullopt;
}

}  // namespace

SymbolicValue ScalarEvaluator::argument(const clang::Expr* expression, clang::QualType parameter) {
  if (!parameter->isReferenceType()) return value(expression);
  ScalarPlace result = place(expression);
  return refusal_ ? SymbolicValue() : SymbolicValue::reference(std::move(result));
}

std::optional<SymbolicValue> ScalarEvaluator::operation(const clang::CallExpr& call,
                                                        const clang::FunctionDecl& function) {
  const llvm::StringRef name = name_in_cmath(function, context_);
  const auto result = scalar_type(call.getType(), context_);
  if (name.empty() || !result || call.getNumArgs() == 0) return std::nullopt;
  const auto first = scalar_type(call.getArg(0)->getType(), context_);
  if (!first) return std::nullopt;
  const auto operand = [&](unsigned index, ScalarType type) {
    const Node node = number(call.getArg(index));
    return refusal_ ? builder_.zero(type) : builder_.cast(node, type);
  };
  const auto of_node = [&](Node node) { return refusal_ ? SymbolicValue() : SymbolicValue::number(node); };
  if (name == "expect") return value(call.getArg(0));
  if (name == "abs" && is_integer(*result)) {
    const Node x = operand(0, *result);
    return of_node(builder_.select(builder_.make(ScalarOp::lt, {x, builder_.zero(*result)}),
                                   builder_.make(ScalarOp::neg, {x}), x));
  }
  const ScalarType tested = is_floating(*first) ? *first : ScalarType::float64;
  const auto infinity = [&] { return builder_.constant(*parse_scalar(tested, "inf")); };
  const auto magnitude = [&] { return builder_.make(ScalarOp::fabs, {operand(0, tested)}); };
  if (name == "isnan") {
    const Node x = operand(0, tested);
    return of_node(builder_.make(ScalarOp::ne, {x, x}));
  }
  if (name == "isinf") return of_node(builder_.make(ScalarOp::eq, {magnitude(), infinity()}));
  if (name == "isfinite") return of_node(builder_.make(ScalarOp::lt, {magnitude(), infinity()}));
  if (name == "signbit") {
    const ScalarType bits = tested == ScalarType::float32 ? ScalarType::int32 : ScalarType::int64;
    return of_node(builder_.make(ScalarOp::lt, {builder_.bit_cast(operand(0, tested), bits), builder_.zero(bits)}));
  }
  if (!is_floating(*result)) return std::nullopt;
  // An implementation of `1 + exp(x)` in one step.
  if (name == "one_plus_exp" && call.getNumArgs() == 1) {
    const Node one = builder_.cast(builder_.constant(1.0), *result);
    return of_node(builder_.make(ScalarOp::add, {one, builder_.make(ScalarOp::exp, {operand(0, *result)})}));
  }
  const auto op = operation_named(name, call.getNumArgs());
  if (!op) return std::nullopt;
  const Node a = operand(0, *result);
  if (call.getNumArgs() == 1) return of_node(builder_.make(*op, {a}));
  const Node b = operand(1, *result);
  if (call.getNumArgs() == 2) return of_node(builder_.make(*op, {a, b}));
  return of_node(builder_.make(*op, {a, b, operand(2, *result)}));
}

std::optional<SymbolicValue> ScalarEvaluator::of_optional(const clang::CallExpr& call,
                                                          const clang::CXXMethodDecl& method) {
  const auto* member_call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::Expr* object = member_call ? member_call->getImplicitObjectArgument() : call.getArg(0);
  clang::QualType contained;
  if (!is_optional(object->getType(), contained)) return std::nullopt;
  const ScalarPlace optional = place(object);
  const SymbolicValue parts = load(optional, call);
  if (refusal_ || parts.parts.size() != 2) return SymbolicValue();
  const bool is_star = method.getOverloadedOperator() == clang::OO_Star;
  const std::string name = method.getDeclName().isIdentifier() ? method.getName().str() : "";
  if (name == "has_value" || llvm::isa<clang::CXXConversionDecl>(&method)) return parts.parts[0];
  if (is_star || (name == "value" && builder_.is_true(parts.parts[0].node))) {
    return SymbolicValue::reference(optional.part(1));
  }
  if (name == "value") return refuse(call.getSourceRange(), "may throw an exception: the argument has no value");
  if (name == "value_or") {
    const auto type = scalar_type(contained, context_);
    if (!type) return refuse(call.getSourceRange(), "uses an optional value of another type than a number");
    const Node other = number(call.getArg(0));
    if (refusal_) return SymbolicValue();
    return merge(parts.parts[0].node, parts.parts[1], SymbolicValue::number(builder_.cast(other, *type)));
  }
  return refuse(call.getSourceRange(), "changes an optional value");
}

SymbolicValue ScalarEvaluator::called(const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (!function) return refuse(call.getSourceRange(), "calls a function through a pointer");
  if (function->isNoReturn()) {
    return refuse_failure(call.getSourceRange(), "may fail: calls `" + function->getQualifiedNameAsString() + "`");
  }
  if (auto result = known_call(call, *function)) return *result;
  if (auto result = operation(call, *function)) return *result;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  std::optional<ScalarPlace> self;
  unsigned first = 0;
  if (method && method->isInstance()) {
    if (auto result = of_optional(call, *method)) return *result;
    if (method->isVirtual()) return refuse(call.getSourceRange(), "calls a virtual function");
    const auto* member_call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    const clang::Expr* object = member_call ? member_call->getImplicitObjectArgument() : call.getArg(0);
    const bool is_this = llvm::isa<clang::CXXThisExpr>(object->IgnoreParenImpCasts());
    self = is_this && object->getType()->isPointerType() ? frame().self : place(object);
    first = member_call ? 0 : 1;
    if (refusal_) return {};
    if (method->isDefaulted() && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
      assign(*self, value(call.getArg(first)), call);
      return SymbolicValue::reference(*self);
    }
  }
  std::vector<SymbolicValue> arguments;
  for (unsigned i = first; i < call.getNumArgs() && i - first < function->getNumParams(); ++i) {
    arguments.push_back(argument(call.getArg(i), function->getParamDecl(i - first)->getType()));
    if (refusal_) return {};
  }
  if (call.getNumArgs() - first != function->getNumParams()) {
    return refuse(call.getSourceRange(), "calls a function with a variable number of arguments");
  }
  return run(*function, &call, std::move(self), std::move(arguments));
}

SymbolicValue ScalarEvaluator::default_object(const clang::CXXRecordDecl& record, const clang::Expr& use) {
  if (record.isUnion() || !record.getDefinition()) return refuse(use.getSourceRange(), "has a union");
  const auto default_of = [&](clang::QualType type) {
    const clang::CXXRecordDecl* inner = type->getAsCXXRecordDecl();
    return inner ? default_object(*inner, use) : SymbolicValue();
  };
  std::vector<SymbolicValue> parts;
  for (const clang::CXXBaseSpecifier& base : record.bases()) parts.push_back(default_of(base.getType()));
  for (clang::FieldDecl* field : record.fields()) {
    if (!field->hasInClassInitializer()) {
      parts.push_back(default_of(field->getType()));
      continue;
    }
    const clang::ExprResult init = sema_.BuildCXXDefaultInitExpr(use.getBeginLoc(), field);
    if (init.isInvalid()) return refuse(use.getSourceRange(), "has a member without a valid initialiser");
    parts.push_back(value(init.get()));
  }
  return SymbolicValue::object(std::move(parts));
}

SymbolicValue ScalarEvaluator::constructed(const clang::CXXConstructExpr& expression) {
  const clang::CXXConstructorDecl& constructor = *expression.getConstructor();
  const clang::CXXRecordDecl& record = *constructor.getParent();
  const unsigned count = expression.getNumArgs();
  if (auto result = known_object(expression)) return *result;
  if (record.hasDefinition() && !record.hasTrivialDestructor()) {
    return refuse(expression.getSourceRange(),
                  "makes an object of the type `" + record.getNameAsString() + "`, which has a destructor");
  }
  const bool copies = count > 0 && constructor.isCopyOrMoveConstructor() && constructor.isDefaulted();
  clang::QualType contained;
  if (is_optional(expression.getType(), contained)) {
    clang::QualType other;
    const clang::Expr* source = count == 1 ? expression.getArg(0) : nullptr;
    if (source && is_optional(source->getType(), other)) {
      if (context_.hasSameUnqualifiedType(contained, other)) return value(source);
    } else if (const auto type =
                   source ? scalar_type(source->getType().getNonReferenceType(), context_) : std::nullopt) {
      const auto target = scalar_type(contained, context_);
      const Node node = number(source);
      if (refusal_ || !target) return refuse(expression.getSourceRange(), "makes an optional value of another type");
      return SymbolicValue::object(
          {SymbolicValue::number(builder_.constant(true)), SymbolicValue::number(builder_.cast(node, *target))});
    } else if (const clang::CXXRecordDecl* class_of_source = source ? source->getType()->getAsCXXRecordDecl() : nullptr;
               !source || (class_of_source && class_of_source->getName() == "nullopt_t")) {
      return SymbolicValue::object({SymbolicValue::number(builder_.constant(false)), SymbolicValue()});
    }
    return refuse(expression.getSourceRange(), "makes an optional value of another type");
  }
  if (copies) return value(expression.getArg(0));
  if (constructor.isDefaultConstructor() && (constructor.isDefaulted() || constructor.isImplicit())) {
    return default_object(record, expression);
  }
  if (record.isUnion() || record.getNumVBases() > 0) {
    return refuse(expression.getSourceRange(), "makes an object of the type `" + record.getNameAsString() + "`");
  }
  std::vector<SymbolicValue> arguments;
  for (unsigned i = 0; i < count && i < constructor.getNumParams(); ++i) {
    arguments.push_back(argument(expression.getArg(i), constructor.getParamDecl(i)->getType()));
    if (refusal_) return {};
  }
  std::vector<SymbolicValue> parts(record.getNumBases() +
                                   static_cast<std::size_t>(std::distance(record.field_begin(), record.field_end())));
  const ScalarPlace self = new_place(SymbolicValue::object(std::move(parts)));
  run(constructor, &expression, self, std::move(arguments));
  return refusal_ ? SymbolicValue() : at(self);
}

}  // namespace structured::gen
