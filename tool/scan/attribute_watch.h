// Watches the tokens of attributes in the `structured` scope. Clang only warns about unknown attributes, and system
// headers silence even that. A declaration that the parser discards loses its attributes, which would otherwise go
// unnoticed.
#pragma once

#include <vector>

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

struct SeenAttribute {
  clang::SourceLocation key;  ///< the `structured` token
  clang::SourceLocation place;
  std::string name;
};

/// Installs the watcher. Unknown attributes are reported at once, instead of Clang's warning; known ones are appended
/// to `seen`, which must outlive the parse.
void watch_attributes(clang::Preprocessor& preprocessor, std::vector<SeenAttribute>& seen);

/// Silences Clang's warning about unknown `structured` attributes, for a compilation whose other half reports them.
void silence_unknown_attributes(clang::Preprocessor& preprocessor);

}  // namespace structured::gen
