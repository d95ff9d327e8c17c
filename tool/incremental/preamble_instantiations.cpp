#include "incremental/preamble_instantiations.h"

#include <optional>
#include <set>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "scan/clang_versions.h"

namespace structured::gen {
namespace {

/// Templates that functions take and return, and that are not specialized for types declared in headers.
constexpr llvm::StringLiteral known_templates[] = {"optional", "pair",     "tuple",
                                                   "vector",   "ArrayRef", "OptionalArrayRef"};
constexpr llvm::StringLiteral known_namespaces[] = {"std", "structured", "c10", "at"};

class NamedTypes {
 public:
  NamedTypes(clang::Sema& sema, llvm::StringRef text) : sema_(sema), context_(sema.Context), text_(text) {}

  void instantiate() {
    find_namespaces();
    for (std::size_t at = text_.find('<'); at != llvm::StringRef::npos; at = text_.find('<', at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (clang::isAsciiIdentifierContinue(text_[begin - 1]) || text_[begin - 1] == ':')) --begin;
      if (!llvm::is_contained(known_templates, text_.slice(begin, at).rsplit(':').second)) continue;
      rest_ = text_.drop_front(begin);
      read_type();
    }
  }

 private:
  clang::NamedDecl* look_up(clang::DeclContext* place, llvm::StringRef name) {
    clang::LookupResult found(sema_, &context_.Idents.get(name), clang::SourceLocation(),
                              clang::Sema::LookupOrdinaryName);
    found.suppressDiagnostics();
    return sema_.LookupQualifiedName(found, place) ? found.getAsSingle<clang::NamedDecl>() : nullptr;
  }

  /// Looks up a qualified name in the namespaces that the text opens or uses.
  clang::NamedDecl* resolve(llvm::StringRef qualified) {
    for (clang::DeclContext* place : namespaces_) {
      clang::NamedDecl* result = nullptr;
      llvm::StringRef left = qualified;
      while (!left.empty()) {
        auto [name, after] = left.split("::");
        left = after;
        result = look_up(place, name);
        if (!result) break;
        clang::NamedDecl* underlying = result->getUnderlyingDecl();
        if (left.empty()) return underlying;
        auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(underlying);
        if (!inner) break;
        place = inner;
      }
    }
    return nullptr;
  }

  void find_namespaces() {
    namespaces_.push_back(context_.getTranslationUnitDecl());
    constexpr llvm::StringLiteral keyword = "namespace ";
    for (std::size_t at = text_.find(keyword); at != llvm::StringRef::npos; at = text_.find(keyword, at + 1)) {
      rest_ = text_.drop_front(at + keyword.size());
      // The last components may be declared inside others.
      clang::DeclContext* found = nullptr;
      for (llvm::StringRef name = take_name(); !found && !name.empty();) {
        found = llvm::dyn_cast_or_null<clang::NamespaceDecl>(resolve(name));
        std::size_t outer = name.rfind("::");
        name = name.take_front(outer == llvm::StringRef::npos ? 0 : outer);
      }
      for (; found && !llvm::is_contained(namespaces_, found); found = found->getParent()) namespaces_.push_back(found);
    }
  }

  llvm::StringRef take_name() {
    rest_ = rest_.ltrim();
    rest_.consume_front("::");
    llvm::StringRef name = rest_.take_while([](char c) { return clang::isAsciiIdentifierContinue(c) || c == ':'; });
    rest_ = rest_.drop_front(name.size());
    return name;
  }

  bool consume(char c) {
    rest_ = rest_.ltrim();
    bool is_there = rest_.starts_with(llvm::StringRef(&c, 1));
    if (is_there) rest_ = rest_.drop_front();
    return is_there;
  }

  /// Parses a type at the beginning of `rest_` and completes it. Returns null if that fails.
  clang::QualType read_type() {
    rest_ = rest_.ltrim();
    bool is_const = rest_.consume_front("const ");
    llvm::StringRef name = take_name();
    clang::QualType type = builtin(name);
    if (type.isNull()) {
      clang::NamedDecl* declaration = name.empty() ? nullptr : resolve(name);
      if (auto* pattern = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(declaration)) {
        type = read_specialisation(*pattern);
      } else if (auto* named = llvm::dyn_cast_or_null<clang::TypeDecl>(declaration)) {
        type = context_.getTypeDeclType(named);
      }
    }
    if (type.isNull() || type->isDependentType() || !sema_.isCompleteType(clang::SourceLocation(), type)) return {};
    if (is_const) type = type.withConst();
    return consume('&') ? context_.getLValueReferenceType(type) : type;
  }

  clang::QualType builtin(llvm::StringRef name) const {
    if (name == "bool") return context_.BoolTy;
    if (name == "double") return context_.DoubleTy;
    if (name == "float") return context_.FloatTy;
    if (name == "int") return context_.IntTy;
    return {};
  }

  clang::QualType read_specialisation(clang::ClassTemplateDecl& pattern) {
    auto* around = llvm::dyn_cast<clang::NamespaceDecl>(pattern.getDeclContext());
    while (around && around->isInline()) around = llvm::dyn_cast<clang::NamespaceDecl>(around->getParent());
    bool is_known = around && llvm::is_contained(known_namespaces, around->getName()) &&
                    llvm::is_contained(known_templates, pattern.getName());
    if (!is_known || !consume('<')) return {};
    clang::TemplateArgumentListInfo arguments;
    do {
      clang::QualType argument = read_type();
      if (argument.isNull()) return {};
      arguments.addArgument(
          clang::TemplateArgumentLoc(argument, context_.getTrivialTypeSourceInfo(argument, pattern.getLocation())));
    } while (consume(','));
    if (!consume('>')) return {};
    clang::SourceLocation place = pattern.getLocation();
    clang::QualType type = specialization_type(sema_, clang::TemplateName(&pattern), place, arguments);
    if (type.isNull() || !sema_.isCompleteType(place, type)) return {};
    if (seen_.insert(type.getCanonicalType().getAsOpaquePtr()).second) initialise(type, pattern, arguments);
    return type;
  }

  /// Resolves the constructors that arguments, default arguments and return statements need.
  void initialise(clang::QualType type, clang::ClassTemplateDecl& pattern,
                  const clang::TemplateArgumentListInfo& arguments) {
    std::vector<clang::QualType> values{type};
    if (pattern.getName() == "optional") {
      values.push_back(arguments[0].getArgument().getAsType());
      auto* none = llvm::dyn_cast_or_null<clang::ValueDecl>(look_up(pattern.getDeclContext(), "nullopt"));
      if (none) values.push_back(none->getType());
    }
    clang::InitializedEntity entity = clang::InitializedEntity::InitializeTemporary(type);
    for (clang::QualType value : values) {
      for (clang::ExprValueKind kind : {clang::VK_LValue, clang::VK_XValue}) {
        clang::SourceLocation place = pattern.getLocation();
        auto* expression = new (context_) clang::OpaqueValueExpr(place, value.getNonReferenceType(), kind);
        sema_.PerformCopyInitialization(entity, place, expression);
      }
    }
  }

  clang::Sema& sema_;
  clang::ASTContext& context_;
  llvm::StringRef text_;
  llvm::StringRef rest_;
  std::vector<clang::DeclContext*> namespaces_;
  std::set<void*> seen_;
};

}  // namespace

bool instantiate_named_types(clang::Sema& sema, llvm::StringRef text) {
  clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
  clang::DiagnosticErrorTrap trap(diagnostics);
  diagnostics.setSuppressAllDiagnostics(true);
  NamedTypes(sema, text).instantiate();
  diagnostics.setSuppressAllDiagnostics(false);
  return !trap.hasErrorOccurred();
}

}  // namespace structured::gen
