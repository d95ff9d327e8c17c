// One source as an editor sees it: parsed again and again, with texts that are not on disk yet. Includes no header of
// Clang's, so that what uses it compiles quickly.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "scan/scanner.h"

namespace structured::gen {

/// A text that stands in for that of a file.
struct UnsavedFile {
  std::string text;
  unsigned version = 0;  ///< another one for another text
};

/// By absolute path.
using UnsavedFiles = std::map<std::string, UnsavedFile>;

/// What one parse gave. There is a fragment also where Clang found errors that left every annotated declaration alone;
/// what a body shows is left out of it then, as a body with an error in it may lack the very call that a rule looks
/// for.
struct LiveScan {
  ScanResult scanned;
  bool is_quick = false;          ///< not all was parsed
  bool reused_headers = false;    ///< the headers at the beginning were not parsed again
  bool used_placeholder = false;  ///< an emitted header was not there
};

enum class ScanMode {
  once,   ///< nothing is kept for the next parse
  whole,  ///< headers are kept
  /// The same, and what has not changed since the last whole parse is not parsed again: annotated functions that
  /// nothing else in the source names, bodies of others. What is known of them may be out of date where they use
  /// something that has changed, and headers that have changed on disk are not read again.
  quick,
};

/// Keeps the headers that the source includes first in the parsed form, and reads them again when one of them changes.
/// Not thread-safe; several of them may be used by several threads at once.
class LiveSource {
 public:
  /// `options.pch` is not used.
  LiveSource(ScanOptions options, SourceCommand command);
  LiveSource(LiveSource&&) noexcept;
  LiveSource& operator=(LiveSource&&) noexcept;
  ~LiveSource();

  const SourceCommand& command() const;

  /// Parses the source, its own text among `unsaved` or on disk.
  LiveScan scan(const UnsavedFiles& unsaved, ScanMode mode);

  /// Lets the next parse read the headers again, also where none of those that were read has changed.
  void forget_headers();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace structured::gen
