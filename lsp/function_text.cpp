#include "function_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/cpp_names.h"

namespace structured::lsp {
namespace {

/// Returns the end of the string, character or comment that begins at `at`, or `at` if none does.
std::size_t skip_opaque(llvm::StringRef text, std::size_t at) {
  llvm::StringRef rest = text.drop_front(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    std::size_t end = text.find("*/", at + 2);
    return end == llvm::StringRef::npos ? text.size() : end + 2;
  }
  if (rest.starts_with("R\"") && (at == 0 || !gen::is_word_character(text[at - 1]))) {
    std::size_t open = text.find('(', at);
    if (open == llvm::StringRef::npos) return text.size();
    std::string close = (")" + text.slice(at + 2, open) + "\"").str();
    std::size_t end = text.find(close, open);
    return end == llvm::StringRef::npos ? text.size() : end + close.size();
  }
  bool is_separator = rest.front() == '\'' && at > 0 && llvm::isAlnum(text[at - 1]);  // 1'000
  if ((rest.front() != '"' && rest.front() != '\'') || is_separator) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != rest.front() && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// Returns the offset past the bracket that closes the one at `open`.
std::size_t skip_brackets(llvm::StringRef text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size();) {
    std::size_t next = skip_opaque(text, at);
    if (next != at) {
      at = next;
      continue;
    }
    char c = text[at++];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at;
  }
  return text.size();
}

std::size_t skip_blanks(llvm::StringRef text, std::size_t at) {
  while (at < text.size()) {
    if (llvm::isSpace(text[at])) {
      ++at;
    } else if (llvm::StringRef rest = text.drop_front(at); rest.starts_with("//") || rest.starts_with("/*")) {
      at = skip_opaque(text, at);
    } else {
      break;
    }
  }
  return at;
}

/// Returns whether the word at `at` continues the statement of the block before it.
bool continues_statement(llvm::StringRef text, std::size_t at) {
  llvm::StringRef rest = text.drop_front(skip_blanks(text, at));
  return rest.starts_with("else") || rest.starts_with("catch") || rest.starts_with("while");
}

}  // namespace

std::optional<TextRange> body_after(llvm::StringRef text, std::size_t from) {
  std::size_t at = skip_blanks(text, from);
  if (text.drop_front(at).starts_with("noexcept")) at = skip_blanks(text, at + 8);
  if (at >= text.size() || text[at] != '{') return std::nullopt;
  return TextRange{at, skip_brackets(text, at)};
}

std::size_t function_end(llvm::StringRef text, std::size_t from) {
  if (std::optional<TextRange> body = body_after(text, from)) return body->end;
  std::size_t end = text.find(';', from);
  return end == llvm::StringRef::npos ? text.size() : end + 1;
}

std::vector<std::string> statements(llvm::StringRef body) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  auto finish = [&](std::size_t end) {
    llvm::StringRef statement = body.slice(begin, end).trim();
    if (!statement.empty()) result.push_back(statement.str());
    begin = end;
  };
  for (std::size_t at = 0; at < body.size();) {
    std::size_t next = skip_opaque(body, at);
    if (next != at) {
      at = next;
      continue;
    }
    char c = body[at];
    if (c == ';') {
      ++at;
      std::size_t blank = std::min(body.find_first_not_of(" \t", at), body.size());
      if (body.drop_front(blank).starts_with("//"))
        at = skip_opaque(body, blank);  // trailing comment of this statement
      finish(at);
    } else if (c == '{') {
      // A block ends a statement, but the braces of an initializer or a lambda do not.
      llvm::StringRef before = body.slice(begin, at).rtrim();
      at = skip_brackets(body, at);
      bool is_block = before.empty() || before.ends_with(")") || before.ends_with("else") || before.ends_with("do") ||
                      before.ends_with("try");
      std::size_t after = skip_blanks(body, at);
      bool is_expression = after < body.size() && llvm::StringRef(";,).").contains(body[after]);
      if (is_block && !is_expression && !continues_statement(body, at)) finish(at);
    } else if (c == '(' || c == '[') {
      at = skip_brackets(body, at);
    } else {
      ++at;
    }
  }
  finish(body.size());
  return result;
}

std::set<std::string> identifiers(llvm::StringRef text) {
  std::set<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = skip_opaque(text, at);
    if (next != at) {
      at = next;
    } else if (gen::is_word_character(text[at])) {
      std::size_t begin = at;
      while (at < text.size() && gen::is_word_character(text[at])) ++at;
      if (!llvm::isDigit(text[begin])) result.insert(text.slice(begin, at).str());
    } else {
      ++at;
    }
  }
  return result;
}

std::vector<std::string> declared_names(llvm::StringRef statement) {
  llvm::StringRef text = statement.drop_front(skip_blanks(statement, 0));
  for (llvm::StringRef keyword : {"return", "if", "for", "while", "switch", "do", "throw", "using", "delete"}) {
    if (text.starts_with(keyword) && (text.size() == keyword.size() || !gen::is_word_character(text[keyword.size()])))
      return {};
  }
  // The declarator ends at the initializer: `Type name = ...`, `Type name(...)`, `auto [a, b] = ...`.
  std::size_t at = 0;
  unsigned angles = 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == '<') ++angles;
    if (c == '>' && angles > 0) --angles;
    if (angles > 0) continue;
    if (c == '[' && text.slice(0, at).rtrim(" &").ends_with("auto")) {
      std::size_t close = text.find(']', at);
      if (close == llvm::StringRef::npos) return {};
      std::set<std::string> names = identifiers(text.slice(at, close));
      return {names.begin(), names.end()};
    }
    if (c == '=' || c == '(' || c == '{' || c == ';' || c == '.') break;
  }
  if (at == text.size() || text[at] == '.') return {};
  llvm::StringRef head = text.take_front(at).rtrim();
  std::size_t name = head.size();
  while (name > 0 && gen::is_word_character(head[name - 1])) --name;
  llvm::StringRef type = head.take_front(name).rtrim();
  if (name == head.size() || type.empty() || type.ends_with(":")) return {};
  return {head.drop_front(name).str()};
}

std::optional<std::vector<std::string>> call_arguments(llvm::StringRef text, std::size_t open) {
  std::size_t end = skip_brackets(text, open);
  if (end == text.size() && !text.ends_with(")")) return std::nullopt;
  std::vector<std::string> result;
  std::size_t begin = open + 1;
  for (std::size_t at = begin; at + 1 < end;) {
    std::size_t next = skip_opaque(text, at);
    if (next != at) {
      at = next;
    } else if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = skip_brackets(text, at);
    } else if (text[at++] == ',') {
      result.push_back(text.slice(begin, at - 1).trim().str());
      begin = at;
    }
  }
  llvm::StringRef last = text.slice(begin, end - 1).trim();
  if (!last.empty()) result.push_back(last.str());
  return result;
}

std::string indented(llvm::StringRef text, llvm::StringRef indentation) {
  std::string result;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.empty()) result += indentation.str() + line.str();
    result += '\n';
  }
  result.pop_back();
  return result;
}

}  // namespace structured::lsp
