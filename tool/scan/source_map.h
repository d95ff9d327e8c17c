// From Clang's locations to ours: expansion locations only, because places inside macros and scratch buffers vary
// from run to run.
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

  /// Both ends in one file, half open. Invalid if `range` is.
  clang::CharSourceRange in_file(clang::SourceRange range) const;
  clang::CharSourceRange in_file(clang::CharSourceRange range) const;

  SourceRange range(clang::SourceRange range) const { return place(in_file(range)); }
  SourceRange range(clang::CharSourceRange range) const { return place(in_file(range)); }

  /// Has `take_macro_ranges` give `range`, too, which came here by another way than `in_file`.
  void add_macro_range(clang::CharSourceRange range) const { macro_ranges_.push_back(range); }

  /// Where macros are used that spelled the ends of the ranges asked for since the last call; sorted.
  std::vector<SourceRange> take_macro_ranges() const;

  /// The text of the file, valid UTF-8; nothing for an invalid range.
  std::string text(clang::CharSourceRange range) const;
  llvm::StringRef raw_text(clang::CharSourceRange range) const;

  /// The `[[` that opens the attribute list around `inside`; `inside` itself if it is not in one.
  clang::SourceLocation attribute_list_begin(clang::SourceLocation inside) const;

  /// The `]]` after `inside`, in the same way: just past it.
  clang::SourceLocation attribute_list_end(clang::SourceLocation inside) const;

  /// [begin, end) without the white space and comments at its end.
  clang::CharSourceRange trimmed(clang::SourceLocation begin, clang::SourceLocation end) const;

  /// `range` with the run of `const` and `volatile` around it, looked for no further than [limit, ...).
  clang::CharSourceRange with_qualifiers(clang::CharSourceRange range, clang::SourceLocation limit) const;

  std::string path(clang::FileID file) const;
  /// Where a path that `path` gave came from; no file if it did not.
  clang::FileID file(llvm::StringRef path) const;

  std::string working_directory() const;

  clang::SourceManager& sources() const { return sources_; }
  const clang::LangOptions& language() const { return language_; }

 private:
  /// A precompiled header knows absolute names only. Where the source is named relative to the working directory, so is
  /// the rest, whether or not it comes from there.
  llvm::StringRef name_as_given(llvm::StringRef name) const;
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
