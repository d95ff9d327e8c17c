// Writing C++ text: indentation, blank lines and line breaks are settled here and nowhere else, as clang-format
// would settle them, so that no emitter carries spaces.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace structured::gen {

class Writer {
 public:
  /// Writes one line at the current indentation. `text` has no line break in it.
  void line(const llvm::Twine& text);
  /// Asks for one blank line before whatever comes next; nothing if that is the start or the end of a scope or of
  /// the text.
  void blank();
  /// Writes text as comment lines that begin with `marker` (`//` or `///`), broken between words where a line
  /// would be too long. Line breaks in `text` stay.
  void comment(llvm::StringRef marker, llvm::StringRef text);
  /// Writes `before item, item, ... after`. What does not fit on a line goes on below the first item, or, where
  /// that leaves too little room, on lines of its own. `before` ends with the opening bracket.
  void list(const llvm::Twine& before, llvm::ArrayRef<std::string> items, const llvm::Twine& after);

  /// Lines written while it lives stand between an opening line, written at once, and a closing one.
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
  static constexpr unsigned continuation = 4;  ///< indentation of what goes on after a line break
  /// `opening`, then an indented body, then `closing`.
  [[nodiscard]] Scope block(const llvm::Twine& opening, llvm::StringRef closing = "}", unsigned indent = body);
  /// As `block`, with an opening that is broken as `list` breaks it: a function's head.
  [[nodiscard]] Scope block(const llvm::Twine& before, llvm::ArrayRef<std::string> items, const llvm::Twine& after,
                            llvm::StringRef closing = "}");
  /// A function of one statement, which is a call: `head(parameters) { statement(arguments); }`, on one line if it
  /// fits. `head` and `statement` end with the opening bracket.
  void one_call_function(const llvm::Twine& head, llvm::ArrayRef<std::string> parameters, const llvm::Twine& statement,
                         llvm::ArrayRef<std::string> arguments);
  /// `namespace NAME {`, a body that is not indented and set apart by blank lines, `}  // namespace NAME`. An empty
  /// name makes an unnamed one.
  [[nodiscard]] Scope in_namespace(llvm::StringRef name);

  /// The text so far; ends with a line break unless it is empty.
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t columns = 120;
  void raw_line(llvm::StringRef text);

  std::string text_;
  unsigned indent_ = 0;
  bool blank_wanted_ = false;
  bool at_start_ = true;  ///< of the text or of a scope
};

}  // namespace structured::gen
