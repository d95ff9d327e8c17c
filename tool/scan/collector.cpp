#include "scan/collector.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "scan/scan_findings.h"

namespace structured::gen {

Collector::Collector(clang::Preprocessor& preprocessor, const SourceRoot& root, BodyCallback analyze_body,
                     Collected& collected)
    : preprocessor_(preprocessor), root_(root), analyze_body_(analyze_body), collected_(collected) {
  watch_attributes(preprocessor_, seen_);
  watch_skipped_branches(preprocessor_, skipped_);
}

void Collector::InitializeSema(clang::Sema& sema) {
  sema_ = &sema;
  collected_.map = std::make_unique<SourceMap>(sema.getSourceManager(), sema.getLangOpts(), root_);
  builder_ = std::make_unique<DeclarationBuilder>(sema, *collected_.map);
}

void Collector::ForgetSema() {
  builder_.reset();
  sema_ = nullptr;
}

bool Collector::HandleTopLevelDecl(clang::DeclGroupRef group) {
  // Most declarations come from headers without annotations; they need no visit before the first attribute.
  if (seen_.known.empty() || !builder_) return true;
  for (clang::Decl* declaration : group) visit(*declaration);
  return true;
}

void Collector::visit(clang::Decl& declaration) {
  if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
    visit_function(*function);
  } else if (auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
    visit_function(*function_template->getTemplatedDecl());
  } else if (auto* class_template = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration)) {
    visit_inside(*class_template->getTemplatedDecl());
  } else if (auto* friendship = llvm::dyn_cast<clang::FriendDecl>(&declaration)) {
    if (clang::NamedDecl* named = friendship->getFriendDecl()) visit(*named);
  } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl, clang::CXXRecordDecl>(
                 declaration)) {
    visit_inside(*llvm::cast<clang::DeclContext>(&declaration));
  }
}

void Collector::visit_inside(clang::DeclContext& context) {
  for (clang::Decl* inner : context.noload_decls()) visit(*inner);
}

void Collector::visit_function(clang::FunctionDecl& function) {
  if (clang::isTemplateInstantiation(function.getTemplateSpecializationKind()))
    return;  // its template is visited instead
  if (!function.hasAttrs() &&
      llvm::none_of(function.parameters(), [](const clang::ParmVarDecl* parameter) { return parameter->hasAttrs(); })) {
    return;
  }
  std::vector<CarriedAttribute> attributes = builder_->attributes(function);
  bool is_annotated = !attributes.empty();
  for (const CarriedAttribute& attribute : attributes) used_keys_.push_back(attribute.key);
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    for (const CarriedAttribute& attribute : builder_->attributes(*parameter)) {
      is_annotated = true;
      used_keys_.push_back(attribute.key);
    }
  }
  if (!is_annotated || !visited_.insert(&function).second) return;
  collected_.declarations.push_back(builder_->build(function));
  functions_.push_back(&function);
  if (collected_.declarations.back().is_invalid) collected_.lost_declarations = true;
}

bool Collector::shouldSkipFunctionBody(clang::Decl* declaration) {
  if (!may_skip_) return true;
  const clang::SourceManager& sources = preprocessor_.getSourceManager();
  clang::SourceLocation place = declaration->getLocation();
  if (!place.isFileID() || !sources.isInMainFile(place)) return false;
  // A function without a visible body may do anything, so facts about its callers do not change.
  const clang::FunctionDecl* function = declaration->getAsFunction();
  if (function && builder_->attributes(*function).empty()) return true;
  return may_skip_(sources.getFileOffset(place));
}

FunctionExtent Collector::extent_of(const clang::FunctionDecl& function) const {
  const clang::SourceManager& sources = preprocessor_.getSourceManager();
  clang::SourceRange range = function.getSourceRange();
  bool is_here = function.getLocation().isFileID() && range.getBegin().isFileID() && range.getEnd().isFileID() &&
                 sources.isInMainFile(function.getLocation());
  if (!is_here) return {};
  return {sources.getFileOffset(function.getLocation()), sources.getFileOffset(range.getBegin()),
          sources.getFileOffset(range.getEnd()) + 1, function.hasSkippedBody(),
          function.getPreviousDecl() || function.isReferenced()};
}

void Collector::HandleTranslationUnit(clang::ASTContext&) {
  preprocessor_.setTokenWatcher(nullptr);
  if (collected_.map) {
    collected_.skipped = skipped_annotations(skipped_, *collected_.map);
    for (const clang::Token& token : seen_.misspelt) {
      auto range = clang::CharSourceRange::getCharRange(token.getLocation(), token.getEndLoc());
      collected_.misspelt.push_back({token.getIdentifierInfo()->getName().str(), {}, collected_.map->range(range)});
    }
  }
  // Ends of bodies are known only after they have been parsed.
  for (const clang::FunctionDecl* function : functions_) collected_.extents.push_back(extent_of(*function));
  const bool has_errors = preprocessor_.getDiagnostics().hasErrorOccurred();
  // Bodies are analyzed at the end of the source, as they may call functions that are defined later.
  for (std::size_t i = 0; analyze_body_ && sema_ && i < functions_.size(); ++i) {
    Declaration& declaration = collected_.declarations[i];
    if (!declaration.is_invalid) analyze_body_(*functions_[i], *sema_, *collected_.map, declaration);
  }
  llvm::sort(used_keys_);
  for (const SeenAttribute& attribute : seen_.known) {
    if (std::binary_search(used_keys_.begin(), used_keys_.end(), attribute.key)) continue;
    if (has_errors) {
      collected_.lost_declarations = true;  // the parser has reported why
    } else {
      report_finding(preprocessor_.getDiagnostics(), misplaced_attribute_kind, attribute.place,
                     clang::CharSourceRange::getTokenRange(attribute.place),
                     "`structured::" + attribute.name +
                         "` belongs on a function at namespace scope or on its parameters, found elsewhere");
    }
  }
}

}  // namespace structured::gen
