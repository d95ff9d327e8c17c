// The annotated functions of a source as they were last read, for the next parse while somebody types: functions that
// nobody has touched, and that nothing else in the source names, need not be parsed again.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "scan/collector.h"

namespace structured::gen {

class IncrementalReparse {
 public:
  /// Of a text, and the declarations that a parse of all of it gave.
  IncrementalReparse(std::string text, llvm::ArrayRef<Declaration> declarations,
                     llvm::ArrayRef<FunctionExtent> extents);

  /// Compares with the text that is to be parsed next. What follows refers to that.
  void compare(std::string text);

  /// The text with an empty declaration, and blanks, in place of each function that need not be parsed.
  std::string remaining_text() const;
  /// Puts those functions among the others, which `extents` are of, as they stand in the source.
  void add_others(std::vector<Declaration>& declarations, llvm::ArrayRef<FunctionExtent> extents) const;

  /// Whether the function whose name stands at this offset is untouched.
  bool is_known(unsigned name_offset) const { return find(name_offset) != nullptr; }
  /// What its body shows; nothing if it is not known.
  std::optional<BodyFacts> facts(unsigned name_offset) const;

 private:
  struct Function {
    FunctionExtent extent;  ///< `begin` is that of the attributes
    Declaration declaration;
    std::string name;
    bool stands_alone = false;       ///< the text is whole without it
    bool is_needed = false;          ///< something outside of these functions names it
    bool is_found_in_use = false;    ///< anything does
    std::vector<std::size_t> named;  ///< which of these functions it names
    bool is_left_out = false;        ///< of the remaining text
  };
  bool is_complete_before(std::size_t offset) const;
  void find_users();
  void choose_left_out();
  bool is_untouched(const Function& function) const;
  const Function* find(unsigned name_offset) const;
  std::size_t moved(std::size_t offset) const { return offset < begin_ ? offset : offset - old_end_ + new_end_; }
  void move(SourceRange& range, const std::string& file) const;
  Position moved(const Position& position) const;

  std::string text_;
  std::vector<Function> functions_;  ///< sorted by the name's offset
  std::vector<std::size_t> lines_;
  // What differs in the new text, between what is common at both ends.
  std::string new_text_;
  std::size_t begin_ = 0;
  std::size_t old_end_ = 0;
  std::size_t new_end_ = 0;
  std::vector<std::size_t> new_lines_;
  std::vector<std::string> new_names_;  ///< identifiers in it, sorted
};

}  // namespace structured::gen
