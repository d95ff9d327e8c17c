#include "scan/ordering.h"

#include "clang/AST/Decl.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/StringSet.h"
#include "scan/raw_tokens.h"

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

/// Finds the first ordering among the tokens that follow a parameter list.
class Search {
 public:
  explicit Search(llvm::StringSet<> elements) : elements_(std::move(elements)) {}

  /// Returns false after the end of the body.
  bool see(const clang::Token& token) {
    if (token.is(clang::tok::l_brace)) ++depth_;
    if (token.is(clang::tok::r_brace)) --depth_;
    bool is_before_body = depth_ == 0 && token.isNot(clang::tok::r_brace);
    if (is_before_body) return token.isNot(clang::tok::semi);
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
    return depth_ > 0;
  }

  std::optional<clang::Token> found() const { return has_constexpr_ ? std::nullopt : found_; }

 private:
  llvm::StringSet<> elements_;
  std::optional<clang::Token> found_;
  std::optional<clang::Token> ordering_;  ///< the previous token, if it is a comparison
  int depth_ = 0;                         ///< number of open braces
  bool previous_is_element_ = false;
  bool follows_member_access_ = false;
  bool has_constexpr_ = false;
};

}  // namespace

std::optional<Ordering> first_ordering(const clang::FunctionDecl& function, const SourceMap& map) {
  llvm::StringSet<> elements = element_names(function);
  const clang::FunctionTypeLoc type = function.getFunctionTypeLoc();
  if (elements.empty() || !type || !function.getLocation().isFileID() || !type.getRParenLoc().isFileID()) {
    return std::nullopt;
  }
  auto [file, begin] = map.sources().getDecomposedLoc(type.getRParenLoc());
  bool is_invalid = false;
  llvm::StringRef text = map.sources().getBufferData(file, &is_invalid);
  if (is_invalid) return std::nullopt;
  Search search(std::move(elements));
  for_each_token(text, begin + 1, static_cast<unsigned>(text.size()), map.sources().getLocForStartOfFile(file),
                 map.language(), [&](const clang::Token& token, unsigned) { return search.see(token); });
  std::optional<clang::Token> found = search.found();
  if (!found) return std::nullopt;
  clang::CharSourceRange range = clang::CharSourceRange::getCharRange(found->getLocation(), found->getEndLoc());
  return Ordering{map.text(range), map.range(range)};
}

}  // namespace structured::gen
