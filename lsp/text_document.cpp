#include "text_document.h"

#include <algorithm>

namespace structured::lsp {
namespace {

/// Returns the size in bytes and in UTF-16 units of the character that begins with this byte. An invalid byte counts as
/// one character.
struct Width {
  std::size_t bytes;
  unsigned units;
};

Width width(llvm::StringRef text) {
  auto c = static_cast<unsigned char>(text.front());
  std::size_t bytes = c >= 0xF0 && c < 0xF8 ? 4 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xC0 && c < 0xE0 ? 2 : 1;
  return {std::min(bytes, text.size()), bytes == 4 ? 2U : 1U};
}

}  // namespace

TextDocument::TextDocument(std::string text) : text_(std::move(text)) { find_lines(); }

void TextDocument::find_lines() {
  lines_.assign(1, 0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'))) {
      lines_.push_back(i + 1);
    }
  }
}

llvm::StringRef TextDocument::line(unsigned index) const {
  std::size_t begin = lines_[index];
  std::size_t end = index + 1 < lines_.size() ? lines_[index + 1] : text_.size();
  return llvm::StringRef(text_).slice(begin, end).rtrim("\r\n");
}

std::size_t TextDocument::offset(const Place& place, Encoding encoding) const {
  if (place.line >= lines_.size()) return text_.size();
  llvm::StringRef text = line(place.line);
  if (encoding == Encoding::utf8) return lines_[place.line] + std::min<std::size_t>(place.character, text.size());
  std::size_t result = lines_[place.line];
  for (unsigned units = 0; units < place.character && !text.empty();) {
    Width next = width(text);
    units += next.units;
    if (units > place.character) break;  // inside a surrogate pair
    result += next.bytes;
    text = text.drop_front(next.bytes);
  }
  return result;
}

Place TextDocument::place(std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, text_.size());
  auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  Place result;
  result.line = static_cast<unsigned>(next - lines_.begin() - 1);
  llvm::StringRef text = llvm::StringRef(text_).slice(lines_[result.line], offset);
  if (encoding == Encoding::utf8) {
    result.character = static_cast<unsigned>(text.size());
    return result;
  }
  while (!text.empty()) {
    Width character = width(text);
    result.character += character.units;
    text = text.drop_front(character.bytes);
  }
  return result;
}

std::size_t TextDocument::offset(const gen::Position& position) const {
  if (position.line == 0) return 0;
  if (position.line > lines_.size()) return text_.size();
  std::size_t column = position.column > 0 ? position.column - 1 : 0;
  return std::min(lines_[position.line - 1] + column, text_.size());
}

Span TextDocument::span(const gen::SourceRange& range, Encoding encoding) const {
  return {place(offset(range.begin), encoding), place(offset(range.end), encoding)};
}

gen::Position TextDocument::position(std::size_t offset) const {
  Place result = place(offset, Encoding::utf8);
  return {result.line + 1, result.character + 1};
}

void TextDocument::replace(std::size_t begin, std::size_t end, llvm::StringRef text) {
  begin = std::min(begin, text_.size());
  end = std::clamp(end, begin, text_.size());
  text_.replace(begin, end - begin, text.data(), text.size());
  find_lines();
}

Json to_json(const Place& place) { return JsonObject{{"line", place.line}, {"character", place.character}}; }

Json to_json(const Span& span) { return JsonObject{{"start", to_json(span.begin)}, {"end", to_json(span.end)}}; }

bool from_json(const Json* value, Place& place) {
  const JsonObject* object = value ? value->getAsObject() : nullptr;
  if (!object) return false;
  auto line = object->getInteger("line");
  auto character = object->getInteger("character");
  constexpr int64_t most = INT32_MAX;
  if (!line || !character || *line < 0 || *character < 0) return false;
  place = {static_cast<unsigned>(std::min(*line, most)), static_cast<unsigned>(std::min(*character, most))};
  return true;
}

bool from_json(const Json* value, Span& span) {
  const JsonObject* object = value ? value->getAsObject() : nullptr;
  return object && from_json(object->get("start"), span.begin) && from_json(object->get("end"), span.end);
}

}  // namespace structured::lsp
