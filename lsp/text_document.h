// Text of one file, with positions as editors count them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json_rpc.h"
#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"

namespace structured::lsp {

/// Unit of `character` in a position.
enum class Encoding { utf8, utf16 };

/// Zero-based line and character.
struct Place {
  unsigned line = 0;
  unsigned character = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Span {
  Place begin;
  Place end;
  friend auto operator<=>(const Span&, const Span&) = default;
};

/// Positions are clamped: beyond the end of a line to that end, beyond the text to the end of the text.
class TextDocument {
 public:
  TextDocument() : TextDocument("") {}
  explicit TextDocument(std::string text);

  const std::string& text() const { return text_; }
  std::size_t offset(const Place& place, Encoding encoding) const;
  Place place(std::size_t offset, Encoding encoding) const;
  /// Converts from positions of the tool, which count bytes.
  std::size_t offset(const gen::Position& position) const;
  Span span(const gen::SourceRange& range, Encoding encoding) const;
  gen::Position position(std::size_t offset) const;

  /// Replaces a range of the text.
  void replace(std::size_t begin, std::size_t end, llvm::StringRef text);

 private:
  void find_lines();
  llvm::StringRef line(unsigned index) const;

  std::string text_;
  std::vector<std::size_t> lines_;  ///< offsets of line starts
};

Json to_json(const Place& place);
Json to_json(const Span& span);
/// Returns false if the value is malformed.
bool from_json(const Json* value, Place& place);
bool from_json(const Json* value, Span& span);

}  // namespace structured::lsp
