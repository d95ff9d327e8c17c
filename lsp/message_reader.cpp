#include "message_reader.h"

#include <algorithm>

namespace structured::lsp {
namespace {

constexpr llvm::StringLiteral length_field = "content-length:";

/// Returns the length that a header states; nullopt if it is malformed.
std::optional<std::size_t> content_length(llvm::StringRef header) {
  std::optional<std::size_t> result;
  while (!header.empty()) {
    auto [line, tail] = header.split('\n');
    header = tail;
    line = line.rtrim('\r');
    if (line.take_front(length_field.size()).equals_insensitive(length_field)) {
      unsigned long long value = 0;
      if (result || line.drop_front(length_field.size()).trim(" \t").getAsInteger(10, value)) return std::nullopt;
      result = value;
    } else if (!line.contains(':')) {
      return std::nullopt;
    }
  }
  return result;
}

/// Returns the end of the header, including the empty line; npos if it is incomplete.
std::size_t header_size(llvm::StringRef text) {
  std::size_t strict = text.find("\r\n\r\n");
  std::size_t loose = text.find("\n\n");
  if (strict != llvm::StringRef::npos) strict += 4;
  if (loose != llvm::StringRef::npos) loose += 2;
  return std::min(strict, loose);
}

}  // namespace

void MessageReader::drop(std::size_t count) {
  begin_ += count;
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
    if (buffer_.capacity() > (std::size_t{1} << 20)) buffer_.shrink_to_fit();
  } else if (begin_ > (std::size_t{1} << 16)) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
}

std::optional<MessageReader::Item> MessageReader::next() {
  while (true) {
    if (skipped_ > 0) {
      std::size_t count = std::min(skipped_, rest().size());
      skipped_ -= count;
      drop(count);
      if (skipped_ > 0) return std::nullopt;
    }
    if (!length_) {
      std::optional<Item> complaint = read_header();
      if (complaint) return complaint;
      if (!length_ && skipped_ > 0) continue;
      if (!length_) return std::nullopt;
    }
    if (rest().size() < *length_) return std::nullopt;
    Item item{false, rest().take_front(*length_).str()};
    drop(*length_);
    length_.reset();
    return item;
  }
}

/// Parses a complete header and sets `length_` or `skipped_`.
std::optional<MessageReader::Item> MessageReader::read_header() {
  if (is_lost_) {
    // Resynchronizes: the next header may begin anywhere.
    std::size_t found = rest().find_insensitive(length_field);
    if (found == llvm::StringRef::npos) {
      drop(rest().size() - std::min(rest().size(), length_field.size() - 1));
      return std::nullopt;
    }
    drop(found);
    is_lost_ = false;
  }
  std::size_t size = header_size(rest());
  if (size == llvm::StringRef::npos && rest().size() <= header_limit) return std::nullopt;
  if (size == llvm::StringRef::npos || size > header_limit) {
    drop(1);
    is_lost_ = true;
    return Item{true, "expected a header of at most " + std::to_string(header_limit) + " bytes"};
  }
  std::optional<std::size_t> length = content_length(rest().take_front(size).rtrim("\r\n"));
  if (!length) {
    drop(1);
    is_lost_ = true;
    return Item{true, "expected a header with one `Content-Length`"};
  }
  drop(size);
  if (*length > size_limit) {
    skipped_ = *length;
    return Item{true, "expected a message of at most " + std::to_string(size_limit) + " bytes, got one of " +
                          std::to_string(*length)};
  }
  length_ = length;
  return std::nullopt;
}

std::string framed(llvm::StringRef body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body.str();
}

}  // namespace structured::lsp
