#include "scan/ordering.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"
#include "scan/body_tokens.h"

namespace structured::gen {
namespace {

llvm::StringSet<> element_names(const clang::FunctionDecl& function) {
  llvm::StringSet<> names;
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const clang::QualType type = parameter->getType().getNonReferenceType();
    if (type->getAs<clang::TemplateTypeParmType>()) names.insert(parameter->getName());
  }
  names.erase("");
  return names;
}

/// Finds the first ordering among the tokens of a body.
class Search {
 public:
  explicit Search(llvm::StringSet<> elements) : elements_(std::move(elements)) {}

  void see(const clang::Token& token) {
    bool is_name = token.is(clang::tok::raw_identifier);
    if (is_name && token.getRawIdentifier() == "constexpr") has_constexpr_ = true;
    bool is_element = is_name && !follows_member_access_ && elements_.contains(token.getRawIdentifier());
    bool is_ordering =
        token.isOneOf(clang::tok::less, clang::tok::greater, clang::tok::lessequal, clang::tok::greaterequal);
    if (!found_ && is_ordering && previous_is_element_) found_ = token;
    if (!found_ && is_element && ordering_) found_ = ordering_;
    ordering_ = is_ordering ? std::optional(token) : std::nullopt;
    previous_is_element_ = is_element;
    follows_member_access_ = token.isOneOf(clang::tok::period, clang::tok::arrow, clang::tok::coloncolon);
  }

  std::optional<clang::Token> found() const { return has_constexpr_ ? std::nullopt : found_; }

 private:
  llvm::StringSet<> elements_;
  std::optional<clang::Token> found_;
  std::optional<clang::Token> ordering_;  ///< the previous token, if it is a comparison
  bool previous_is_element_ = false;
  bool follows_member_access_ = false;
  bool has_constexpr_ = false;
};

}  // namespace

std::optional<Ordering> first_ordering(const clang::FunctionDecl& function, const SourceMap& map) {
  llvm::StringSet<> elements = element_names(function);
  if (elements.empty()) return std::nullopt;
  Search search(std::move(elements));
  for_each_body_token(function, map, [&](const clang::Token& token) {
    search.see(token);
    return true;
  });
  std::optional<clang::Token> found = search.found();
  if (!found) return std::nullopt;
  clang::CharSourceRange range = clang::CharSourceRange::getCharRange(found->getLocation(), found->getEndLoc());
  return Ordering{map.text(range), map.range(range)};
}

}  // namespace structured::gen
