// Incremental reparse of a source: annotated functions that are unchanged since the last full parse, and that nothing
// else in the source names, are not parsed again.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "scan/collector.h"

namespace structured::gen {

class IncrementalReparse {
 public:
  /// Records the declarations of a full parse of `text`.
  IncrementalReparse(std::string text, llvm::ArrayRef<Declaration> declarations,
                     llvm::ArrayRef<FunctionExtent> extents);

  /// Compares with the text to be parsed next, to which the functions below refer.
  void compare(std::string text);

  /// Returns the new text with each function that need not be parsed replaced by an empty declaration and blanks.
  std::string remaining_text() const;
  /// Merges the functions that were not parsed into `declarations`, in source order. `extents` are those of
  /// `declarations`.
  void add_others(std::vector<Declaration>& declarations, llvm::ArrayRef<FunctionExtent> extents) const;

  /// Whether the function whose name is at this offset is unchanged.
  bool is_known(unsigned name_offset) const { return find(name_offset) != nullptr; }
  /// Returns the facts about its body; nullopt if it is not known.
  std::optional<BodyFacts> facts(unsigned name_offset) const;

 private:
  struct Function {
    FunctionExtent extent;  ///< `begin` is the start of the attributes
    Declaration declaration;
    std::string name;
    bool stands_alone = false;       ///< can be removed from the text
    bool is_needed = false;          ///< named outside of these functions
    bool is_found_in_use = false;    ///< named anywhere
    std::vector<std::size_t> named;  ///< indices of the functions that it names
    bool is_left_out = false;        ///< removed from the remaining text
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
  std::vector<Function> functions_;  ///< sorted by offset of the name
  std::vector<std::size_t> lines_;
  // The range that differs: [begin, end) between the common prefix and the common suffix.
  std::string new_text_;
  std::size_t begin_ = 0;
  std::size_t old_end_ = 0;
  std::size_t new_end_ = 0;
  std::vector<std::size_t> new_lines_;
  std::vector<std::string> new_names_;  ///< identifiers in the changed range, sorted
};

}  // namespace structured::gen
