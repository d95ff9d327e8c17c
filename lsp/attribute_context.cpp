#include "attribute_context.h"

#include "llvm/ADT/StringExtras.h"
#include "model/cpp_names.h"

namespace structured::lsp {
namespace {

/// Limit on the length of an attribute list, in bytes.
constexpr std::size_t reach = 8192;

class Reader {
 public:
  Reader(llvm::StringRef text, std::size_t begin, std::size_t offset) : text_(text), at_(begin), offset_(offset) {}

  std::optional<AttributeContext> read() {
    while (at_ <= offset_) {
      char c = at_ < text_.size() ? text_[at_] : '\0';
      if (c == '"') {
        if (read_string()) return found_;
      } else if (gen::is_word_character(c) || at_ == offset_) {
        if (read_word()) return found_;
        if (at_ == offset_) return std::nullopt;
      } else {
        read_sign(c);
      }
    }
    return std::nullopt;
  }

 private:
  /// Returns true if the position is in the string.
  bool read_string() {
    std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    std::size_t end = std::min(at_, text_.size());
    bool is_here = begin <= offset_ && offset_ <= end;
    bool is_closed = end < text_.size() && text_[end] == '"';
    if (!is_here) {
      if (depth_ == 1) strings_.push_back(text_.slice(begin, end).str());
      at_ = end + (is_closed ? 1 : 0);
      return false;
    }
    if (!in_scope_ || depth_ != 1) return false;
    AttributeContext result;
    result.attribute = name_;
    result.index = index_;
    result.arguments = strings_;
    result.begin = begin;
    // An unterminated string ends where a name would, not at the end of the line.
    result.end = end;
    if (!is_closed) {
      result.end = offset_;
    } else {
      add_later(end + 1, result.arguments);
    }
    found_ = std::move(result);
    return true;
  }

  /// Appends the strings after the position, up to the end of the arguments.
  void add_later(std::size_t at, std::vector<std::string>& strings) const {
    while (at < text_.size() && text_[at] != ')' && text_[at] != ']' && text_[at] != ';') {
      if (text_[at++] != '"') continue;
      std::size_t begin = at;
      while (at < text_.size() && text_[at] != '"' && text_[at] != '\n') ++at;
      strings.push_back(text_.slice(begin, at).str());
      ++at;
    }
  }

  /// Returns true if the position is in the name of a `structured` attribute.
  bool read_word() {
    std::size_t begin = at_;
    while (at_ < text_.size() && gen::is_word_character(text_[at_])) ++at_;
    llvm::StringRef word = text_.slice(begin, at_);
    if (depth_ > 0) return false;
    if (in_scope_ && after_colons_ && begin <= offset_ && offset_ <= at_) {
      AttributeContext result;
      result.begin = begin;
      result.end = at_;
      found_ = std::move(result);
      return true;
    }
    if (after_colons_) {
      name_ = word.str();
    } else {
      in_scope_ = word == "structured" || (in_scope_ && is_using_);
      is_using_ = is_using_ || word == "using";
      name_ = word.str();
    }
    after_colons_ = false;
    strings_.clear();
    index_ = 0;
    return false;
  }

  void read_sign(char c) {
    ++at_;
    if (c == '(') ++depth_;
    if (c == ')' && depth_ > 0) --depth_;
    if (depth_ == 1 && c == ',') ++index_;
    if (depth_ > 0 || (c != ':' && c != ',')) return;
    if (c == ',') {
      after_colons_ = is_using_ && in_scope_;
      if (!is_using_) in_scope_ = false;
    } else {
      after_colons_ = true;
    }
  }

  llvm::StringRef text_;
  std::size_t at_;
  std::size_t offset_;
  std::string name_;
  std::vector<std::string> strings_;
  std::size_t index_ = 0;
  unsigned depth_ = 0;
  bool in_scope_ = false;
  bool is_using_ = false;  ///< `using structured: meta, impl`
  bool after_colons_ = false;
  AttributeContext found_;
};

}  // namespace

std::optional<AttributeContext> attribute_context(llvm::StringRef text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t least = offset > reach ? offset - reach : 0;
  llvm::StringRef before = text.slice(least, offset);
  std::size_t open = before.rfind("[[");
  if (open == llvm::StringRef::npos) return std::nullopt;
  std::size_t close = before.rfind("]]");
  if (close != llvm::StringRef::npos && close > open) return std::nullopt;
  return Reader(text, least + open + 2, offset).read();
}

}  // namespace structured::lsp
