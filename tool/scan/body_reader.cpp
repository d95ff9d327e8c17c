#include "scan/body_reader.h"

#include <algorithm>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "scan/output_paths.h"
#include "scan/path_conditions.h"

namespace structured::gen {
namespace {

bool is_tensor(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "Tensor";
}

const clang::ParmVarDecl* parameter_of(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  return reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
}

llvm::StringRef name_of(const clang::NamedDecl* declaration) {
  return declaration && declaration->getIdentifier() ? declaration->getName() : llvm::StringRef();
}

// Whether an expression is a matter of shapes and dtypes.
class ShapeReader {
 public:
  explicit ShapeReader(const ChangedVariables& changed) : changed_(changed) {}

  bool reads_shapes_only(const clang::Stmt* statement) {
    if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(statement)) {
      const clang::ParmVarDecl* object = parameter_of(call->getImplicitObjectArgument());
      if (object && is_tensor(object->getType())) {
        if (!is_shape_query(name_of(call->getMethodDecl()))) return false;
        tensors.insert(object->getNameAsString());
        return children(call->arguments());
      }
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return reads(*reference->getDecl());
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
        expression && is_tensor(expression->getType())) {
      return false;  // a tensor that is not a parameter, or is handed on as a whole
    }
    return children(statement->children());
  }

  std::set<std::string> tensors;

 private:
  static bool is_shape_query(llvm::StringRef name) {
    constexpr llvm::StringLiteral queries[] = {
        "dim", "dtype", "is_complex", "is_floating_point", "ndimension", "numel", "scalar_type", "size", "sizes"};
    return llvm::is_contained(queries, name);
  }

  template <class Range>
  bool children(const Range& range) {
    return llvm::all_of(range, [&](const clang::Stmt* child) { return !child || reads_shapes_only(child); });
  }

  bool reads(const clang::ValueDecl& declaration) {
    if (llvm::isa<clang::FunctionDecl, clang::EnumConstantDecl>(declaration)) return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
    if (!variable || changed_.contains(variable)) return false;
    if (llvm::isa<clang::ParmVarDecl>(variable)) return !is_tensor(variable->getType());
    if (!variable->hasLocalStorage()) return variable->getType().isConstQualified();
    return variable->getInit() && reads_shapes_only(variable->getInit());
  }

  const ChangedVariables& changed_;
};

class BodyVisitor : public clang::RecursiveASTVisitor<BodyVisitor> {
 public:
  BodyVisitor(clang::ASTContext& context, const SourceMap& map, const ChangedVariables& changed, BodyFacts& facts)
      : context_(context), map_(map), changed_(changed), facts_(facts) {}

  bool VisitCallExpr(clang::CallExpr* call) {
    read_helper(*call);
    if (helper_depth_ > 0) return true;
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
      constexpr llvm::StringLiteral resizing[] = {"resize_", "resize_as_", "set_"};
      if (llvm::is_contained(resizing, name_of(member->getMethodDecl()))) {
        add_change(HandleChange::Kind::resizes, member->getImplicitObjectArgument(), *call);
      }
    } else if (call->getNumArgs() > 0) {
      constexpr llvm::StringLiteral resizing[] = {"resize_output", "resize_strided", "resize_", "resize"};
      if (llvm::is_contained(resizing, name_of(call->getDirectCallee()))) {
        add_change(HandleChange::Kind::resizes, call->getArg(0), *call);
      }
    }
    return true;
  }

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (helper_depth_ == 0 && call->getOperator() == clang::OO_Equal)
      add_change(HandleChange::Kind::assigns, call->getArg(0), *call);
    return true;
  }

  bool VisitIfStmt(clang::IfStmt* statement) {
    const clang::SourceLocation place = statement->getIfLoc();
    if (!place.isMacroID()) return true;
    const llvm::StringRef macro =
        clang::Lexer::getImmediateMacroName(place, context_.getSourceManager(), context_.getLangOpts());
    if (macro == "STRUCTURED_CHECK" || macro.starts_with("TORCH_CHECK")) add_precondition(*statement->getCond());
    return true;
  }

 private:
  // A helper's demands are its caller's; functions of headers are too many to read.
  void read_helper(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    const clang::FunctionDecl* definition = nullptr;
    if (!callee || !callee->hasBody(definition) || definition->isDependentContext() ||
        !context_.getSourceManager().isInMainFile(
            context_.getSourceManager().getExpansionLoc(definition->getLocation())) ||
        !helpers_.insert(definition).second) {
      return;
    }
    ++helper_depth_;
    TraverseStmt(definition->getBody());
    --helper_depth_;
  }

  void add_change(HandleChange::Kind kind, const clang::Expr* object, const clang::Expr& whole) {
    const clang::ParmVarDecl* parameter = parameter_of(object);
    if (parameter && is_tensor(parameter->getType())) {
      facts_.handle_changes.push_back({kind, parameter->getNameAsString(), map_.range(whole.getSourceRange())});
    }
  }

  // Inside `!(condition)`, with what a compiler may be told of its likelihood around it.
  static const clang::Expr& demanded(const clang::Expr& condition) {
    const clang::Expr* expression = condition.IgnoreParenCasts();
    while (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      if (name_of(call->getDirectCallee()) != "__builtin_expect") break;
      expression = call->getArg(0)->IgnoreParenCasts();
    }
    const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(expression);
    return negation && negation->getOpcode() == clang::UO_LNot ? *negation->getSubExpr()->IgnoreParenImpCasts()
                                                               : *expression;
  }

  void add_precondition(const clang::Expr& condition) {
    const clang::Expr& demand = demanded(condition);
    const clang::SourceManager& sources = context_.getSourceManager();
    const clang::SourceRange written(sources.getFileLoc(demand.getBeginLoc()), sources.getFileLoc(demand.getEndLoc()));
    const clang::CharSourceRange in_file = map_.in_file(written);
    ShapeReader reader(changed_);
    Precondition precondition;
    precondition.reads_shapes_only = reader.reads_shapes_only(&demand) && !reader.tensors.empty();
    precondition.text = folded(map_.text(in_file));
    precondition.range = map_.range(in_file);
    precondition.is_in_helper = helper_depth_ > 0;
    precondition.tensors.assign(reader.tensors.begin(), reader.tensors.end());
    facts_.preconditions.push_back(std::move(precondition));
  }

  static std::string folded(llvm::StringRef text) {
    std::string result;
    for (const char c : text) {
      if (!llvm::isSpace(c)) {
        result += c;
      } else if (!result.empty() && result.back() != ' ') {
        result += ' ';
      }
    }
    return result;
  }

  clang::ASTContext& context_;
  const SourceMap& map_;
  const ChangedVariables& changed_;
  BodyFacts& facts_;
  unsigned helper_depth_ = 0;
  llvm::SmallPtrSet<const clang::FunctionDecl*, 8> helpers_;
};

void add_outputs(const clang::FunctionDecl& function, clang::ASTContext& context, const SourceMap& map,
                 BodyFacts& facts) {
  if (function.getNumParams() == 0) return;
  const clang::ParmVarDecl& base = *function.getParamDecl(0);
  const clang::QualType type = base.getType();
  if (!type->isLValueReferenceType() || type.getNonReferenceType().isConstQualified() || is_tensor(type)) return;
  const auto paths = output_paths(function, base, context);
  if (!paths) return;
  std::set<std::int64_t> indices;
  for (const PathEffect& path : *paths) {
    for (const auto& [index, setting] : path.outputs) indices.insert(index);
  }
  const auto token = [&](clang::SourceLocation location) { return map.range(clang::SourceRange(location, location)); };
  for (const std::int64_t index : indices) {
    OutputFact fact{index, std::nullopt, std::nullopt};
    for (const PathEffect& path : *paths) {
      const auto found = path.outputs.find(index);
      if (found == path.outputs.end()) {
        if (!path.may_set_any && !fact.unset_at) fact.unset_at = token(path.end);
      } else if (found->second.count > 1 && !fact.set_twice) {
        fact.set_twice = SecondSetting{map.range(found->second.first), map.range(found->second.second)};
      }
    }
    facts.outputs.push_back(std::move(fact));
  }
  const auto silent = llvm::find_if(*paths, [](const PathEffect& path) { return !path.may_set_any; });
  if (silent != paths->end()) facts.others_unset_at = token(silent->end);
}

}  // namespace

std::optional<BodyFacts> read_body(const clang::FunctionDecl& function, clang::ASTContext& context,
                                   const SourceMap& map) {
  if (!function.isThisDeclarationADefinition() || !function.getBody() || function.isDependentContext() ||
      function.hasSkippedBody()) {
    return std::nullopt;
  }
  BodyFacts facts;
  const ChangedVariables changed(*function.getBody());
  BodyVisitor(context, map, changed, facts).TraverseStmt(function.getBody());
  add_outputs(function, context, map, facts);
  return facts;
}

}  // namespace structured::gen
