// Documentation comments, with the commands of Doxygen that describe functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// The parts of a documentation comment. Texts are Markdown; formulas are `$...$` and `$$...$$`.
struct Documentation {
  using Entries = std::vector<std::pair<std::string, std::string>>;  ///< a name and its description

  std::string text;  ///< everything that belongs to no part below; paragraphs are separated by blank lines
  Entries parameters;
  std::string returns;
  Entries throws;  ///< classes of exceptions
  friend bool operator==(const Documentation&, const Documentation&) = default;
};

/// Reads a comment without its markers. Commands begin with `\` or `@`:
///   param, tparam   a parameter; a direction such as `[in]` is dropped
///   return, returns, result, throw, throws, exception
///   brief           its paragraph is ordinary text
///   note, warning, attention, see, sa, pre, post, since, deprecated   a paragraph that begins with the word
///   code ... endcode, verbatim ... endverbatim   a code block
///   f$ ... f$, f( ... f), f[ ... f]              a formula
///   c, p, a, e, em, b                            mark the next word
/// A part ends at a blank line or at the next command of another part. Other commands remain as written. Commands
/// inside of backquotes are ordinary text.
Documentation read_documentation(llvm::StringRef comment);

/// Returns Markdown: the text, then lists of the parameters, results and exceptions.
std::string documentation_markdown(const Documentation& documentation);

/// Returns a docstring in Google's style: sections `Args:`, `Returns:` and `Raises:` after the text.
std::string documentation_docstring(const Documentation& documentation);

}  // namespace structured::gen
