// Writer of C++ text. It alone handles indentation, blank lines and line breaks, and formats as clang-format would.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace structured::gen {

class Writer {
 public:
  /// Writes one line at the current indentation. `text` contains no line break.
  void line(const llvm::Twine& text);
  /// Requests one blank line before the next line. Ignored at the start and the end of a scope and of the text.
  void blank();
  /// Writes text as comment lines that begin with `marker` (`//` or `///`), broken between words where a line
  /// would be too long. Keeps line breaks in `text`.
  void comment(llvm::StringRef marker, llvm::StringRef text);
  /// Writes `before item, item, ... after`. Items that do not fit on the line are aligned below the first item or, if
  /// that leaves too little room, start on the next line. `before` ends with the opening bracket.
  void list(const llvm::Twine& before, llvm::ArrayRef<std::string> items, const llvm::Twine& after);

  /// A pair of an opening line, written by the constructor, and a closing line, written by the destructor.
  class Scope {
   public:
    Scope(Scope&& other) noexcept;
    Scope& operator=(Scope&&) = delete;
    ~Scope();

   private:
    friend class Writer;
    Scope(Writer& writer, std::string closing, unsigned indent)
        : writer_(&writer), closing_(std::move(closing)), indent_(indent) {}
    Writer* writer_;
    std::string closing_;
    unsigned indent_;
  };
  static constexpr unsigned body = 2;          ///< indentation of statements
  static constexpr unsigned continuation = 4;  ///< indentation of continuation lines
  /// `opening`, then an indented body, then `closing`.
  [[nodiscard]] Scope block(const llvm::Twine& opening, llvm::StringRef closing = "}", unsigned indent = body);
  /// A block whose opening is broken like a `list`, for the head of a function.
  [[nodiscard]] Scope block(const llvm::Twine& before, llvm::ArrayRef<std::string> items, const llvm::Twine& after,
                            llvm::StringRef closing = "}");
  /// A function whose body is one call, `head(parameters) { statement(arguments); }`, on one line if it fits. `head`
  /// and `statement` end with the opening bracket.
  void one_call_function(const llvm::Twine& head, llvm::ArrayRef<std::string> parameters, const llvm::Twine& statement,
                         llvm::ArrayRef<std::string> arguments);
  /// A namespace. Its body is not indented. An empty name makes an unnamed namespace.
  [[nodiscard]] Scope in_namespace(llvm::StringRef name);

  /// The text so far; ends with a line break unless it is empty.
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t columns = 120;
  void raw_line(llvm::StringRef text);

  std::string text_;
  unsigned indent_ = 0;
  bool blank_wanted_ = false;
  bool at_start_ = true;  ///< whether the next line is the first of the text or a scope
};

}  // namespace structured::gen
