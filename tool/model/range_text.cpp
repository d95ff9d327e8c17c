#include "model/range_text.h"

namespace structured::gen {

namespace {

std::string text_of(const Position& position) {
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

// Removes a number from the end of `text`. Rejects leading zeros, so that each position has one spelling.
bool take_number(llvm::StringRef& text, unsigned& number) {
  const llvm::StringRef digits = text.drop_front(text.find_last_not_of("0123456789") + 1);
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0') || digits.getAsInteger(10, number)) return false;
  text = text.drop_back(digits.size());
  return true;
}

bool take_position(llvm::StringRef& text, Position& position) {
  return take_number(text, position.column) && text.consume_back(":") && take_number(text, position.line);
}

}  // namespace

std::string range_text(const SourceRange& range, llvm::StringRef file) {
  std::string text;
  if (range.file != file) text = range.file + ":";
  return text + text_of(range.begin) + "-" + text_of(range.end);
}

std::optional<SourceRange> parse_range(llvm::StringRef text, llvm::StringRef file) {
  SourceRange range;
  if (!take_position(text, range.end) || !text.consume_back("-") || !take_position(text, range.begin)) {
    return std::nullopt;
  }
  if (text.empty()) {
    range.file = file.str();
    return range;
  }
  if (!text.consume_back(":")) return std::nullopt;
  range.file = text.str();
  return range;
}

}  // namespace structured::gen
