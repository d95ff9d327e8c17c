// Framing of the Language Server Protocol: `Content-Length: N`, an empty line, N bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

/// Splits a stream of bytes into messages. Malformed input is reported once and skipped up to the next valid header, so
/// that it does not end the session.
class MessageReader {
 public:
  /// Larger bodies are skipped.
  static constexpr std::size_t size_limit = std::size_t{256} << 20;
  /// Larger headers are malformed.
  static constexpr std::size_t header_limit = 8192;

  struct Item {
    bool is_malformed = false;
    std::string text;  ///< the body, or the error
  };

  void feed(llvm::StringRef bytes) { buffer_.append(bytes.data(), bytes.size()); }

  /// Returns the next message or error; nullopt if more bytes are needed.
  std::optional<Item> next();

 private:
  llvm::StringRef rest() const { return llvm::StringRef(buffer_).drop_front(begin_); }
  void drop(std::size_t count);
  std::optional<Item> read_header();

  std::string buffer_;
  std::size_t begin_ = 0;              ///< end of the bytes already processed
  std::size_t skipped_ = 0;            ///< bytes left to skip of a body that is too large
  std::optional<std::size_t> length_;  ///< length of the next body
  bool is_lost_ = false;               ///< skipping malformed input
};

/// Returns a message with its header.
std::string framed(llvm::StringRef body);

}  // namespace structured::lsp
