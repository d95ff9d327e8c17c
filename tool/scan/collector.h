// Collects the annotated declarations of a translation unit while Clang parses it. Visits top-level declarations as
// they are parsed: a walk over the whole unit would deserialize the precompiled header.
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
#include "scan/skipped_branches.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

/// Byte offsets of a function in the main source file.
struct FunctionExtent {
  unsigned name = 0;
  unsigned begin = 0;
  unsigned end = 0;  ///< 0 if the function is in another file
  bool has_skipped_body = false;
  bool is_named_elsewhere = false;  ///< declared before, or referenced
};

/// Result of one parse.
struct Collected {
  std::vector<Declaration> declarations;
  std::vector<FunctionExtent> extents;  ///< one for each declaration
  std::vector<Attribute> skipped;       ///< see Fragment::skipped
  std::vector<Attribute> misspelt;      ///< see Fragment::misspelt
  std::unique_ptr<SourceMap> map;       ///< refers to the source manager of the parse
  /// Whether an annotated declaration is invalid or was discarded by the parser.
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

  /// Has uses of C++20 modules reported, which a compilation with the plugin may contain but a scan may not.
  void reject_modules() { watch_attributes(preprocessor_, seen_, /*rejects_modules=*/true); }

  /// Sets a predicate on the offset of a function's name in the source: whether the parser may skip its body. Without
  /// one, all bodies may be skipped. The frontend option SkipFunctionBodies must be set.
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
  SeenAttributes seen_;
  std::vector<clang::SourceRange> skipped_;
  llvm::SmallPtrSet<const clang::Decl*, 32> visited_;
  std::vector<const clang::FunctionDecl*> functions_;  // one for each collected declaration
  std::vector<clang::SourceLocation> used_keys_;
  std::function<bool(unsigned)> may_skip_;
  std::unique_ptr<DeclarationBuilder> builder_;
};

}  // namespace structured::gen
