// Positions and ranges in source text, as the tool reports and stores them.
//
// Paths are relative to the source root given on the command line when the file lies below it (so that
// fragments are the same bytes on every machine), and as Clang spells them otherwise.
#pragma once

#include <compare>
#include <string>

namespace structured::gen {

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
