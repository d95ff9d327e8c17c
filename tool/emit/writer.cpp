#include "emit/writer.h"

#include <cassert>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {

void Writer::raw_line(llvm::StringRef text) {
  assert(!text.contains('\n') && "one line at a time");
  if (blank_wanted_ && !at_start_) {
    text_ += '\n';
  }
  blank_wanted_ = false;
  at_start_ = false;
  if (!text.empty()) {
    const llvm::StringRef trimmed = text.rtrim();
    text_.append(indent_, ' ').append(trimmed.data(), trimmed.size());
  }
  text_ += '\n';
}

void Writer::line(const llvm::Twine& text) { raw_line(text.str()); }

void Writer::blank() { blank_wanted_ = true; }

void Writer::comment(llvm::StringRef marker, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef rest : lines) {
    const std::size_t room = columns - indent_ - marker.size() - 1;
    rest = rest.rtrim(" \t\r\\");  // a backslash at the end would extend the comment to the next line
    while (rest.size() > room) {
      std::size_t end = rest.rfind(' ', room + 1);
      if (end == llvm::StringRef::npos || rest.take_front(end).trim().empty()) {
        end = rest.find(' ', room);
      }
      if (end == llvm::StringRef::npos) {
        break;
      }
      raw_line((marker + " " + rest.take_front(end)).str());
      rest = rest.drop_front(end).ltrim();
    }
    raw_line(rest.empty() ? marker.str() : (marker + " " + rest).str());
  }
}

namespace {

// A list that needs more lines than this below its first item gets the whole width instead.
constexpr std::size_t most_lines_below_first = 6;

// The items in lines of at most `room` columns, separated by commas.
std::vector<std::string> filled(llvm::ArrayRef<std::string> items, std::size_t room, std::size_t room_of_last) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_last = i + 1 == items.size();
    const std::string item = items[i] + (is_last ? "" : ",");
    std::string& current = lines.back();
    if (!current.empty() && current.size() + 1 + item.size() > (is_last ? room_of_last : room)) {
      lines.push_back(item);
    } else {
      current.append(current.empty() ? "" : " ").append(item);
    }
  }
  return lines;
}

bool fits(llvm::ArrayRef<std::string> lines, std::size_t room, std::size_t room_of_last) {
  for (const std::string& line : lines.drop_back()) {
    if (line.size() > room) {
      return false;
    }
  }
  return lines.back().size() <= room_of_last;
}

}  // namespace

void Writer::list(const llvm::Twine& before, llvm::ArrayRef<std::string> items, const llvm::Twine& after) {
  const std::string head = before.str();
  const std::string tail = after.str();
  // Most lists fit on one line.
  std::size_t size = indent_ + head.size() + tail.size();
  for (const std::string& item : items) {
    size += item.size() + 2;  // with ", " after it
  }
  if (size <= columns + 2) {
    raw_line(head + llvm::join(items, ", ") + tail);
    return;
  }
  const std::size_t hanging = indent_ + continuation;
  const auto room_after = [&](std::size_t column) { return column < columns ? columns - column : 0; };
  const auto room_of_last = [&](std::size_t column) { return room_after(column + tail.size()); };
  // Below the first item.
  const std::size_t column = indent_ + head.size();
  std::vector<std::string> lines = filled(items, room_after(column), room_of_last(column));
  const bool is_narrow = lines.size() > most_lines_below_first;
  if (items.empty() || (!is_narrow && fits(lines, room_after(column), room_of_last(column)))) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string end = i + 1 == lines.size() ? tail : "";
      raw_line(i == 0 ? head + lines[i] + end : std::string(head.size(), ' ') + lines[i] + end);
    }
    return;
  }
  lines = filled(items, room_after(hanging), room_of_last(hanging));
  raw_line(head);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    raw_line(std::string(continuation, ' ') + lines[i] + (i + 1 == lines.size() ? tail : ""));
  }
}

Writer::Scope::Scope(Scope&& other) noexcept
    : writer_(std::exchange(other.writer_, nullptr)), closing_(std::move(other.closing_)), indent_(other.indent_) {}

Writer::Scope::~Scope() {
  if (writer_ == nullptr) {
    return;
  }
  writer_->indent_ -= indent_;
  if (indent_ != 0) {
    writer_->blank_wanted_ = false;
  } else {
    writer_->blank();
  }
  writer_->raw_line(closing_);
}

Writer::Scope Writer::block(const llvm::Twine& opening, llvm::StringRef closing, unsigned indent) {
  raw_line(opening.str());
  at_start_ = true;
  indent_ += indent;
  return Scope(*this, closing.str(), indent);
}

Writer::Scope Writer::block(const llvm::Twine& before, llvm::ArrayRef<std::string> items, const llvm::Twine& after,
                            llvm::StringRef closing) {
  list(before, items, after);
  at_start_ = true;
  indent_ += body;
  return Scope(*this, closing.str(), body);
}

void Writer::one_call_function(const llvm::Twine& head, llvm::ArrayRef<std::string> parameters,
                               const llvm::Twine& statement, llvm::ArrayRef<std::string> arguments) {
  const std::string opening = head.str();
  const std::string call = statement.str();
  const std::string line =
      opening + llvm::join(parameters, ", ") + ") { " + call + llvm::join(arguments, ", ") + "); }";
  if (indent_ + line.size() <= columns) {
    raw_line(line);
    return;
  }
  const Scope scope = block(opening, parameters, ") {");
  list(call, arguments, ");");
}

Writer::Scope Writer::in_namespace(llvm::StringRef name) {
  const std::string head = name.empty() ? "namespace" : ("namespace " + name).str();
  blank();
  raw_line(head + " {");
  blank();
  return Scope(*this, "}  // " + head, 0);
}

}  // namespace structured::gen
