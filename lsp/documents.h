// Files open in the editor, and files on disk.
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
    int64_t version = 0;  ///< version number assigned by the editor
  };

  /// Larger files are stored but not parsed.
  static constexpr std::size_t size_limit = std::size_t{8} << 20;

  void open(const std::string& path, std::string text, int64_t version);
  void close(const std::string& path);
  Open* find(const std::string& path);
  /// Must be called after the text of a document has changed.
  void changed(const std::string& path);

  const std::map<std::string, Open>& all() const { return open_; }

  /// Returns the open documents for a parse, without large ones.
  const gen::UnsavedFiles& unsaved() const { return unsaved_; }

  /// Returns the text of any file, open or on disk, or null if it cannot be read. Valid until the next call.
  const TextDocument* text(const std::string& path);

 private:
  struct Cached {
    TextDocument document;
    llvm::sys::TimePoint<> time;
    uint64_t size = 0;
  };
  std::map<std::string, Open> open_;
  gen::UnsavedFiles unsaved_;
  unsigned next_version_ = 1;
  std::map<std::string, Cached> on_disk_;
};

}  // namespace structured::lsp
