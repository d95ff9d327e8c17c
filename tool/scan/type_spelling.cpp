#include "scan/type_spelling.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TemplateBase.h"
#include "llvm/Support/JSON.h"

namespace structured::gen {
namespace {

std::string print_name(const clang::NamedDecl& declaration, const clang::PrintingPolicy& policy) {
  std::string name;
  llvm::raw_string_ostream out(name);
  declaration.printQualifiedName(out, policy);
  return llvm::json::fixUTF8(name);
}

class Speller {
 public:
  explicit Speller(clang::ASTContext& context) : context_(context) {}

  /// `type` must be canonical.
  std::string spell(clang::QualType type) {
    if (const auto* reference = llvm::dyn_cast<clang::ReferenceType>(type)) {
      return with_suffix(spell(reference->getPointeeType()), type->isLValueReferenceType() ? "&" : "&&");
    }
    const auto* pointer = llvm::dyn_cast<clang::PointerType>(type);
    if (pointer && !pointer->getPointeeType()->isFunctionType() && !pointer->getPointeeType()->isArrayType()) {
      std::string result = with_suffix(spell(pointer->getPointeeType()), "*");
      return type.hasLocalQualifiers() ? result + type.getLocalQualifiers().getAsString() : result;
    }
    if (const auto* tag = llvm::dyn_cast<clang::TagType>(type)) {
      std::string qualifiers = type.getLocalQualifiers().getAsString();
      if (!qualifiers.empty()) qualifiers += ' ';
      return qualifiers + spell(*tag->getDecl());
    }
    return type.getAsString(policy_);
  }

 private:
  static std::string with_suffix(std::string inner, llvm::StringRef suffix) {
    bool is_declarator = !inner.empty() && (inner.back() == '*' || inner.back() == '&');
    return inner + (is_declarator ? "" : " ") + suffix.str();
  }

  std::string spell(const clang::TagDecl& declaration) {
    std::string result = print_name(declaration, policy_);
    const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration);
    if (!special) return result;
    const clang::TemplateParameterList* parameters = special->getSpecializedTemplate()->getTemplateParameters();
    llvm::ArrayRef<clang::TemplateArgument> arguments = special->getTemplateArgs().asArray();
    while (!arguments.empty() && arguments.size() <= parameters->size() &&
           arguments.back().getKind() != clang::TemplateArgument::Pack &&
           clang::isSubstitutedDefaultArgument(context_, arguments.back(),
                                               parameters->getParam(static_cast<unsigned>(arguments.size() - 1)),
                                               arguments, parameters->getDepth())) {
      arguments = arguments.drop_back();
    }
    std::string list;
    for (const clang::TemplateArgument& argument : arguments) append(argument, list);
    return result + "<" + list + ">";
  }

  void append(const clang::TemplateArgument& argument, std::string& list) {
    if (argument.getKind() == clang::TemplateArgument::Pack) {
      for (const clang::TemplateArgument& element : argument.pack_elements()) append(element, list);
      return;
    }
    if (!list.empty()) list += ", ";
    if (argument.getKind() == clang::TemplateArgument::Type) {
      list += spell(argument.getAsType().getCanonicalType());
    } else {
      llvm::raw_string_ostream out(list);
      argument.print(policy_, out, /*IncludeType=*/false);
    }
  }

  clang::ASTContext& context_;
  clang::PrintingPolicy policy_ = printing_policy();
};

}  // namespace

clang::PrintingPolicy printing_policy() {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus20 = true;
  language.Bool = true;
  clang::PrintingPolicy policy(language);
  policy.SuppressInlineNamespace = true;
  policy.SuppressDefaultTemplateArgs = true;
  policy.UsePreferredNames = false;
  policy.AnonymousTagLocations = false;  // would contain absolute paths
  policy.FullyQualifiedName = true;
  return policy;
}

std::string canonical_spelling(clang::QualType type, clang::ASTContext& context) {
  if (type->isDependentType()) return llvm::json::fixUTF8(type.getUnqualifiedType().getAsString(printing_policy()));
  return llvm::json::fixUTF8(Speller(context).spell(type.getCanonicalType().getUnqualifiedType()));
}

std::string qualified_name(const clang::NamedDecl& declaration) { return print_name(declaration, printing_policy()); }

std::string function_name(const clang::FunctionDecl& function) {
  clang::PrintingPolicy policy = printing_policy();
  policy.SuppressInlineNamespace = false;
  return print_name(function, policy);
}

}  // namespace structured::gen
