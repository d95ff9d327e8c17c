// Collects the annotated declarations of a translation unit while Clang parses it. Top-level declarations are
// looked at as they come: walking the whole unit would read a precompiled header into memory.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "clang/AST/DeclGroup.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "model/declaration.h"
#include "scan/attribute_watch.h"
#include "scan/body_callback.h"
#include "scan/declaration_builder.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

/// Where a function stands in the source that is parsed, in bytes from its beginning.
struct FunctionExtent {
  unsigned name = 0;
  unsigned begin = 0;
  unsigned end = 0;  ///< 0: it stands elsewhere
  bool has_skipped_body = false;
  bool is_named_elsewhere = false;  ///< declared before, or used
};

/// What one parse gave.
struct Collected {
  std::vector<Declaration> declarations;
  std::vector<FunctionExtent> extents;  ///< one for each declaration
  std::unique_ptr<SourceMap> map;       ///< lives no longer than the source manager of the parse
  /// An annotated declaration is invalid, or Clang's parser dropped it.
  bool lost_declarations = false;
};

class Collector final : public clang::SemaConsumer {
 public:
  /// `collected` and `root` must outlive the parse. `analyze_body` may be null.
  Collector(clang::Preprocessor& preprocessor, const SourceRoot& root, BodyCallback analyze_body, Collected& collected);

  void InitializeSema(clang::Sema& sema) override;
  void ForgetSema() override;
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleTranslationUnit(clang::ASTContext& context) override;

  /// Which bodies the parser leaves out where the frontend lets it leave out any, by the offset of the function's name
  /// in the source. Without that, all of them.
  void skip_bodies(std::function<bool(unsigned)> may_skip) { may_skip_ = std::move(may_skip); }
  bool shouldSkipFunctionBody(clang::Decl* declaration) override;

 private:
  FunctionExtent extent_of(const clang::FunctionDecl& function) const;
  void visit(clang::Decl& declaration);
  void visit_inside(clang::DeclContext& context);
  void visit_function(clang::FunctionDecl& function);

  clang::Preprocessor& preprocessor_;
  const SourceRoot& root_;
  BodyCallback analyze_body_;
  Collected& collected_;
  clang::Sema* sema_ = nullptr;
  std::vector<SeenAttribute> seen_;
  llvm::SmallPtrSet<const clang::Decl*, 32> visited_;
  std::vector<const clang::FunctionDecl*> functions_;  // of the collected declarations
  std::vector<clang::SourceLocation> used_keys_;
  std::function<bool(unsigned)> may_skip_;
  std::unique_ptr<DeclarationBuilder> builder_;
};

}  // namespace structured::gen
