#include "scan/type_facts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "scan/placeholder_file_system.h"
#include "scan/type_spelling.h"

namespace structured::gen {
namespace {

/// Collapses white space; a type may span lines.
std::string one_line(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (!llvm::isSpace(c)) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

}  // namespace

TypeFacts::TypeFacts(clang::Sema& sema, const SourceMap& map) : sema_(sema), map_(map) {}

std::string TypeFacts::canonical(clang::QualType type) const { return canonical_spelling(type, sema_.getASTContext()); }

CppType TypeFacts::type(clang::QualType type, llvm::StringRef written) const {
  CppType result;
  result.canonical = canonical(type);
  if (!written.empty()) {
    result.written = one_line(written);
  } else {
    clang::PrintingPolicy policy = printing_policy();
    policy.FullyQualifiedName = false;  // would qualify names that are written without a scope, from Clang 22 on
    result.written = llvm::json::fixUTF8(type.getAsString(policy));
  }
  return result;
}

std::optional<ClassFact> TypeFacts::class_fact(clang::QualType type, clang::SourceLocation place) const {
  type = type.getNonReferenceType().getUnqualifiedType();
  if (type->isDependentType()) return std::nullopt;
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || record->isLambda()) return std::nullopt;
  auto [entry, is_new] = classes_.try_emplace(record->getCanonicalDecl());
  ClassFact& fact = entry->second;
  if (!is_new) return fact;
  fact.name = canonical(type);
  // Completing the type instantiates a class template that the source has only named.
  bool is_complete = sema_.isCompleteType(place, type);
  record = type->getAsCXXRecordDecl();
  const clang::CXXRecordDecl* definition = is_complete ? record->getDefinition() : nullptr;
  const clang::NamedDecl& named = definition ? *definition : *record;
  fact.range = map_.range(clang::SourceRange(named.getLocation(), named.getLocation()));
  if (!definition) {
    ClassFact incomplete = std::move(fact);  // not cached: the definition may follow
    classes_.erase(entry);
    return incomplete;
  }

  fact.is_final = definition->hasAttr<clang::FinalAttr>();
  fact.is_abstract = definition->isAbstract();
  clang::CXXConstructorDecl* constructor =
      sema_.LookupDefaultConstructor(const_cast<clang::CXXRecordDecl*>(definition));
  fact.is_default_constructible = constructor && !constructor->isDeleted() &&
                                  constructor->getAccess() != clang::AS_private && !definition->isInvalidDecl();
  clang::FileID file = map_.sources().getFileID(map_.sources().getExpansionLoc(definition->getLocation()));
  fact.is_visible_from_header = file != map_.sources().getMainFileID() && !definition->isInAnonymousNamespace() &&
                                !definition->getParentFunctionOrMethod() && has_visible_arguments(*definition);
  if (fact.is_visible_from_header) fact.header = header(file);
  add_bases(*definition, fact);
  add_members(*definition, fact);
  return fact;
}

bool TypeFacts::is_declared_in_header(const clang::TagDecl& tag) const {
  if (tag.isInAnonymousNamespace() || tag.getParentFunctionOrMethod()) return false;
  return llvm::any_of(tag.redecls(), [&](const clang::TagDecl* declared) {
    clang::SourceLocation place = map_.sources().getExpansionLoc(declared->getLocation());
    return map_.sources().getFileID(place) != map_.sources().getMainFileID();
  });
}

bool TypeFacts::has_visible_arguments(const clang::CXXRecordDecl& record) const {
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  return !special || llvm::all_of(special->getTemplateArgs().asArray(),
                                  [&](const clang::TemplateArgument& argument) { return is_visible(argument); });
}

bool TypeFacts::is_visible(const clang::TemplateArgument& argument) const {
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    return llvm::all_of(argument.pack_elements(), [&](const auto& element) { return is_visible(element); });
  }
  bool is_number = argument.getKind() == clang::TemplateArgument::Integral;
  if (!is_number && argument.getKind() != clang::TemplateArgument::Type) return true;
  clang::QualType type = is_number ? argument.getIntegralType() : argument.getAsType();
  type = type.getNonReferenceType();
  while (type->isAnyPointerType()) type = type->getPointeeType();
  const clang::TagDecl* tag = type->getAsTagDecl();
  if (!tag) return true;
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag);
  if (special)
    return is_declared_in_header(*special->getSpecializedTemplate()->getTemplatedDecl()) &&
           has_visible_arguments(*special);
  return is_declared_in_header(*tag);
}

void TypeFacts::add_bases(const clang::CXXRecordDecl& record, ClassFact& fact) const {
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    if (base.getAccessSpecifier() != clang::AS_public) continue;
    std::string name = canonical(base.getType());
    if (llvm::is_contained(fact.bases, name)) continue;
    fact.bases.push_back(std::move(name));
    const clang::CXXRecordDecl* base_record = base.getType()->getAsCXXRecordDecl();
    if (base_record && base_record->getDefinition()) add_bases(*base_record->getDefinition(), fact);
  }
}

void TypeFacts::add_members(const clang::CXXRecordDecl& record, ClassFact& fact) const {
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    const clang::CXXRecordDecl* base_record = base.getType()->getAsCXXRecordDecl();
    if (base.getAccessSpecifier() == clang::AS_public && base_record && base_record->getDefinition()) {
      add_members(*base_record->getDefinition(), fact);
    }
  }
  for (const clang::FieldDecl* field : record.fields()) {
    if (field->getAccess() != clang::AS_public || !field->getDeclName()) continue;
    clang::CharSourceRange written =
        map_.in_file(clang::SourceRange(field->getTypeSpecStartLoc(), field->getTypeSpecEndLoc()));
    fact.members.push_back({llvm::json::fixUTF8(field->getName()), type(field->getType(), map_.text(written))});
  }
}

std::string TypeFacts::header(clang::FileID file) const {
  auto reference = map_.sources().getFileEntryRefForID(file);
  if (!reference) return {};
  llvm::SmallString<256> name(reference->getName());
  map_.sources().getFileManager().makeAbsolutePath(name);
  // Emitted code is in another folder, where a path relative to the source does not work.
  std::string found = sema_.getPreprocessor().getHeaderSearchInfo().suggestPathToFileForDiagnostics(
      name, map_.working_directory(), /*MainFile=*/(PlaceholderFileSystem::emitted_root + "/any.cpp").str());
  if (llvm::sys::path::is_absolute(found) || llvm::StringRef(found).starts_with("..")) return map_.path(file);
  return found;
}

}  // namespace structured::gen
