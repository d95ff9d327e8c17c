// Positions and ranges in source text, in diagnostics and stored files.
//
// Paths of files below the source root are relative to it, so that fragments have equal bytes on every machine. Other
// paths are spelled as Clang prints them.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace structured::gen {

/// Whether `path` is below the source root.
inline bool is_below_root(std::string_view path) { return !path.starts_with("/") && !path.starts_with("../"); }

/// A position in a file. Lines and columns count from 1, columns in bytes. Line 0 means "no position".
struct Position {
  unsigned line = 0;
  unsigned column = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// The half-open range [begin, end) of one file; begin == end is an insertion point.
struct SourceRange {
  std::string file;
  Position begin;
  Position end;
  bool valid() const { return begin.line != 0; }
  friend auto operator<=>(const SourceRange&, const SourceRange&) = default;
};

}  // namespace structured::gen
