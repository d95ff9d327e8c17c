// The framing of the Language Server Protocol: `Content-Length: N`, an empty line, N bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

/// Cuts a stream of bytes into messages. What is malformed is told once and skipped, up to the next header that makes
/// sense, so that one bad message is not the end of a session.
class MessageReader {
 public:
  /// Bodies of more bytes are skipped unread.
  static constexpr std::size_t size_limit = std::size_t{256} << 20;
  /// Headers of more bytes are malformed.
  static constexpr std::size_t header_limit = 8192;

  struct Item {
    bool is_malformed = false;
    std::string text;  ///< the body, or what is wrong
  };

  void feed(llvm::StringRef bytes) { buffer_.append(bytes.data(), bytes.size()); }

  /// The next message or complaint; nothing until more bytes come.
  std::optional<Item> next();

 private:
  llvm::StringRef rest() const { return llvm::StringRef(buffer_).drop_front(begin_); }
  void drop(std::size_t count);
  std::optional<Item> read_header();

  std::string buffer_;
  std::size_t begin_ = 0;              ///< what is before it was read
  std::size_t skipped_ = 0;            ///< how many bytes are still to come of a body that is too large
  std::optional<std::size_t> length_;  ///< of the body that comes next
  bool is_lost_ = false;               ///< skipping what is malformed
};

/// A message with its header.
std::string framed(llvm::StringRef body);

}  // namespace structured::lsp
