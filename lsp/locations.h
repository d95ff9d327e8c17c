// Converts source locations to protocol locations.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "documents.h"
#include "text_document.h"

namespace structured::lsp {

class Locations {
 public:
  explicit Locations(Documents& documents) : documents_(documents) {}

  void set_encoding(Encoding encoding) { encoding_ = encoding; }
  Encoding encoding() const { return encoding_; }

  /// Returns the path of a URI with symbolic links resolved; empty if it is not a file URI.
  std::string path(llvm::StringRef uri);
  /// Returns the URI by which the client named the file, if it did.
  std::string uri(const std::string& path) const;
  /// Returns the version of an open file.
  std::optional<int64_t> version(const std::string& path) const;

  /// Converts a range with an absolute path. Returns an empty span at the beginning if the file cannot be read.
  Span span(const gen::SourceRange& range);
  Json location(const gen::SourceRange& range);

 private:
  Documents& documents_;
  Encoding encoding_ = Encoding::utf16;
  std::map<std::string, std::string> uris_;  ///< by path
};

/// Replaces a range by text.
struct Edit {
  gen::SourceRange range;  ///< `file` is an absolute path
  std::string text;
};

/// Converts edits of one or more files to a WorkspaceEdit.
Json workspace_edit(const std::vector<Edit>& edits, Locations& locations);

}  // namespace structured::lsp
