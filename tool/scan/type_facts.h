// Facts about C++ types and classes.
#pragma once

#include <map>
#include <optional>

#include "clang/AST/Type.h"
#include "model/declaration.h"
#include "scan/source_map.h"

namespace clang {
class CXXRecordDecl;
class TagDecl;
class TemplateArgument;
class Sema;
}  // namespace clang

namespace structured::gen {

class TypeFacts {
 public:
  TypeFacts(clang::Sema& sema, const SourceMap& map);

  /// `written` is the text in the source; if empty, the type is printed.
  CppType type(clang::QualType type, llvm::StringRef written) const;

  /// Returns facts about a class or a reference to one; nullopt for other types.
  std::optional<ClassFact> class_fact(clang::QualType type, clang::SourceLocation place) const;

 private:
  std::string canonical(clang::QualType type) const;
  bool is_declared_in_header(const clang::TagDecl& tag) const;
  /// Whether emitted code can name the template arguments of the specialization.
  bool has_visible_arguments(const clang::CXXRecordDecl& record) const;
  bool is_visible(const clang::TemplateArgument& argument) const;
  void add_bases(const clang::CXXRecordDecl& record, ClassFact& fact) const;
  void add_members(const clang::CXXRecordDecl& record, ClassFact& fact) const;
  std::string header(clang::FileID file) const;

  clang::Sema& sema_;
  const SourceMap& map_;
  mutable std::map<const clang::CXXRecordDecl*, ClassFact> classes_;
};

}  // namespace structured::gen
