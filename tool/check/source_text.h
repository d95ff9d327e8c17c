// Text of the sources that diagnostics refer to, for printing and fixing them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"

namespace structured::gen {

/// Reads each file once. Paths are those of SourceRange, resolved against the source root or, if there is no such file,
/// against the root of generated sources. Not thread-safe.
class SourceText {
 public:
  explicit SourceText(llvm::StringRef source_root, llvm::StringRef generated_root = "")
      : root_(source_root), generated_root_(generated_root) {}

  /// Returns the path of `file` on disk.
  std::string path(llvm::StringRef file) const;
  /// Returns the whole text, or nullopt if it cannot be read.
  std::optional<llvm::StringRef> text(llvm::StringRef file);
  /// Returns a line (counted from 1) without line break, or nullopt if it does not exist.
  std::optional<llvm::StringRef> line(llvm::StringRef file, unsigned line);
  /// Returns the byte offset of a position, or nullopt if it is outside the file.
  std::optional<size_t> offset(llvm::StringRef file, const Position& position);

 private:
  std::string root_;
  std::string generated_root_;
  std::map<std::string, std::optional<std::string>, std::less<>> texts_;
};

}  // namespace structured::gen
