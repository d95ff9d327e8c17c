// The tool's places as the protocol has them.
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

  /// The path behind a URI of the client's, symbolic links resolved; empty if it is not a file's.
  std::string path(llvm::StringRef uri);
  /// The client's own URI where it has named the file before.
  std::string uri(const std::string& path) const;
  /// Of an open file.
  std::optional<std::int64_t> version(const std::string& path) const;

  /// `range.file` is an absolute path. An empty span at the beginning where the file cannot be read.
  Span span(const gen::SourceRange& range);
  Json location(const gen::SourceRange& range);

 private:
  Documents& documents_;
  Encoding encoding_ = Encoding::utf16;
  std::map<std::string, std::string> uris_;  ///< by path
};

/// A new text for a place.
struct Edit {
  gen::SourceRange range;  ///< `file` is an absolute path
  std::string text;
};

/// The edits of one or many files as a WorkspaceEdit.
Json workspace_edit(const std::vector<Edit>& edits, Locations& locations);

}  // namespace structured::lsp
