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

/// Installs the watcher; an unknown attribute is reported at once, a known one is appended to `seen`, which must
/// outlive the parse.
void watch_attributes(clang::Preprocessor& preprocessor, std::vector<SeenAttribute>& seen);

}  // namespace structured::gen
