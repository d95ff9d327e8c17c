// Watches the tokens that Clang's parser gets for attributes in our scope. Two things need it: Clang only warns
// about an unknown attribute, and not even that where headers silence it; and a declaration that Clang's parser
// gave up on has lost its attributes, and would otherwise be lost without a word.
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

/// Installs the watcher; an unknown attribute is reported at once, in place of Clang's warning, and a known one is
/// appended to `seen`, which must outlive the parse.
void watch_attributes(clang::Preprocessor& preprocessor, std::vector<SeenAttribute>& seen);

/// Silences Clang's warning of unknown attributes in our scope, where another compilation of the source reports them.
void silence_unknown_attributes(clang::Preprocessor& preprocessor);

}  // namespace structured::gen
