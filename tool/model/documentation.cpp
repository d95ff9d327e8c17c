#include "model/documentation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace structured::gen {
namespace {

/// Kinds of commands that begin a part of the comment.
enum class Part { none, text, parameter, returns, throws, remark, code };

Part part_of(llvm::StringRef command) {
  return llvm::StringSwitch<Part>(command)
      .Case("param", Part::parameter)
      .Case("tparam", Part::parameter)
      .Case("return", Part::returns)
      .Case("returns", Part::returns)
      .Case("result", Part::returns)
      .Case("throw", Part::throws)
      .Case("throws", Part::throws)
      .Case("exception", Part::throws)
      .Case("brief", Part::text)
      .Case("short", Part::text)
      .Case("details", Part::text)
      .Case("note", Part::remark)
      .Case("warning", Part::remark)
      .Case("attention", Part::remark)
      .Case("remark", Part::remark)
      .Case("remarks", Part::remark)
      .Case("see", Part::remark)
      .Case("sa", Part::remark)
      .Case("pre", Part::remark)
      .Case("post", Part::remark)
      .Case("since", Part::remark)
      .Case("deprecated", Part::remark)
      .Case("code", Part::code)
      .Case("verbatim", Part::code)
      .Default(Part::none);
}

/// Returns the words that begin the paragraph of a remark.
llvm::StringRef title_of(llvm::StringRef command) {
  return llvm::StringSwitch<llvm::StringRef>(command)
      .Case("warning", "Warning")
      .Case("attention", "Attention")
      .Case("see", "See")
      .Case("sa", "See")
      .Case("pre", "Precondition")
      .Case("post", "Postcondition")
      .Case("since", "Since")
      .Case("deprecated", "Deprecated")
      .Default("Note");
}

bool is_marker(char c) { return c == '\\' || c == '@'; }

/// Returns the command at the front of the text, without its marker; empty if there is none.
llvm::StringRef command_at(llvm::StringRef text) {
  if (text.empty() || !is_marker(text.front())) return {};
  return text.drop_front().take_while([](char c) { return llvm::isAlpha(c); });
}

/// Converts formulas and commands for single words to Markdown, outside of code in backquotes.
std::string inline_markdown(llvm::StringRef text) {
  std::string result;
  bool is_code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const llvm::StringRef rest = text.drop_front(i);
    is_code ^= rest.front() == '`';
    if (is_code || !is_marker(rest.front())) {
      result += rest.front();
      continue;
    }
    const llvm::StringRef formula = rest.substr(1, 2);
    if (formula == "f$" || formula == "f(" || formula == "f)" || formula == "f[" || formula == "f]") {
      result += formula == "f[" || formula == "f]" ? "$$" : "$";
      i += 2;
      continue;
    }
    const llvm::StringRef command = command_at(rest);
    const llvm::StringRef marks = llvm::StringSwitch<llvm::StringRef>(command)
                                      .Case("c", "`")
                                      .Case("p", "`")
                                      .Case("a", "*")
                                      .Case("e", "*")
                                      .Case("em", "*")
                                      .Case("b", "**")
                                      .Default("");
    const std::size_t blanks = rest.drop_front(1 + command.size()).take_while([](char c) { return c == ' '; }).size();
    if (marks.empty() || blanks == 0) {
      result += rest.front();
      continue;
    }
    const llvm::StringRef after = rest.drop_front(1 + command.size() + blanks);
    const llvm::StringRef word = after.take_until([](char c) { return llvm::isSpace(c); }).rtrim(".,;:!?)");
    result.append(marks).append(word).append(marks);
    i += command.size() + blanks + word.size();
  }
  return result;
}

class CommentReader {
 public:
  Documentation read(llvm::StringRef comment) && {
    llvm::SmallVector<llvm::StringRef> lines;
    comment.split(lines, '\n');
    for (const llvm::StringRef line : lines) read_line(line);
    if (is_code_) result_.text += "```\n";  // the block has no end
    finish();
    result_.text = llvm::StringRef(result_.text).trim('\n').str();
    return std::move(result_);
  }

 private:
  void read_line(llvm::StringRef line) {
    const llvm::StringRef trimmed = line.trim();
    const llvm::StringRef command = command_at(trimmed);
    if (is_code_) {
      is_code_ = command != "endcode" && command != "endverbatim";
      result_.text += is_code_ ? (line + "\n").str() : "```\n";
      return;
    }
    const Part part = part_of(command);
    if (trimmed.empty()) {
      finish();
      result_.text += "\n";
    } else if (part == Part::code) {
      finish();
      result_.text += "```\n";
      is_code_ = true;
    } else if (part != Part::none) {
      finish();
      begin(part, command, trimmed.drop_front(1 + command.size()));
    } else if (part_ == Part::none) {
      result_.text += inline_markdown(line.rtrim()) + "\n";
    } else {
      words_.append(words_.empty() ? "" : " ").append(trimmed);
    }
  }

  void begin(Part part, llvm::StringRef command, llvm::StringRef rest) {
    part_ = part;
    if (rest.starts_with("[")) rest = rest.split(']').second;
    rest = rest.ltrim();
    if (part == Part::remark) words_ = (title_of(command) + ": " + rest).str();
    if (part == Part::text || part == Part::returns) words_ = rest.str();
    if (part == Part::parameter || part == Part::throws) {
      const std::size_t end = rest.find_first_of(" \t");
      name_ = rest.take_front(end).str();
      words_ = end == llvm::StringRef::npos ? "" : rest.drop_front(end).ltrim().str();
    }
  }

  /// Stores the part that a blank line or another command ends.
  void finish() {
    const std::string words = inline_markdown(llvm::StringRef(words_).trim());
    switch (part_) {
      case Part::parameter:
        result_.parameters.emplace_back(name_, words);
        break;
      case Part::throws:
        result_.throws.emplace_back(name_, words);
        break;
      case Part::returns:
        result_.returns.append(result_.returns.empty() ? "" : " ").append(words);
        break;
      case Part::text:
        result_.text += words + "\n";
        break;
      case Part::remark:
        result_.text += (llvm::StringRef(result_.text).ends_with("\n\n") ? "" : "\n") + words + "\n";
        break;
      case Part::none:
      case Part::code:
        break;
    }
    part_ = Part::none;
    words_.clear();
  }

  Documentation result_;
  Part part_ = Part::none;
  std::string name_;   ///< the parameter or exception of the current part
  std::string words_;  ///< the text of the current part, on one line
  bool is_code_ = false;
};

}  // namespace

Documentation read_documentation(llvm::StringRef comment) {
  Documentation result = CommentReader().read(comment);
  // Parts between paragraphs leave several blank lines.
  for (std::size_t at = 0; (at = result.text.find("\n\n\n")) != std::string::npos;) result.text.erase(at, 1);
  return result;
}

std::string documentation_markdown(const Documentation& documentation) {
  std::string text = documentation.text;
  const auto paragraph = [&] { text += text.empty() ? "" : "\n\n"; };
  const auto list = [&](llvm::StringRef title, const Documentation::Entries& entries) {
    if (entries.empty()) return;
    paragraph();
    text.append(title).append(":\n");
    for (const auto& [name, words] : entries) {
      text.append("\n- `").append(name).append("`").append(words.empty() ? "" : ": ").append(words);
    }
  };
  list("Parameters", documentation.parameters);
  if (!documentation.returns.empty()) {
    paragraph();
    text += "Returns: " + documentation.returns;
  }
  list("Throws", documentation.throws);
  return text;
}

std::string documentation_docstring(const Documentation& documentation) {
  std::string text = documentation.text;
  const auto section = [&](llvm::StringRef title) { text.append(text.empty() ? "" : "\n\n").append(title); };
  const auto list = [&](llvm::StringRef title, const Documentation::Entries& entries) {
    if (entries.empty()) return;
    section(title);
    for (const auto& [name, words] : entries) {
      text.append("\n    ").append(name).append(words.empty() ? "" : ": ").append(words);
    }
  };
  list("Args:", documentation.parameters);
  if (!documentation.returns.empty()) {
    section("Returns:");
    text.append("\n    ").append(documentation.returns);
  }
  list("Raises:", documentation.throws);
  return text;
}

}  // namespace structured::gen
