// A source that is parsed repeatedly while it is edited, from texts that may not be saved. Includes no Clang header, so
// that users compile quickly.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "scan/scanner.h"

namespace structured::gen {

/// Unsaved text of a file.
struct UnsavedFile {
  std::string text;
  unsigned version = 0;  ///< changes with the text
};

/// Unsaved files by absolute path.
using UnsavedFiles = std::map<std::string, UnsavedFile>;

/// Result of one parse. A fragment exists even if Clang reports errors, unless they affect annotated declarations. Body
/// facts are dropped if there are errors, because a body with an error may lack the call that a rule expects.
struct LiveScan {
  ScanResult scanned;
  bool is_quick = false;          ///< parts of the source were not parsed
  bool reused_headers = false;    ///< the preamble was reused
  bool used_placeholder = false;  ///< an emitted header is missing
};

enum class ScanMode {
  once,   ///< keeps nothing for the next parse
  whole,  ///< keeps the preamble
  /// Like `whole`, but skips what is unchanged since the last whole parse: annotated functions that nothing else names,
  /// and bodies of others. Facts about them may be stale if they use something that changed, and changed headers on
  /// disk are not read again.
  quick,
};

/// Keeps the leading includes of the source as a precompiled preamble, which is rebuilt when one of the headers
/// changes. Not thread-safe; different objects may be used by different threads.
class LiveSource {
 public:
  /// Ignores `options.pch`.
  LiveSource(ScanOptions options, SourceCommand command);
  LiveSource(LiveSource&&) noexcept;
  LiveSource& operator=(LiveSource&&) noexcept;
  ~LiveSource();

  const SourceCommand& command() const;

  /// Parses the source, from `unsaved` or from disk.
  LiveScan scan(const UnsavedFiles& unsaved, ScanMode mode);

  /// Discards the preamble, so that the next parse rebuilds it.
  void forget_headers();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace structured::gen
