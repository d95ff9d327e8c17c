#include "scan/attribute_watch.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "language/attributes.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "scan/module_watch.h"
#include "scan/scan_findings.h"

namespace structured::gen {
namespace {

class AttributeWatch {
 public:
  /// Reports nothing if `seen` is null.
  AttributeWatch(clang::Preprocessor& preprocessor, SeenAttributes* seen)
      : preprocessor_(preprocessor), scope_(preprocessor.getIdentifierInfo("structured")), seen_(seen) {}

  /// Called for every token of a source, some 100,000 times; the common case is two comparisons.
  void operator()(const clang::Token& token) {
    if (is_after_annotation_) check_multiversioning(token);
    if (depth_ == 0) {
      bool is_bracket = token.is(clang::tok::l_square);
      if (is_bracket && previous_is_bracket_) enter();
      previous_is_bracket_ = is_bracket;
      return;
    }
    step(token);
  }

 private:
  enum class Expect {
    name,
    scope_separator,
    scoped_name,
    using_scope,
    using_colon,
    using_name,
    other_separator,
    other_name,
    separator
  };

  /// Clang rejects functions with both attributes, and its message names the attribute that carries the annotation.
  void check_multiversioning(const clang::Token& token) {
    bool is_end = depth_ == 0 && token.isOneOf(clang::tok::semi, clang::tok::l_brace);
    if (is_end) is_after_annotation_ = false;
    const clang::IdentifierInfo* identifier = token.getIdentifierInfo();
    if (!seen_ || !identifier || !llvm::is_contained({"target_clones", "__target_clones__"}, identifier->getName())) {
      return;
    }
    report_finding(preprocessor_.getDiagnostics(), misplaced_attribute_kind, token.getLocation(),
                   clang::CharSourceRange::getTokenRange(token.getLocation()),
                   "an annotated function has `target_clones`; expected it on a function that the annotated one calls");
  }

  void enter() {
    depth_ = 2;  // number of open brackets and parentheses
    prefix_ = {};
    has_other_prefix_ = false;
    expect_ = Expect::name;
  }

  void step(const clang::Token& token) {
    if (token.isOneOf(clang::tok::l_square, clang::tok::l_paren, clang::tok::l_brace)) {
      ++depth_;
      return;
    }
    if (token.isOneOf(clang::tok::r_square, clang::tok::r_paren, clang::tok::r_brace)) {
      --depth_;
      previous_is_bracket_ = false;
      return;
    }
    if (token.is(clang::tok::eof)) depth_ = 0;
    if (depth_ != 2) return;
    if (token.is(clang::tok::comma)) {
      expect_ = prefix_.isValid() ? Expect::using_name : Expect::name;
      return;
    }
    const clang::IdentifierInfo* identifier = token.getIdentifierInfo();
    switch (expect_) {
      case Expect::name:
        if (token.is(clang::tok::kw_using)) {
          expect_ = Expect::using_scope;
        } else if (identifier == scope_) {
          key_ = token.getLocation();
          expect_ = Expect::scope_separator;
        } else {
          expect_other(token);
        }
        return;
      case Expect::scope_separator:
        expect_ = token.is(clang::tok::coloncolon) ? Expect::scoped_name : Expect::separator;
        return;
      case Expect::using_scope:
        prefix_ = identifier == scope_ ? token.getLocation() : clang::SourceLocation();
        if (prefix_.isValid()) {
          expect_ = Expect::using_colon;
        } else {
          has_other_prefix_ = true;
          expect_other(token);
        }
        return;
      case Expect::using_colon:
        expect_ = Expect::using_name;
        return;
      case Expect::scoped_name:
      case Expect::using_name:
        if (identifier) see(token, expect_ == Expect::scoped_name ? key_ : prefix_);
        expect_ = Expect::separator;
        return;
      case Expect::other_separator:
        expect_ = token.isOneOf(clang::tok::coloncolon, clang::tok::colon) ? Expect::other_name : Expect::separator;
        return;
      case Expect::other_name:
        if (identifier && find_attribute(identifier->getName())) report_scope(token.getEndLoc());
        expect_ = Expect::separator;
        return;
      case Expect::separator:
        return;
    }
  }

  /// `token` may be the scope of an attribute that is not in `structured`.
  void expect_other(const clang::Token& token) {
    const clang::IdentifierInfo* identifier = token.getIdentifierInfo();
    bool is_similar = identifier && resembles_scope(identifier->getName());
    if (is_similar) other_ = token;
    if (!is_similar && seen_ && identifier && is_misspelt(token)) seen_->misspelt.push_back(token);
    expect_ = is_similar ? Expect::other_separator : Expect::separator;
  }

  /// Whether `token` is an attribute of the main source without a namespace that is not in the C++ standard.
  bool is_misspelt(const clang::Token& token) const {
    if (expect_ != Expect::name || has_other_prefix_) return false;
    llvm::StringRef name = token.getIdentifierInfo()->getName();
    if (name.consume_front("__")) name.consume_back("__");
    if (llvm::is_contained(standard_attributes(), name)) return false;
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    if (!token.getLocation().isFileID() || !sources.isInMainFile(token.getLocation())) return false;
    auto next = clang::Lexer::findNextToken(token.getLocation(), sources, preprocessor_.getLangOpts());
    return next && next->isNot(clang::tok::coloncolon);
  }

  void report_scope(clang::SourceLocation end) {
    silence_clang(other_.getLocation(), end);
    if (!seen_) return;
    auto range = clang::CharSourceRange::getTokenRange(other_.getLocation());
    llvm::StringRef scope = other_.getIdentifierInfo()->getName();
    report_finding(preprocessor_.getDiagnostics(), unknown_attribute_kind, other_.getLocation(), range,
                   "unknown attribute namespace `" + scope + "`; did you mean `structured`?",
                   clang::FixItHint::CreateReplacement(range, "structured"));
  }

  void see(const clang::Token& token, clang::SourceLocation key) {
    llvm::StringRef name = token.getIdentifierInfo()->getName();
    if (find_attribute(name)) {
      if (seen_) seen_->known.push_back({key, token.getLocation(), name.str()});
      is_after_annotation_ = true;
      return;
    }
    silence_clang(key, token.getEndLoc());
    if (!seen_) return;
    auto range = clang::CharSourceRange::getTokenRange(token.getLocation());
    std::string message = ("unknown attribute `structured::" + name + "`").str();
    llvm::SmallVector<clang::FixItHint, 1> fixits;
    std::vector<std::string> known;
    for (const AttributeSpec& spec : attribute_table()) known.push_back(spec.name().str());
    if (auto meant = nearest(name, known)) {
      message += "; did you mean `structured::" + *meant + "`?";
      fixits.push_back(clang::FixItHint::CreateReplacement(range, *meant));
    }
    report_finding(preprocessor_.getDiagnostics(), unknown_attribute_kind, token.getLocation(), range, message, fixits);
  }

  // Has the effect of diagnostic pragmas around the attribute. Clang reports the warning at the name of the scope.
  void silence_clang(clang::SourceLocation key, clang::SourceLocation end) {
    if (key == silenced_) return;  // several attributes share the key `using structured:`
    silenced_ = key;
    clang::DiagnosticsEngine& engine = preprocessor_.getDiagnostics();
    engine.pushMappings(key);
    engine.setSeverityForGroup(clang::diag::Flavor::WarningOrError, "unknown-attributes",
                               clang::diag::Severity::Ignored, key);
    engine.popMappings(end);
  }

  clang::Preprocessor& preprocessor_;
  const clang::IdentifierInfo* scope_;
  SeenAttributes* seen_;
  clang::SourceLocation silenced_;
  clang::SourceLocation key_;
  clang::SourceLocation prefix_;  ///< location of `using structured:`
  clang::Token other_ = {};       ///< a scope that resembles `structured`
  Expect expect_ = Expect::name;
  int depth_ = 0;
  bool has_other_prefix_ = false;  ///< after `using`, which names another namespace
  bool previous_is_bracket_ = false;
  bool is_after_annotation_ = false;  ///< in a declaration, or in a parameter list, after an annotation
};

}  // namespace

void watch_attributes(clang::Preprocessor& preprocessor, SeenAttributes& seen, bool rejects_modules) {
  AttributeWatch attributes(preprocessor, &seen);
  if (!rejects_modules) {
    preprocessor.setTokenWatcher(std::move(attributes));
    return;
  }
  ModuleWatch modules(preprocessor);
  preprocessor.setTokenWatcher([attributes, modules](const clang::Token& token) mutable {
    attributes(token);
    modules(token);
  });
}

void silence_unknown_attributes(clang::Preprocessor& preprocessor) {
  preprocessor.setTokenWatcher(AttributeWatch(preprocessor, nullptr));
}

}  // namespace structured::gen
