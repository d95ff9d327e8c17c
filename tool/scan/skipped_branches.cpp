#include "scan/skipped_branches.h"

#include <map>
#include <set>

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "language/attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/cpp_names.h"
#include "scan/raw_tokens.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral directive_end = "\r\n";

/// Beginnings of macros by which compilers identify themselves, or that depend on flags which scans ignore. Macros of
/// the target (`_WIN32`, `__aarch64__`) are the same for all compilers.
constexpr llvm::StringLiteral compiler_macros[] = {
    "__clang",      "__llvm",     "__GNU", "__INTEL", "_MSC_",  "__NVC", "__CUDA",     "_OPENMP",       "__OPTIMIZE",
    "__FAST_MATH_", "__SANITIZE", "__SSE", "__AVX",   "__FMA_", "__BMI", "__F16C",     "__has_feature", "__has_builtin",
    "__has_attr",   "__has_cpp_", "__EXC", "__GXX_",  "__EDG_", "__ICC", "__STRICT_A",
};

bool names_compiler_macro(llvm::StringRef directive) {
  while (!directive.empty()) {
    directive = directive.drop_until(is_word_character);
    llvm::StringRef word = directive.take_while(is_word_character);
    directive = directive.drop_front(word.size());
    if (llvm::any_of(compiler_macros, [&](llvm::StringRef start) { return word.starts_with(start); })) return true;
  }
  return false;
}

class Watch final : public clang::PPCallbacks {
 public:
  Watch(clang::SourceManager& sources, std::vector<clang::SourceRange>& branches)
      : sources_(sources), branches_(branches) {}

  void If(clang::SourceLocation place, clang::SourceRange, ConditionValueKind) override { see(place, place); }
  void Ifdef(clang::SourceLocation place, const clang::Token&, const clang::MacroDefinition&) override {
    see(place, place);
  }
  void Ifndef(clang::SourceLocation place, const clang::Token&, const clang::MacroDefinition&) override {
    see(place, place);
  }
  void Elif(clang::SourceLocation place, clang::SourceRange, ConditionValueKind, clang::SourceLocation begin) override {
    see(place, begin);
  }
  void Elifdef(clang::SourceLocation place, const clang::Token&, const clang::MacroDefinition&) override {
    see_later_branch(place);
  }
  void Elifdef(clang::SourceLocation place, clang::SourceRange, clang::SourceLocation begin) override {
    see(place, begin);
  }
  void Elifndef(clang::SourceLocation place, const clang::Token&, const clang::MacroDefinition&) override {
    see_later_branch(place);
  }
  void Elifndef(clang::SourceLocation place, clang::SourceRange, clang::SourceLocation begin) override {
    see(place, begin);
  }
  void Else(clang::SourceLocation place, clang::SourceLocation begin) override { see(place, begin); }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    if (range.getBegin().isMacroID() || sources_.isInSystemHeader(range.getBegin())) return;
    auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
    auto [end_file, end] = sources_.getDecomposedLoc(range.getEnd());
    llvm::StringRef text = buffer(file);
    if (file != end_file || !text.slice(begin, end).contains("structured")) return;
    // The first directive of the range belongs to a chain that was seen before.
    unsigned name = begin + 1 + static_cast<unsigned>(text.drop_front(begin + 1).find_first_not_of(" \t"));
    auto chain = chain_of_.find(sources_.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(name)));
    if (chain != chain_of_.end() && of_compiler_.count(chain->second) != 0) branches_.push_back(range);
  }

 private:
  llvm::StringRef buffer(clang::FileID file) const {
    bool is_invalid = false;
    llvm::StringRef text = sources_.getBufferData(file, &is_invalid);
    return is_invalid ? llvm::StringRef() : text;
  }

  /// Notes a directive of the chain whose `#if` is at `begin`.
  void see(clang::SourceLocation place, clang::SourceLocation begin) {
    if (place.isMacroID() || begin.isMacroID() || sources_.isInSystemHeader(place)) return;
    chain_of_[place] = begin;
    last_chain_ = begin;
    auto [file, offset] = sources_.getDecomposedLoc(place);
    llvm::StringRef text = buffer(file).drop_front(offset);
    if (names_compiler_macro(text.take_front(text.find_first_of(directive_end)))) of_compiler_.insert(begin);
  }
  void see_later_branch(clang::SourceLocation place) {
    if (last_chain_.isValid()) see(place, last_chain_);
  }

  clang::SourceManager& sources_;
  std::vector<clang::SourceRange>& branches_;
  std::map<clang::SourceLocation, clang::SourceLocation> chain_of_;  ///< the `#if` of each directive
  std::set<clang::SourceLocation> of_compiler_;                      ///< chains that depend on the compiler
  clang::SourceLocation last_chain_;
};

/// Reads attribute lists from tokens.
class ListReader {
 public:
  ListReader(const SourceMap& map, std::vector<Attribute>& found) : map_(map), found_(found) {}

  void see(const clang::Token& token) {
    bool is_open = token.is(clang::tok::l_square);
    if (depth_ == 0) {
      if (is_open && previous_is_open_) depth_ = 2;
      previous_is_open_ = is_open && depth_ == 0;
      return;
    }
    if (token.isOneOf(clang::tok::l_square, clang::tok::l_paren)) ++depth_;
    if (token.isOneOf(clang::tok::r_square, clang::tok::r_paren)) --depth_;
    if (depth_ == 0) return end_list();
    if (depth_ == 2 && token.is(clang::tok::raw_identifier)) name(token);
    if (depth_ == 2 && token.is(clang::tok::r_paren)) close(token);
    if (depth_ == 3 && token.is(clang::tok::string_literal) && is_ours_) add_argument(token);
  }

 private:
  void name(const clang::Token& token) {
    llvm::StringRef word = token.getRawIdentifier();
    if (word == "using") {
      has_prefix_ = true;
      return;
    }
    if (word == "structured") {
      scope_ = token.getLocation();
      return;
    }
    is_ours_ = scope_.isValid() && find_attribute(word);
    if (!is_ours_) return;
    Attribute attribute;
    attribute.name = word.str();
    clang::SourceLocation begin = has_prefix_ ? token.getLocation() : scope_;
    attribute.range = map_.range(clang::CharSourceRange::getCharRange(begin, token.getEndLoc()));
    list_.push_back(std::move(attribute));
    if (!has_prefix_) scope_ = {};
  }

  void add_argument(const clang::Token& token) {
    llvm::StringRef text(token.getLiteralData(), token.getLength());
    if (!text.consume_front("\"") || !text.consume_back("\"")) return;
    clang::CharSourceRange range = clang::CharSourceRange::getCharRange(token.getLocation(), token.getEndLoc());
    list_.back().arguments.push_back({text.str(), map_.range(range)});
  }

  void close(const clang::Token& token) {
    if (!is_ours_) return;
    list_.back().range.end =
        map_.range(clang::CharSourceRange::getCharRange(token.getLocation(), token.getEndLoc())).end;
  }

  void end_list() {
    bool is_allowed = llvm::any_of(list_, [](const Attribute& attribute) {
      return attribute.name == "allow" && llvm::any_of(attribute.arguments, [](const AttributeArgument& argument) {
               llvm::StringRef kind = std::get<std::string>(argument.value);
               kind.consume_front("structured-");
               return kind == "skipped-annotation";
             });
    });
    for (Attribute& attribute : list_) {
      if (!is_allowed && role_named(attribute.name)) found_.push_back(std::move(attribute));
    }
    list_.clear();
    scope_ = {};
    has_prefix_ = is_ours_ = previous_is_open_ = false;
  }

  const SourceMap& map_;
  std::vector<Attribute>& found_;
  std::vector<Attribute> list_;  ///< attributes of the open list
  clang::SourceLocation scope_;  ///< the `structured` to which the next name belongs
  bool has_prefix_ = false;      ///< the list begins with `using`
  bool is_ours_ = false;         ///< the last name belongs to an attribute of `structured`
  int depth_ = 0;                ///< number of open brackets and parentheses
  bool previous_is_open_ = false;
};

}  // namespace

void watch_skipped_branches(clang::Preprocessor& preprocessor, std::vector<clang::SourceRange>& branches) {
  preprocessor.addPPCallbacks(std::make_unique<Watch>(preprocessor.getSourceManager(), branches));
}

std::vector<Attribute> skipped_annotations(const std::vector<clang::SourceRange>& branches, const SourceMap& map) {
  std::vector<Attribute> found;
  for (const clang::SourceRange& branch : branches) {
    auto [file, begin] = map.sources().getDecomposedLoc(branch.getBegin());
    unsigned end = map.sources().getDecomposedLoc(branch.getEnd()).second;
    ListReader reader(map, found);
    for_each_token(map.sources().getBufferData(file), begin, end, map.sources().getLocForStartOfFile(file),
                   map.language(), [&](const clang::Token& token, unsigned) {
                     reader.see(token);
                     return true;
                   });
  }
  return found;
}

}  // namespace structured::gen
