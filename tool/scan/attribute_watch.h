// Watches the tokens of attributes in the `structured` scope. Clang only warns about unknown attributes, and system
// headers silence even that. A declaration that the parser discards loses its attributes, which would otherwise go
// unnoticed.
#pragma once

#include <string>
#include <vector>

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

struct SeenAttribute {
  clang::SourceLocation key;  ///< the `structured` token
  clang::SourceLocation place;
  std::string name;
};

/// Results of a watcher; must outlive the parse.
struct SeenAttributes {
  std::vector<SeenAttribute> known;
  /// Attributes of the main source that have no namespace and are not in the C++ standard. Clang's warning about
  /// them is disabled together with that about ours.
  std::vector<clang::Token> misspelt;
};

/// Installs the watcher. Unknown attributes are reported at once, instead of Clang's warning. `rejects_modules` also
/// reports modules.
void watch_attributes(clang::Preprocessor& preprocessor, SeenAttributes& seen, bool rejects_modules = false);

/// Silences Clang's warning about unknown `structured` attributes, for a compilation whose other half reports them.
void silence_unknown_attributes(clang::Preprocessor& preprocessor);

}  // namespace structured::gen
