#include "scan/attribute_watch.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Preprocessor.h"
#include "language/attributes.h"
#include "language/nearest.h"
#include "scan/scan_findings.h"

namespace structured::gen {
namespace {

class AttributeWatch {
 public:
  /// Reports nothing if `seen` is null.
  AttributeWatch(clang::Preprocessor& preprocessor, std::vector<SeenAttribute>* seen)
      : preprocessor_(preprocessor), scope_(preprocessor.getIdentifierInfo("structured")), seen_(seen) {}

  /// Called for every token of a source, some 100,000 times; the common case is one comparison.
  void operator()(const clang::Token& token) {
    if (depth_ == 0) {
      bool is_bracket = token.is(clang::tok::l_square);
      if (is_bracket && previous_is_bracket_) enter();
      previous_is_bracket_ = is_bracket;
      return;
    }
    step(token);
  }

 private:
  enum class Expect { name, scope_separator, scoped_name, using_scope, using_colon, using_name, separator };

  void enter() {
    depth_ = 2;  // number of open brackets and parentheses
    prefix_ = {};
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
          expect_ = Expect::separator;
        }
        return;
      case Expect::scope_separator:
        expect_ = token.is(clang::tok::coloncolon) ? Expect::scoped_name : Expect::separator;
        return;
      case Expect::using_scope:
        prefix_ = identifier == scope_ ? token.getLocation() : clang::SourceLocation();
        expect_ = prefix_.isValid() ? Expect::using_colon : Expect::separator;
        return;
      case Expect::using_colon:
        expect_ = Expect::using_name;
        return;
      case Expect::scoped_name:
      case Expect::using_name:
        if (identifier) see(token, expect_ == Expect::scoped_name ? key_ : prefix_);
        expect_ = Expect::separator;
        return;
      case Expect::separator:
        return;
    }
  }

  void see(const clang::Token& token, clang::SourceLocation key) {
    llvm::StringRef name = token.getIdentifierInfo()->getName();
    if (find_attribute(name)) {
      if (seen_) seen_->push_back({key, token.getLocation(), name.str()});
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
    engine.setSeverity(clang::diag::warn_unknown_attribute_ignored, clang::diag::Severity::Ignored, key);
    engine.popMappings(end);
  }

  clang::Preprocessor& preprocessor_;
  const clang::IdentifierInfo* scope_;
  std::vector<SeenAttribute>* seen_;
  clang::SourceLocation silenced_;
  clang::SourceLocation key_;
  clang::SourceLocation prefix_;  ///< location of `using structured:`
  Expect expect_ = Expect::name;
  int depth_ = 0;
  bool previous_is_bracket_ = false;
};

}  // namespace

void watch_attributes(clang::Preprocessor& preprocessor, std::vector<SeenAttribute>& seen) {
  preprocessor.setTokenWatcher(AttributeWatch(preprocessor, &seen));
}

void silence_unknown_attributes(clang::Preprocessor& preprocessor) {
  preprocessor.setTokenWatcher(AttributeWatch(preprocessor, nullptr));
}

}  // namespace structured::gen
