// Converts an annotated Clang function to a Declaration.
#pragma once

#include "model/declaration.h"
#include "scan/attribute_codec.h"
#include "scan/source_map.h"
#include "scan/type_facts.h"

namespace clang {
class FunctionDecl;
class ParmVarDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class DeclarationBuilder {
 public:
  DeclarationBuilder(clang::Sema& sema, const SourceMap& map) : sema_(sema), map_(map), types_(sema, map) {}

  /// Returns the attributes written on this declaration, without those inherited from an earlier one.
  std::vector<CarriedAttribute> attributes(const clang::Decl& declaration) const;

  Declaration build(const clang::FunctionDecl& function) const;

 private:
  Parameter build(const clang::ParmVarDecl& parameter) const;
  /// Returns the range of the type as written, including `const` and `&`.
  clang::CharSourceRange type_range(const clang::ParmVarDecl& parameter) const;
  void add_ranges(const clang::FunctionDecl& function, Declaration& declaration) const;
  Attribute to_model(const CarriedAttribute& attribute) const;
  std::string comment(const clang::FunctionDecl& function) const;
  /// Returns the `[[` of the first of `attributes` before `begin`, or `begin` if there is none.
  clang::SourceLocation begin_with_attributes(clang::SourceLocation begin,
                                              const std::vector<CarriedAttribute>& attributes) const;

  clang::Sema& sema_;
  const SourceMap& map_;
  TypeFacts types_;
};

}  // namespace structured::gen
