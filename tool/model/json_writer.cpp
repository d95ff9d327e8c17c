#include "model/json_writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "model/range_text.h"

namespace structured::gen {

namespace {

/// Whether a character is escaped within quotes.
bool is_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escaped(std::string& text, char c) {
  constexpr llvm::StringLiteral written = "\"\\\b\f\n\r\t";
  constexpr llvm::StringLiteral letters = "\"\\bfnrt";
  text += '\\';
  if (const std::size_t index = written.find(c); index != llvm::StringRef::npos) {
    text += letters[index];
  } else {
    text += "u00";
    text += llvm::hexdigit(static_cast<unsigned char>(c) / 16, /*LowerCase=*/true);
    text += llvm::hexdigit(static_cast<unsigned char>(c) % 16, /*LowerCase=*/true);
  }
}

void append_quoted(std::string& text, llvm::StringRef value) {
  text += '"';
  while (!value.empty()) {
    const llvm::StringRef plain = value.take_until(is_escaped);
    text += plain;
    value = value.drop_front(plain.size());
    if (value.empty()) break;
    append_escaped(text, value.front());
    value = value.drop_front();
  }
  text += '"';
}

}  // namespace

void JsonWriter::write(llvm::StringRef value) {
  // Replaces invalid UTF-8, for example in a comment, which JSON cannot represent.
  if (llvm::json::isUTF8(value)) {
    append_quoted(state_.text, value);
  } else {
    append_quoted(state_.text, llvm::json::fixUTF8(value));
  }
}

void JsonWriter::write(const std::string& value) { write(llvm::StringRef(value)); }
void JsonWriter::write(bool value) { state_.text += value ? "true" : "false"; }
void JsonWriter::write(int64_t value) { state_.text += std::to_string(value); }
void JsonWriter::write(const std::variant<std::string, int64_t, bool>& value) {
  std::visit([&](const auto& alternative) { write(alternative); }, value);
}
void JsonWriter::write(const SourceRange& value) { write(range_text(value, state_.file)); }
void JsonWriter::write(const Schema& value) { write(to_string(value)); }

void JsonWriter::new_line() {
  state_.text += '\n';
  state_.text.append(state_.depth, ' ');
}

void JsonWriter::open_array() {
  state_.text += '[';
  ++state_.depth;
}

void JsonWriter::next_element() {
  if (state_.text.back() != '[') state_.text += ',';
  new_line();
}

void JsonWriter::close_array() {
  --state_.depth;
  if (state_.text.back() != '[') new_line();
  state_.text += ']';
}

void JsonWriter::finish() {
  // Values were written in the order in which the type describes them.
  const std::string values = state_.text.substr(begin_);
  state_.text.resize(begin_);
  struct Member {
    llvm::StringRef key;
    llvm::StringRef value;
  };
  llvm::SmallVector<Member, 16> sorted;
  for (auto [index, member] : llvm::enumerate(members_)) {
    const std::size_t end = index + 1 < members_.size() ? members_[index + 1].begin : begin_ + values.size();
    sorted.push_back({member.key, llvm::StringRef(values).slice(member.begin - begin_, end - begin_)});
  }
  llvm::sort(sorted, [](const Member& a, const Member& b) { return a.key < b.key; });

  state_.text += '{';
  for (const Member& member : sorted) {
    if (&member != sorted.begin()) state_.text += ',';
    new_line();
    append_quoted(state_.text, member.key);
    state_.text += ": ";
    state_.text += member.value;
  }
  --state_.depth;
  if (!sorted.empty()) new_line();
  state_.text += '}';
}

}  // namespace structured::gen
