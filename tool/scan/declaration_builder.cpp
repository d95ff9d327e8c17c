#include "scan/declaration_builder.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RawCommentList.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/JSON.h"
#include "scan/default_argument.h"
#include "scan/ordering.h"
#include "scan/standard_uses.h"
#include "scan/type_spelling.h"

namespace structured::gen {
namespace {

std::vector<LinkageError> linkage_errors(const clang::FunctionDecl& function) {
  std::vector<LinkageError> result;
  auto add = [&](bool holds, LinkageError error) {
    if (holds) result.push_back(error);
  };
  add(function.isTemplated() || function.getTemplateSpecializationKind() != clang::TSK_Undeclared,
      LinkageError::is_template);
  add(function.isCXXClassMember(), LinkageError::is_member);
  add(!function.isCXXClassMember() && function.getStorageClass() == clang::SC_Static, LinkageError::is_static);
  add(function.isInAnonymousNamespace(), LinkageError::is_in_unnamed_namespace);
  add(function.isConstexpr(), LinkageError::is_constexpr);
  // Constexpr functions and templates are implicitly inline; report one reason only.
  add(function.isInlineSpecified() && !function.isConstexpr(), LinkageError::is_inline);
  add(function.getDeclaredReturnType()->getContainedAutoType() != nullptr, LinkageError::returns_auto);
  add(function.isVariadic(), LinkageError::is_c_variadic);
  add(function.isDeleted(), LinkageError::is_deleted);
  add(function.hasAttr<clang::AsmLabelAttr>(), LinkageError::has_asm_label);
  return result;
}

/// Strips the margin of a block comment and blank lines around it.
std::string without_margin(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  std::size_t margin = llvm::StringRef::npos;
  for (llvm::StringRef& line : lines) {
    line = line.rtrim();
    if (!line.empty()) margin = std::min(margin, line.find_first_not_of(' '));
  }
  std::string result;
  for (llvm::StringRef line : lines) result += (line.drop_front(std::min(margin, line.size())) + "\n").str();
  return llvm::StringRef(result).trim('\n').str();
}

bool is_invalid_type(clang::QualType type) { return type.isNull() || type->containsErrors(); }

}  // namespace

std::vector<CarriedAttribute> DeclarationBuilder::attributes(const clang::Decl& declaration) const {
  std::vector<CarriedAttribute> result;
  if (!declaration.hasAttrs()) return result;
  for (const clang::Attr* attribute : declaration.getAttrs()) {
    if (auto carried = carried_attribute(*attribute, map_.sources(), map_.language())) {
      result.push_back(std::move(*carried));
    }
  }
  return result;
}

Attribute DeclarationBuilder::to_model(const CarriedAttribute& attribute) const {
  Attribute result;
  result.name = attribute.name;
  result.range = map_.range(attribute.range);
  // Attribute ranges are file ranges already, from which macros cannot be recognized.
  if (attribute.key.isMacroID()) map_.in_file(clang::SourceRange(attribute.key, attribute.key));
  for (const CarriedArgument& argument : attribute.arguments) {
    if (argument.is_in_macro) map_.add_macro_range(argument.range);
    result.arguments.push_back({argument.value, map_.range(argument.range)});
  }
  return result;
}

clang::SourceLocation DeclarationBuilder::begin_with_attributes(clang::SourceLocation begin,
                                                                const std::vector<CarriedAttribute>& attributes) const {
  for (const CarriedAttribute& attribute : attributes) {
    clang::SourceLocation opening = attribute.key.isMacroID() ? map_.sources().getExpansionLoc(attribute.key)
                                                              : map_.attribute_list_begin(attribute.key);
    if (map_.sources().isBeforeInTranslationUnit(opening, begin)) begin = opening;
  }
  return begin;
}

Declaration DeclarationBuilder::build(const clang::FunctionDecl& function) const {
  Declaration result;
  map_.take_macro_ranges();  // discards ranges recorded so far
  result.name = function_name(function);
  result.is_extern_c = function.isExternC();
  result.is_definition = function.isThisDeclarationADefinition() && !function.isDeleted();
  result.linkage_errors = linkage_errors(function);
  result.is_invalid = function.isInvalidDecl() || is_invalid_type(function.getReturnType());
  for (const CarriedAttribute& attribute : attributes(function)) result.attributes.push_back(to_model(attribute));
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    result.parameters.push_back(build(*parameter));
    result.is_invalid |= result.parameters.back().is_invalid;
  }
  if (const clang::FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate()) {
    for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters()) {
      result.template_parameters.push_back(parameter->getNameAsString());
    }
    bool is_pointwise = llvm::any_of(result.attributes, [](const Attribute& a) { return a.name == "pointwise"; });
    if (is_pointwise) result.ordering = first_ordering(function, map_);
    result.standard_uses = standard_uses(function, map_);
  }
  add_ranges(function, result);
  result.macro_ranges = map_.take_macro_ranges();
  // Class facts are large, and only these roles have operator bases or precomputed values.
  bool may_have_base = llvm::any_of(result.attributes, [](const Attribute& attribute) {
    return attribute.name == "meta" || attribute.name == "impl";
  });
  if (may_have_base && !result.is_invalid) {
    clang::SourceLocation place = function.getLocation();
    if (function.getNumParams() > 0 && function.getParamDecl(0)->getType()->isLValueReferenceType() &&
        !function.getParamDecl(0)->getType().getNonReferenceType().isConstQualified()) {
      result.base_class = types_.class_fact(function.getParamDecl(0)->getType(), place);
    }
    if (function.getReturnType()->isRecordType()) {
      result.result_class = types_.class_fact(function.getReturnType(), place);
    }
  }
  result.comment = comment(function);
  return result;
}

Parameter DeclarationBuilder::build(const clang::ParmVarDecl& parameter) const {
  Parameter result;
  result.name = parameter.getNameAsString();
  std::vector<CarriedAttribute> carried = attributes(parameter);
  for (const CarriedAttribute& attribute : carried) result.attributes.push_back(to_model(attribute));
  result.is_invalid = parameter.isInvalidDecl() || is_invalid_type(parameter.getType());
  result.is_enum = !result.is_invalid && parameter.getType().getNonReferenceType()->isEnumeralType();
  result.default_argument = default_argument(parameter, sema_.getASTContext(), map_);

  clang::CharSourceRange whole = map_.in_file(parameter.getSourceRange());
  if (!result.name.empty()) {
    clang::CharSourceRange name = map_.in_file(clang::SourceRange(parameter.getLocation(), parameter.getLocation()));
    result.name_range = map_.range(name);
    whole.setEnd(std::max(whole.getEnd(), name.getEnd()));
  }
  clang::CharSourceRange type = type_range(parameter);
  result.type_range = map_.range(type);
  // A type spelled by a macro has no source text.
  bool is_from_macro = parameter.getBeginLoc().isMacroID() || parameter.getLocation().isMacroID();
  result.type = types_.type(parameter.getType(), is_from_macro ? "" : map_.text(type));

  whole.setBegin(begin_with_attributes(whole.getBegin(), carried));
  for (const CarriedAttribute& attribute : carried) {
    if (!attribute.key.isMacroID()) {
      whole.setEnd(std::max(whole.getEnd(), map_.attribute_list_end(attribute.range.getEnd())));
    }
  }
  result.range = map_.range(whole);
  if (result.default_argument && result.default_argument->range.file == result.range.file) {
    result.range.end = std::max(result.range.end, result.default_argument->range.end);
  }
  return result;
}

clang::CharSourceRange DeclarationBuilder::type_range(const clang::ParmVarDecl& parameter) const {
  clang::CharSourceRange specifiers =
      map_.in_file(clang::SourceRange(parameter.getBeginLoc(), parameter.getTypeSpecEndLoc()));
  clang::CharSourceRange name = map_.in_file(clang::SourceRange(parameter.getLocation(), parameter.getLocation()));
  clang::CharSourceRange tokens = specifiers;
  if (const clang::TypeSourceInfo* info = parameter.getTypeSourceInfo()) {
    tokens.setEnd(std::max(tokens.getEnd(), map_.in_file(info->getTypeLoc().getSourceRange()).getEnd()));
  }
  bool is_before_name = parameter.getDeclName() && specifiers.getBegin() < name.getBegin();
  if (is_before_name && tokens.getEnd() <= name.getBegin()) {
    return map_.trimmed(specifiers.getBegin(), name.getBegin());
  }
  // The parameter is unnamed, the declarator surrounds the name as in `int (*name)(int)`, or a macro spells all of it.
  return parameter.getDeclName() ? tokens : map_.with_qualifiers(tokens, specifiers.getBegin());
}

void DeclarationBuilder::add_ranges(const clang::FunctionDecl& function, Declaration& declaration) const {
  clang::CharSourceRange name = map_.in_file(function.getNameInfo().getSourceRange());
  declaration.name_range = map_.range(name);
  clang::SourceLocation begin = map_.sources().getExpansionLoc(function.getInnerLocStart());
  clang::SourceLocation outer = map_.sources().getExpansionLoc(function.getOuterLocStart());
  if (map_.sources().isBeforeInTranslationUnit(outer, begin)) begin = outer;
  if (const clang::FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate()) {
    begin = map_.sources().getExpansionLoc(pattern->getBeginLoc());
  }
  clang::SourceLocation end = name.getEnd();
  std::string result_text;
  if (clang::FunctionTypeLoc type = function.getFunctionTypeLoc()) {
    end = map_.in_file(type.getSourceRange()).getEnd();
    if (clang::SourceRange exceptions = type.getExceptionSpecRange(); exceptions.isValid()) {
      end = std::max(end, map_.in_file(exceptions).getEnd());
    }
    clang::CharSourceRange parentheses = map_.in_file(type.getParensRange());
    bool is_from_macro = type.getLParenLoc().isMacroID();
    if (!is_from_macro && parentheses.isValid()) {
      end = std::max(end, parentheses.getEnd());
      parentheses.setBegin(parentheses.getBegin().getLocWithOffset(1));
      parentheses.setEnd(parentheses.getEnd().getLocWithOffset(-1));
    }
    declaration.parameters_range = map_.range(parentheses);
    clang::SourceRange result_tokens = type.getReturnLoc().getSourceRange();
    clang::CharSourceRange result = map_.in_file(result_tokens);
    if (result.isValid() && !is_from_macro && result_tokens.getBegin().isFileID()) {
      result = map_.with_qualifiers(result, begin);
      result_text = map_.text(result);
      end = std::max(end, result.getEnd());
    }
    declaration.result_range = map_.range(result);
  }
  declaration.result = types_.type(function.getReturnType(), result_text);
  begin = begin_with_attributes(begin, attributes(function));
  declaration.range = map_.range(clang::CharSourceRange::getCharRange(begin, end));
}

std::string DeclarationBuilder::comment(const clang::FunctionDecl& function) const {
  clang::ASTContext& context = sema_.getASTContext();
  const clang::Decl* documented = &function;
  if (const clang::FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate()) documented = pattern;
  const clang::RawComment* comment = context.getRawCommentForDeclNoCache(documented);
  if (!comment) return {};
  return without_margin(
      llvm::json::fixUTF8(comment->getFormattedText(map_.sources(), map_.sources().getDiagnostics())));
}

}  // namespace structured::gen
