// What the bodies of a source showed, for the next parse of the source: a body that nobody has touched need not be
// parsed again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "scan/collector.h"

namespace structured::gen {

class KnownBodies {
 public:
  /// Of a text, and the declarations in it whose bodies are known.
  KnownBodies(std::string text, llvm::ArrayRef<Declaration> declarations, llvm::ArrayRef<FunctionExtent> extents);

  /// Compares with the text that is to be parsed next.
  void compare(llvm::StringRef text);

  /// Whether the function whose name stands at this offset of the new text has the body that is known.
  bool is_known(unsigned name_offset) const { return find(name_offset) != nullptr; }
  /// Where that function ends in the new text; 0 if it is not known.
  unsigned end(unsigned name_offset) const;
  /// What that body shows, with places of the new text.
  std::optional<BodyFacts> facts(unsigned name_offset) const;

 private:
  struct Body {
    FunctionExtent extent;
    std::string file;
    BodyFacts facts;
  };
  const Body* find(unsigned name_offset) const;
  Position moved(const Position& position) const;

  std::string text_;
  std::vector<Body> bodies_;  ///< sorted by the name's offset
  std::vector<std::size_t> lines_;
  // What differs in the new text, between what is common at both ends.
  std::size_t begin_ = 0;
  std::size_t old_end_ = 0;
  std::size_t new_end_ = 0;
  std::vector<std::size_t> new_lines_;
};

}  // namespace structured::gen
