// Functions, names and nodes.
#include "analysis/shape_translator.h"

#include <utility>

#include "analysis/bare_expression.h"
#include "analysis/definitions.h"
#include "analysis/variable_changes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSwitch.h"

namespace structured::gen {
namespace {

llvm::StringRef word_of(llvm::StringRef qualified_name) {
  return llvm::StringSwitch<llvm::StringRef>(qualified_name)
      .Cases("at::TensorBase", "at::Tensor", "structured::Tensor", "structured::RankedTensor", "torch::stable::Tensor",
             "Tensor")
      .Case("structured::ScalarTypeSet", "DtypeSet")
      .Cases("at::impl::MetaBase", "structured::MetaBase", "structured::torch_stable::MetaBase", "MetaBase")
      .Cases("c10::TensorOptions", "structured::TensorOptions", "structured::torch_stable::Options", "Options")
      .Cases("c10::Scalar", "structured::Scalar", "Scalar")
      .Cases("c10::OptionalArrayRef", "structured::OptionalIntArrayRef", "std::optional", "c10::optional", "Optional")
      .Cases("c10::ArrayRef", "c10::HeaderOnlyArrayRef", "torch::headeronly::HeaderOnlyArrayRef", "c10::IListRef",
             "structured::ArrayRef", "List")
      .Cases("std::initializer_list", "std::span", "c10::IntegerRange", "c10::integer_iterator", "List")
      .Cases("c10::SmallVectorBase", "c10::SmallVectorTemplateCommon", "structured::DimVector", "std::vector",
             "std::array", "List")
      .Cases("std::basic_string", "std::basic_string_view", "c10::basic_string_view", "String")
      .Cases("std::pair", "std::tuple", "Tuple")
      .Default("");
}

/// Calls `visit` for the class and its bases until it returns true.
bool find_base(const clang::CXXRecordDecl& record, llvm::function_ref<bool(const clang::CXXRecordDecl&)> visit) {
  if (visit(record)) return true;
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr) return false;
  for (const clang::CXXBaseSpecifier& base : definition->bases()) {
    const clang::CXXRecordDecl* inner = base.getType()->getAsCXXRecordDecl();
    if (inner != nullptr && find_base(*inner, visit)) return true;
  }
  return false;
}

}  // namespace

llvm::StringRef shape_class(clang::QualType type) {
  llvm::StringRef result;
  if (const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl()) {
    find_base(*record, [&](const clang::CXXRecordDecl& each) {
      result = word_of(each.getQualifiedNameAsString());
      return !result.empty();
    });
  }
  return result;
}

bool owns_elements(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && find_base(*record, [](const clang::CXXRecordDecl& each) {
           const std::string name = each.getQualifiedNameAsString();
           return name == "c10::SmallVectorBase" || name == "c10::SmallVectorTemplateCommon" ||
                  name == "structured::DimVector" || name == "std::vector" || name == "std::array";
         });
}

const clang::Expr* without_wrapping(const clang::Expr* expression) {
  while (true) {
    const clang::Expr* inner = bare(expression);
    if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner)) inner = made->getSubExpr();
    if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(inner)) {
      inner = rewritten->getSemanticForm();
    }
    if (inner == expression) return expression;
    expression = inner;
  }
}

/// The variables that a block declares; their names are free again at its end.
class ShapeTranslator::Scope {
 public:
  explicit Scope(Frame& frame) : frame_(frame), used_(frame.used) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { frame_.used = std::move(used_); }

 private:
  Frame& frame_;
  std::set<std::string> used_;
};

ShapeTranslator::ShapeTranslator(clang::Sema& sema) : sema_(sema), context_(sema.getASTContext()) {}
ShapeTranslator::~ShapeTranslator() = default;

void ShapeTranslator::translate(const clang::FunctionDecl& function) { function_name(function); }

std::string ShapeTranslator::function_name(const clang::FunctionDecl& function) {
  const auto [found, is_new] = function_names_.try_emplace(function.getCanonicalDecl());
  std::string& name = found->second;
  if (!is_new) return name;
  name = function.getNameInfo().getName().isIdentifier() ? function.getName().str() : "function";
  const auto is_taken = [&](const std::string& wanted) {
    return llvm::any_of(function_names_,
                        [&](const auto& known) { return &known != &*found && known.second == wanted; });
  };
  const std::string base = name;
  for (unsigned i = 2; is_taken(name); ++i) name = base + "_" + std::to_string(i);

  const clang::FunctionDecl* definition = definition_of(function, sema_);
  if (definition == nullptr) {
    refuse(function.getSourceRange(), "has no body that is visible");
    return name;
  }
  frames_.push_back(std::make_unique<Frame>());
  frame().function.name = name;
  frame().changes = std::make_unique<VariableChanges>(*definition->getBody());
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition); method && method->isInstance()) {
    frame().used.insert("self_");
    frame().function.parameters.emplace_back("self_");
  }
  for (const clang::ParmVarDecl* parameter : definition->parameters()) {
    frame().function.parameters.push_back(declare_name(parameter, parameter->getName()));
  }
  block_of(definition->getBody());
  functions_.push_back(std::move(frame().function));
  frames_.pop_back();
  return name;
}

ShapeTranslator::Node ShapeTranslator::refuse(clang::SourceRange range, std::string reason) {
  if (!refusal_) refusal_ = {std::move(reason), range};
  return add(ShapeOp::none);
}

ShapeTranslator::Node ShapeTranslator::add(ShapeOp op, std::vector<Node> operands, std::string text) {
  std::vector<ShapeNode>& nodes = frame().function.nodes;
  nodes.push_back({op, std::move(text), std::move(operands)});
  return static_cast<Node>(nodes.size()) - 1;
}

ShapeTranslator::Node ShapeTranslator::known(llvm::StringRef name, std::vector<Node> operands) {
  return add(ShapeOp::known, std::move(operands), name.str());
}

void ShapeTranslator::emit(ShapeOp op, std::vector<Node> operands, std::string text) {
  frame().statements->push_back(add(op, std::move(operands), std::move(text)));
}

std::string ShapeTranslator::declare_name(const clang::ValueDecl* variable, llvm::StringRef wanted) {
  const std::string base = wanted.empty() ? "unnamed" : wanted.str();
  std::string name = base;
  for (unsigned i = 2; !frame().used.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  if (variable != nullptr) {
    frame().names[variable] = name;
    if (!frame().closures.empty()) frame().closures.back().insert(variable);
  }
  return name;
}

ShapeTranslator::Node ShapeTranslator::block(llvm::function_ref<void()> statements) {
  const Scope scope(frame());
  std::vector<Node> own;
  std::vector<Node>* const outer = std::exchange(frame().statements, &own);
  statements();
  frame().statements = outer;
  return add(ShapeOp::block, std::move(own));
}

ShapeTranslator::Node ShapeTranslator::block_of(const clang::Stmt* statement) {
  return block([&] { execute(statement); });
}

}  // namespace structured::gen
