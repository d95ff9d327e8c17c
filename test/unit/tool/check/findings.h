// Diagnostics as text that tests can compare: underlined text, kind, message, notes and edits.
#pragma once

#include <string>
#include <vector>

#include "../declaration_builder.h"
#include "check/check.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen::test {

struct CheckedSource {
  std::string name;
  std::string text;
};

/// Returns all diagnostics of `check` over the sources of a library, each in the form
/// ```
/// impl-mismatch at 5 `int`: message
///   note at 2 `double dim`: message
///   edit at 5 `int` to `double`
/// ```
/// Numbers are lines; the kind has no prefix `structured-`. Locations outside the first source include the name of the
/// file, and insertions the column.
///
/// The sources may use the classes `Plan` (with members `dim` and `blocks`), `HiddenPlan`, `HiddenBase`,
/// `FinalBase`, `AbstractBase`, `ArgumentBase` (not default-constructible).
std::string findings(const std::vector<CheckedSource>& sources, bool whole_library = true);
/// Overload for other options. `others` are files that are not checked, but to which diagnostics may refer.
std::string findings(const std::vector<CheckedSource>& sources, const CheckOptions& options,
                     const std::vector<CheckedSource>& others);
/// Overload for one source. Drops a line break at its beginning.
std::string findings(llvm::StringRef text, bool whole_library = true);

/// Compares the diagnostics with `expected`. Drops a line break at the beginning of either text.
void expect_findings(llvm::StringRef text, llvm::StringRef expected);
void expect_silence(llvm::StringRef text);
/// Returns the text after all edits.
std::string mended(llvm::StringRef text);
/// Expects the edits to give `expected`, which must have no diagnostics.
void expect_mended(llvm::StringRef text, llvm::StringRef expected);

}  // namespace structured::gen::test
