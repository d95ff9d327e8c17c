#include "scan/prefilter.h"

#include <cstddef>
#include <optional>
#include <set>

#include "language/attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "model/cpp_names.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral blanks = " \t\r\n\v\f";

/// Whether `text` contains `structured` followed by a colon: `structured::meta`, `structured :: meta`, `using
/// structured: meta`.
bool mentions_attribute_scope(llvm::StringRef text) {
  constexpr llvm::StringLiteral scope = "structured";
  while (true) {
    std::size_t found = text.find(scope);
    if (found == llvm::StringRef::npos) return false;
    text = text.drop_front(found + scope.size());
    llvm::StringRef next = text.ltrim(blanks);
    // Assume a match if a comment or a line splice is between the two, which is rare.
    if (next.starts_with(":") || next.starts_with("/") || next.starts_with("\\")) return true;
  }
}

/// Whether an attribute list of `text` begins with a misspelt scope: `[[structred::meta`, `[[using structred:`.
bool misspells_attribute_scope(llvm::StringRef text) {
  constexpr llvm::StringLiteral opening = "[[";
  while (true) {
    std::size_t found = text.find(opening);
    if (found == llvm::StringRef::npos) return false;
    text = text.drop_front(found + opening.size()).ltrim(blanks);
    if (text.consume_front("using")) text = text.ltrim(blanks);
    llvm::StringRef scope = text.take_while(is_word_character);
    bool has_name = text.drop_front(scope.size()).ltrim(blanks).starts_with(":");
    if (has_name && resembles_scope(scope)) return true;
  }
}

/// Returns the text after the `#` of a directive, which comments may precede; nullopt if the line is not a directive.
/// Directives inside comments or strings count as well.
std::optional<llvm::StringRef> directive(llvm::StringRef line) {
  while (true) {
    line = line.ltrim(blanks);
    if (line.consume_front("#") || line.consume_front("%:")) return line.ltrim(blanks);
    std::size_t comment_end = line.find("*/");
    if (comment_end == llvm::StringRef::npos) return std::nullopt;
    line = line.drop_front(comment_end + 2);
  }
}

/// Whether the directive includes nothing. A number is a line marker of preprocessed text.
bool includes_nothing(llvm::StringRef name, llvm::StringRef rest) {
  if (name.empty()) return rest.empty();     // otherwise a comment or a line splice precedes the name
  if (rest.starts_with("\\")) return false;  // the name may continue on the next line
  return llvm::isDigit(name.front()) ||
         llvm::is_contained({"define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
                             "pragma", "line", "error", "warning", "ident"},
                            name);
}

/// Returns the name of an include directive; empty for `#include MACRO`.
llvm::StringRef included_name(llvm::StringRef rest) {
  rest = rest.ltrim(blanks);
  char close = rest.starts_with("<") ? '>' : '"';
  if (!rest.starts_with("<") && !rest.starts_with("\"")) return {};
  rest = rest.drop_front();
  return rest.take_until([&](char c) { return c == close || c == '\n'; });
}

}  // namespace

const Prefilter::FileFacts& Prefilter::facts(llvm::vfs::FileSystem& files, llvm::StringRef path) {
  auto [entry, is_new] = facts_.try_emplace(path.str());
  FileFacts& result = entry->second;
  if (!is_new) return result;
  auto buffer = files.getBufferForFile(path);
  if (!buffer) return result;
  result.exists = true;
  llvm::StringRef text = (*buffer)->getBuffer();
  result.mentions_scope = mentions_attribute_scope(text) || misspells_attribute_scope(text);
  text.consume_front("\xEF\xBB\xBF");  // a byte order mark
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    std::optional<llvm::StringRef> found = directive(line);
    if (!found) continue;
    llvm::StringRef name = found->take_while(is_word_character);
    llvm::StringRef after = found->drop_front(name.size());
    if (name == "include" || name == "import") {
      llvm::StringRef header = included_name(after);
      if (header.empty()) result.mentions_scope = true;  // unknown before macro expansion
      result.includes.push_back(header.str());
    } else if (!includes_nothing(name, after)) {
      result.mentions_scope = true;  // rare; assume that there is one
    } else if (result.includes.empty() && (name == "define" || name == "undef")) {
      result.defines_before_includes = true;
    }
  }
  return result;
}

Prefilter::Result Prefilter::look_at(llvm::vfs::FileSystem& files, llvm::StringRef source,
                                     const std::vector<std::string>& include_dirs,
                                     const std::vector<std::string>& forced) {
  // Returns the file that an include directive in a file of `directory` names; an empty path if there is none.
  auto find = [&](llvm::StringRef directory, llvm::StringRef name) -> std::string {
    auto consider = [&](llvm::StringRef folder) {
      llvm::SmallString<256> candidate(folder);
      llvm::sys::path::append(candidate, name);
      // Normalizes names: headers that include each other through `..` would recurse forever.
      llvm::sys::path::remove_dots(candidate, /*remove_dot_dot=*/true);
      return facts(files, candidate).exists ? candidate.str().str() : std::string();
    };
    std::string found = consider(directory);
    for (std::size_t i = 0; found.empty() && i < include_dirs.size(); ++i) found = consider(include_dirs[i]);
    return found;
  };

  Result result;
  result.defines_before_includes = facts(files, source).defines_before_includes;
  std::vector<std::string> pending{source.str()};
  for (const std::string& name : forced) {
    std::string header = find(/*directory=*/"", name);
    // A header of a system folder, which is not read, may define macros.
    if (header.empty() || facts(files, header).defines_before_includes) result.defines_before_includes = true;
    if (!header.empty()) pending.push_back(std::move(header));
  }
  std::set<std::string> seen;
  while (!pending.empty()) {
    std::string path = std::move(pending.back());
    pending.pop_back();
    if (!seen.insert(path).second) continue;
    const FileFacts& file = facts(files, path);
    if (!file.exists) continue;
    result.visited.push_back(path);
    if (file.mentions_scope) return result;
    for (const std::string& name : file.includes) {
      std::string header = find(llvm::sys::path::parent_path(path), name);
      if (!header.empty()) pending.push_back(std::move(header));
    }
  }
  result.may_have_annotations = false;
  return result;
}

}  // namespace structured::gen
