// Watches for C++20 modules in kernel sources. Scans read one source without the modules that a build compiles, and
// emitted code declares annotated functions again, which it could not do for functions of a module.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

class ModuleWatch {
 public:
  explicit ModuleWatch(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  /// Called for every token; reports the first `import` or module declaration, before Clang reports missing modules.
  void operator()(const clang::Token& token);

 private:
  /// Whether `token` is `import` or `module` and begins a directive.
  bool begins_directive(const clang::Token& token) const;
  void report(const clang::Token& token);

  clang::Preprocessor& preprocessor_;
  int depth_ = 0;           ///< number of open braces: modules are declared and imported outside of all
  bool may_begin_ = true;   ///< after the end of a declaration
  bool is_export_ = false;  ///< after `export` at the start of a line
  bool has_reported_ = false;
};

}  // namespace structured::gen
