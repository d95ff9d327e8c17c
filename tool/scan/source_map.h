// Converts Clang source locations to file positions. Uses expansion locations only: locations inside macros and scratch
// buffers vary from run to run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "model/source_range.h"
#include "scan/source_path.h"

namespace structured::gen {

class SourceMap {
 public:
  SourceMap(clang::SourceManager& sources, const clang::LangOptions& language, const SourceRoot& root)
      : sources_(sources), language_(language), root_(root) {}

  /// Returns a half-open range within one file; invalid if `range` is.
  clang::CharSourceRange in_file(clang::SourceRange range) const;
  clang::CharSourceRange in_file(clang::CharSourceRange range) const;

  SourceRange range(clang::SourceRange range) const { return place(in_file(range)); }
  SourceRange range(clang::CharSourceRange range) const { return place(in_file(range)); }

  /// Records a range for take_macro_ranges() that was not obtained from in_file().
  void add_macro_range(clang::CharSourceRange range) const { macro_ranges_.push_back(range); }

  /// Returns the sorted macro expansions that spelled an end of a range requested since the last call.
  std::vector<SourceRange> take_macro_ranges() const;

  /// Returns the text of `range` as valid UTF-8; empty for an invalid range.
  std::string text(clang::CharSourceRange range) const;
  llvm::StringRef raw_text(clang::CharSourceRange range) const;

  /// Returns the `[[` of the attribute list around `inside`, or `inside` if there is none.
  clang::SourceLocation attribute_list_begin(clang::SourceLocation inside) const;

  /// Returns the location past the `]]` of the attribute list around `inside`, or `inside` if there is none.
  clang::SourceLocation attribute_list_end(clang::SourceLocation inside) const;

  /// Returns [begin, end) without trailing white space and comments.
  clang::CharSourceRange trimmed(clang::SourceLocation begin, clang::SourceLocation end) const;

  /// Extends `range` by adjacent `const` and `volatile` tokens, not before `limit`.
  clang::CharSourceRange with_qualifiers(clang::CharSourceRange range, clang::SourceLocation limit) const;

  std::string path(clang::FileID file) const;
  /// Returns the file for which path() returned `path`; invalid if there is none.
  clang::FileID file(llvm::StringRef path) const;

  std::string working_directory() const;

  clang::SourceManager& sources() const { return sources_; }
  const clang::LangOptions& language() const { return language_; }

 private:
  /// Path of a header outside of the source root: relative to the working directory if the header is below it and the
  /// main source is named relatively, so that scans in different folders write equal bytes; otherwise absolute.
  std::string header_path(llvm::StringRef name) const;
  SourceRange place(clang::CharSourceRange range) const;
  Position position(clang::FileID file, unsigned offset) const;
  clang::CharSourceRange expansion(clang::SourceLocation location) const;

  clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  const SourceRoot& root_;
  mutable std::vector<clang::CharSourceRange> macro_ranges_;
  mutable std::map<clang::FileID, std::string> paths_;
  mutable std::map<std::string, clang::FileID, std::less<>> files_;
};

}  // namespace structured::gen
