#include "scan/aten_headers.h"

#include <optional>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/Path.h"
#include "scan/clang_versions.h"
#include "scan/type_facts.h"

namespace structured::gen {
namespace {

class AtenHeadersConsumer final : public clang::SemaConsumer {
 public:
  AtenHeadersConsumer(const SourceRoot& root, AtenHeaders& headers) : root_(root), headers_(headers) {}

  void InitializeSema(clang::Sema& sema) override {
    map_.emplace(sema.getSourceManager(), sema.getLangOpts(), root_);
    types_.emplace(sema, *map_);
  }
  void ForgetSema() override { types_.reset(); }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
      const auto* at = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
      if (at && at->getName() == "at") visit_library(*at);
    }
  }

 private:
  void visit_library(const clang::NamespaceDecl& at) {
    for (const clang::Decl* declaration : at.decls()) {
      const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
      if (!inner) continue;
      for (const clang::Decl* member : inner->decls()) {
        const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(member);
        if (!record || !record->isThisDeclarationADefinition()) continue;
        if (inner->getName() == "_ops") add_operator(*record);
        if (inner->getName() == "meta") add_meta(*record);
      }
    }
  }

  /// Writes references as authors do: `const at::Tensor&`.
  CppType type(clang::QualType type) const {
    CppType result = types_->type(type, "");
    if (llvm::StringRef(result.written).ends_with(" &")) result.written.erase(result.written.size() - 2, 1);
    return result;
  }

  void add_operator(const clang::CXXRecordDecl& record) {
    AtenOperator op;
    op.name = record.getName().str();
    bool has_type = false;
    for (const clang::Decl* member : record.decls()) {
      if (const auto* alias = llvm::dyn_cast<clang::TypeAliasDecl>(member); alias && alias->getName() == "schema") {
        const auto* function = alias->getUnderlyingType()->getAs<clang::FunctionProtoType>();
        if (!function) continue;
        has_type = true;
        op.result = type(function->getReturnType());
        for (const clang::QualType each : function->param_types()) op.parameters.push_back(type(each));
      }
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(member);
      if (variable && variable->getName() == "schema_str" && variable->hasInit()) {
        const auto* text = llvm::dyn_cast<clang::StringLiteral>(variable->getInit()->IgnoreImpCasts());
        if (text) op.schema = text->getString().str();
      }
    }
    if (has_type && !op.schema.empty()) headers_.operators.push_back(std::move(op));
  }

  void add_meta(const clang::CXXRecordDecl& record) {
    llvm::StringRef name = record.getName();
    if (!name.consume_front("structured_")) return;
    for (const clang::CXXMethodDecl* method : record.methods()) {
      if (!method->getDeclName().isIdentifier() || method->getName() != "meta") continue;
      std::optional<ClassFact> base = types_->class_fact(type_of(record), method->getLocation());
      if (!base) return;
      AtenMeta meta;
      meta.name = name.str();
      meta.base = std::move(*base);
      meta.result = type(method->getReturnType());
      if (method->getReturnType()->isRecordType()) {
        meta.result_class = types_->class_fact(method->getReturnType(), method->getLocation());
      }
      for (const clang::ParmVarDecl* parameter : method->parameters()) {
        meta.parameters.push_back(type(parameter->getType()));
      }
      headers_.metas.push_back(std::move(meta));
      return;
    }
  }

  const SourceRoot& root_;
  AtenHeaders& headers_;
  std::optional<SourceMap> map_;
  std::optional<TypeFacts> types_;
};

}  // namespace

std::string aten_headers_source(llvm::vfs::FileSystem& files, llvm::ArrayRef<std::string> include_dirs) {
  std::set<std::string> metas;
  for (const std::string& folder : include_dirs) {
    std::error_code error;
    for (llvm::vfs::directory_iterator entry = files.dir_begin(folder + "/ATen/ops", error), end;
         !error && entry != end; entry.increment(error)) {
      const llvm::StringRef name = llvm::sys::path::filename(entry->path());
      if (name.ends_with("_meta.h")) metas.insert(name.str());
    }
    if (!metas.empty()) break;
  }
  std::string text = "#include <ATen/Operators.h>\n";
  for (const std::string& name : metas) text += "#include <ATen/ops/" + name + ">\n";
  return text;
}

std::unique_ptr<clang::ASTConsumer> AtenHeadersAction::CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) {
  return std::make_unique<AtenHeadersConsumer>(root_, headers_);
}

}  // namespace structured::gen
