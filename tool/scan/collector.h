// Collects the annotated declarations of a translation unit while Clang parses it. Top-level declarations are
// looked at as they come: walking the whole unit would read a precompiled header into memory.
#pragma once

#include <memory>
#include <vector>

#include "clang/AST/DeclGroup.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "model/declaration.h"
#include "scan/attribute_watch.h"
#include "scan/declaration_builder.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

/// What one parse gave.
struct Collected {
  std::vector<Declaration> declarations;
  std::unique_ptr<SourceMap> map;  ///< lives no longer than the source manager of the parse
  /// An annotated declaration is invalid, or Clang's parser dropped it.
  bool lost_declarations = false;
};

class Collector final : public clang::SemaConsumer {
 public:
  /// `collected` and `root` must outlive the parse.
  Collector(clang::Preprocessor& preprocessor, const SourceRoot& root, Collected& collected);

  void InitializeSema(clang::Sema& sema) override;
  void ForgetSema() override;
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleTranslationUnit(clang::ASTContext& context) override;

 private:
  void visit(clang::Decl& declaration);
  void visit_inside(clang::DeclContext& context);
  void visit_function(clang::FunctionDecl& function);

  clang::Preprocessor& preprocessor_;
  const SourceRoot& root_;
  Collected& collected_;
  clang::Sema* sema_ = nullptr;
  std::vector<SeenAttribute> seen_;
  llvm::SmallPtrSet<const clang::Decl*, 32> visited_;
  std::vector<const clang::FunctionDecl*> functions_;  // of the collected declarations
  std::vector<clang::SourceLocation> used_keys_;
  std::unique_ptr<DeclarationBuilder> builder_;
};

}  // namespace structured::gen
