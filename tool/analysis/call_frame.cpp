#include "analysis/call_frame.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace structured::gen {

bool holds_tensors(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record) return false;
  if (name_of(record).contains("Tensor")) return true;  // ATen's OptionalTensorRef, ITensorListRef
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (!specialization) return false;
  for (const clang::TemplateArgument& argument : specialization->getTemplateArgs().asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Type && holds_tensors(argument.getAsType())) return true;
  }
  return false;
}

CallFrame::CallFrame(SymbolicExprContext& exprs, const clang::ASTContext& context,
                     const clang::FunctionDecl& definition, const clang::FunctionDecl& declaration)
    : exprs_(exprs),
      context_(context),
      definition_(definition),
      changes_(*definition.getBody()),
      builder_(exprs, context, *this) {
  for (unsigned i = 0; i < definition.getNumParams(); ++i) {
    const clang::ParmVarDecl& parameter = *definition.getParamDecl(i);
    const clang::QualType type = parameter.getType();
    const std::string name = declaration.getParamDecl(i)->getNameAsString();
    Reads reads;
    if (holds_tensors(type) && !name_of(type.getNonReferenceType()->getAsCXXRecordDecl()).contains("Iterator")) {
      reads = {true, true, {name}};
    } else if (type->isPointerType() || (type->isReferenceType() && !type.getNonReferenceType().isConstQualified())) {
      reads = Reads::anything();
    }
    values_[&parameter] =
        exprs.opaque({name, type.getNonReferenceType()->isBooleanType(), type->isUnsignedIntegerType(), reads});
    if (is_tensor(type)) handles_[&parameter] = name;
  }
}

CallFrame::CallFrame(CallFrame& caller, const clang::FunctionDecl& definition, const clang::CallExpr& call)
    : exprs_(caller.exprs_),
      context_(caller.context_),
      definition_(definition),
      caller_(&caller),
      changes_(*definition.getBody()),
      builder_(exprs_, context_, *this) {
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::ParmVarDecl* parameter = definition.getParamDecl(i);
    values_[parameter] = caller.evaluate(call.getArg(i));
    if (!parameter->getType()->isReferenceType()) continue;
    if (const auto name = caller.handle(call.getArg(i))) handles_[parameter] = *name;
  }
}

std::optional<std::string> CallFrame::handle(const clang::Expr* expression) const {
  const clang::ValueDecl* variable = variable_of(expression);
  for (unsigned steps = 0; variable && steps < 16; ++steps) {
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
      const auto found = handles_.find(parameter);
      return found == handles_.end() ? std::nullopt : std::optional<std::string>(found->second);
    }
    const auto* local = llvm::dyn_cast<clang::VarDecl>(variable);
    if (!local || !local->getType()->isReferenceType() || !local->getInit()) return std::nullopt;
    variable = variable_of(local->getInit());
  }
  return std::nullopt;
}

const SymbolicExpr* CallFrame::variable(const clang::ValueDecl& variable) {
  const bool is_bool = variable.getType().getNonReferenceType()->isBooleanType();
  if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable)) {
    const auto found = values_.find(parameter);
    const bool is_known = found != values_.end() && (!changes_.is_changed(parameter) || found->second->reads.is_tensor);
    return is_known ? found->second : exprs_.unknown(is_bool);
  }
  const auto* named = llvm::dyn_cast<clang::VarDecl>(&variable);
  if (!named || changes_.is_changed(named)) return exprs_.unknown(is_bool);
  if (named->hasLocalStorage()) return named->getInit() ? builder_.build(named->getInit()) : exprs_.unknown(is_bool);
  if (!named->getType().isConstQualified()) return exprs_.unknown(is_bool);
  return exprs_.opaque({named->getQualifiedNameAsString(), is_bool, false, {}});
}

}  // namespace structured::gen
