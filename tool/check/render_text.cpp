#include "check/render_text.h"

#include <algorithm>

#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

namespace structured::gen {
namespace {

constexpr unsigned tab_stop = 8;
constexpr unsigned line_number_width = 5;
constexpr std::size_t longest_line = 4096;  // longer source lines are not shown

/// Text with tabs expanded, and its width in terminal columns.
struct Laid {
  std::string text;
  unsigned width = 0;
};

Laid lay(llvm::StringRef text) {
  Laid result;
  while (!text.empty()) {
    auto [part, rest] = text.split('\t');
    int width = llvm::sys::unicode::columnWidthUTF8(part);
    result.text += part;
    result.width += width < 0 ? static_cast<unsigned>(part.size()) : static_cast<unsigned>(width);
    if (part.size() < text.size()) {
      unsigned spaces = tab_stop - result.width % tab_stop;
      result.text.append(spaces, ' ');
      result.width += spaces;
    }
    text = rest;
  }
  return result;
}

class Renderer {
 public:
  Renderer(SourceText& sources, llvm::raw_ostream& out, bool colors) : sources_(sources), out_(out), colors_(colors) {}

  void render(const Diagnostic& diagnostic) {
    bool is_error = severity_of(diagnostic.kind) == Severity::error;
    head(diagnostic.range, is_error ? "error" : "warning",
         is_error ? llvm::raw_ostream::RED : llvm::raw_ostream::MAGENTA,
         diagnostic.message + " [" + name_of(diagnostic.kind) + "]", /*bold=*/true);
    snippet(diagnostic.range, diagnostic.fixits);
    for (const Note& note : diagnostic.notes) {
      head(note.range, "note", llvm::raw_ostream::BLACK, note.message, /*bold=*/false);
      snippet(note.range, {});
    }
  }

 private:
  void color(llvm::raw_ostream::Colors color, bool bold) {
    if (colors_) out_.changeColor(color, bold);
  }
  void plain() {
    if (colors_) out_.resetColor();
  }

  void head(const SourceRange& range, llvm::StringRef severity, llvm::raw_ostream::Colors severity_color,
            llvm::StringRef message, bool bold) {
    if (range.valid()) {
      color(llvm::raw_ostream::SAVEDCOLOR, /*bold=*/true);
      out_ << sources_.path(range.file) << ':' << range.begin.line << ':' << range.begin.column << ": ";
      plain();
    }
    color(severity_color, /*bold=*/true);
    out_ << severity << ": ";
    plain();
    if (bold) color(llvm::raw_ostream::SAVEDCOLOR, /*bold=*/true);
    out_ << message;
    plain();
    out_ << '\n';
  }

  void snippet(const SourceRange& range, llvm::ArrayRef<FixIt> fixits) {
    if (!range.valid()) return;
    std::optional<llvm::StringRef> line = sources_.line(range.file, range.begin.line);
    if (!line || line->size() > longest_line) return;
    out_ << llvm::format_decimal(range.begin.line, line_number_width) << " | " << lay(*line).text << '\n';
    unsigned begin = column(*line, range.begin.column);
    unsigned end = range.end.line == range.begin.line ? column(*line, range.end.column) : lay(*line).width;
    gutter();
    out_.indent(begin);
    color(llvm::raw_ostream::GREEN, /*bold=*/true);
    out_ << '^';
    for (unsigned i = begin + 1; i < end; ++i) out_ << '~';
    plain();
    out_ << '\n';
    fixit_line(range, *line, fixits);
  }

  void fixit_line(const SourceRange& range, llvm::StringRef line, llvm::ArrayRef<FixIt> fixits) {
    std::string inserted;
    unsigned width = 0;
    for (const FixIt& fixit : fixits) {
      bool is_on_line = fixit.range.file == range.file && fixit.range.begin.line == range.begin.line;
      if (!is_on_line || fixit.text.empty() || llvm::StringRef(fixit.text).contains('\n')) continue;
      unsigned begin = column(line, fixit.range.begin.column);
      if (begin < width) continue;  // overlaps the previous one
      inserted.append(begin - width, ' ');
      Laid text = lay(fixit.text);
      inserted += text.text;
      width = begin + text.width;
    }
    if (inserted.empty()) return;
    gutter();
    color(llvm::raw_ostream::GREEN, /*bold=*/false);
    out_ << inserted;
    plain();
    out_ << '\n';
  }

  void gutter() {
    out_.indent(line_number_width);
    out_ << " | ";
  }

  /// Converts a one-based byte column to a zero-based terminal column.
  static unsigned column(llvm::StringRef line, unsigned byte_column) {
    return lay(line.take_front(byte_column == 0 ? 0 : byte_column - 1)).width;
  }

  SourceText& sources_;
  llvm::raw_ostream& out_;
  bool colors_;
};

std::string counted(unsigned count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

}  // namespace

void render_text(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources, llvm::raw_ostream& out, bool colors) {
  Renderer renderer(sources, out, colors);
  for (const Diagnostic& diagnostic : diagnostics) renderer.render(diagnostic);
}

std::string summary_line(unsigned errors, unsigned warnings) {
  if (errors == 0 && warnings == 0) return {};
  std::string result;
  if (warnings > 0) result += counted(warnings, "warning");
  if (errors > 0) result += (result.empty() ? "" : " and ") + counted(errors, "error");
  return result + " generated.\n";
}

}  // namespace structured::gen
