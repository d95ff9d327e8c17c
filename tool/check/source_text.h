// The sources that diagnostics point into, read again to show and to mend them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"

namespace structured::gen {

/// Reads each file once. Paths are those of SourceRange, resolved against the source root. Not thread-safe.
class SourceText {
 public:
  explicit SourceText(llvm::StringRef source_root) : root_(source_root) {}

  /// Where `file` lies on disk.
  std::string path(llvm::StringRef file) const;
  /// The whole text, or nothing if it cannot be read.
  std::optional<llvm::StringRef> text(llvm::StringRef file);
  /// Line `line` (from 1) without its end, or nothing if there is none.
  std::optional<llvm::StringRef> line(llvm::StringRef file, unsigned line);
  /// The byte offset of a position, or nothing if it lies outside the file.
  std::optional<size_t> offset(llvm::StringRef file, const Position& position);

 private:
  std::string root_;
  std::map<std::string, std::optional<std::string>, std::less<>> texts_;
};

}  // namespace structured::gen
