#include "scan/attribute_registration.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "language/attributes.h"
#include "scan/attribute_codec.h"
#include "scan/scan_findings.h"

namespace structured::gen {
namespace {

using Spelling = clang::ParsedAttrInfo::Spelling;

bool is_misplaced(clang::Sema& sema, const clang::ParsedAttr& attribute, const char* expected, const char* found) {
  report_finding(
      sema.getDiagnostics(), misplaced_attribute_kind, attribute.getLoc(),
      clang::CharSourceRange::getTokenRange(attribute.getRange()),
      "`structured::" + attribute.getAttrName()->getName() + "` belongs on " + expected + ", found on " + found);
  return true;
}

/// Returns the noun for a declaration in a message.
const char* describe(const clang::Decl& declaration) {
  if (llvm::isa<clang::ParmVarDecl>(declaration)) return "a parameter";
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
    return function->isLocalExternDecl() ? "a declaration inside a function" : "a function";
  }
  if (llvm::isa<clang::FieldDecl>(declaration)) return "a data member";
  if (llvm::isa<clang::VarDecl>(declaration)) return "a variable";
  if (llvm::isa<clang::TagDecl>(declaration)) return "a type";
  if (llvm::isa<clang::TypedefNameDecl>(declaration)) return "a type alias";
  if (llvm::isa<clang::NamespaceDecl>(declaration)) return "a namespace";
  return "another declaration";
}

/// Registers all attributes of one target. They differ in name only; Clang does not interpret them.
template <AttributeTarget target>
struct AttributeInfo final : clang::ParsedAttrInfo {
  static constexpr bool is_for_function = target == AttributeTarget::function;
  static constexpr const char* expected =
      is_for_function ? "a function at namespace scope" : "a parameter of a function";

  AttributeInfo() {
    static const std::vector<Spelling> spellings = [] {
      std::vector<Spelling> result;
      for (const AttributeSpec& spec : attribute_table()) {
        if (spec.target == target) result.push_back({clang::ParsedAttr::AS_CXX11, spec.scoped_name.data()});
      }
      return result;
    }();
    Spellings = spellings;
    OptArgs = 15;  // unlimited
  }

  bool diagAppertainsToDecl(clang::Sema& sema, const clang::ParsedAttr& attribute,
                            const clang::Decl* declaration) const override {
    if constexpr (is_for_function) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (function && !function->isLocalExternDecl()) return true;
    } else {
      if (llvm::isa<clang::ParmVarDecl>(declaration)) return true;
    }
    return !is_misplaced(sema, attribute, expected, describe(*declaration));
  }

  bool diagAppertainsToStmt(clang::Sema& sema, const clang::ParsedAttr& attribute, const clang::Stmt*) const override {
    return !is_misplaced(sema, attribute, expected, "a statement");
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* declaration,
                                   const clang::ParsedAttr& attribute) const override {
    return attach_attribute(sema, *declaration, attribute) ? AttributeApplied : AttributeNotApplied;
  }
};

/// Clang looks up the *unscoped* name to decide whether to parse or to skip the arguments of an attribute. These
/// spellings make it parse them; attributes written without a scope stay unknown.
struct ArgumentParsing final : clang::ParsedAttrInfo {
  ArgumentParsing() {
    static const std::vector<Spelling> spellings = [] {
      std::vector<Spelling> result;
      for (const AttributeSpec& spec : attribute_table()) {
        result.push_back({clang::ParsedAttr::AS_CXX11, spec.name().data()});
      }
      return result;
    }();
    Spellings = spellings;
    OptArgs = 15;
  }

  bool diagAppertainsToDecl(clang::Sema& sema, const clang::ParsedAttr& attribute, const clang::Decl*) const override {
    return ignore(sema, attribute);
  }
  bool diagAppertainsToStmt(clang::Sema& sema, const clang::ParsedAttr& attribute, const clang::Stmt*) const override {
    return ignore(sema, attribute);
  }

 private:
  static bool ignore(clang::Sema& sema, const clang::ParsedAttr& attribute) {
    sema.Diag(attribute.getLoc(), clang::diag::warn_unknown_attribute_ignored) << attribute << attribute.getRange();
    return false;
  }
};

}  // namespace

void register_attributes() {
  using Registry = clang::ParsedAttrInfoRegistry;
  static const Registry::Add<AttributeInfo<AttributeTarget::function>> functions("structured-function", "");
  static const Registry::Add<AttributeInfo<AttributeTarget::parameter>> parameters("structured-parameter", "");
  static const Registry::Add<ArgumentParsing> argument_parsing("structured-argument-parsing", "");
}

}  // namespace structured::gen
