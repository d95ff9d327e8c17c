// The files that the editor has open, and those on disk.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "incremental/live_source.h"
#include "llvm/Support/Chrono.h"
#include "text_document.h"

namespace structured::lsp {

class Documents {
 public:
  struct Open {
    TextDocument document;
    std::int64_t version = 0;  ///< the editor's
  };

  /// Files with more bytes are kept, and not parsed.
  static constexpr std::size_t size_limit = std::size_t{8} << 20;

  void open(const std::string& path, std::string text, std::int64_t version);
  void close(const std::string& path);
  Open* find(const std::string& path);
  /// To be called when a document's text has changed.
  void changed(const std::string& path);

  const std::map<std::string, Open>& all() const { return open_; }

  /// The open documents, as a parse sees them. Large ones are left out.
  const gen::UnsavedFiles& unsaved() const { return unsaved_; }

  /// The text of any file, open or not; null if it cannot be read. Holds until the next call.
  const TextDocument* text(const std::string& path);

 private:
  struct Cached {
    TextDocument document;
    llvm::sys::TimePoint<> time;
    std::uint64_t size = 0;
  };
  std::map<std::string, Open> open_;
  gen::UnsavedFiles unsaved_;
  unsigned next_version_ = 1;
  std::map<std::string, Cached> on_disk_;
};

}  // namespace structured::lsp
