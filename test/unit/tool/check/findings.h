// Findings as text that tests can compare: what is underlined, kind, message, notes and edits.
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

/// All findings of `check` over sources that are the whole library, each as
/// ```
/// impl-mismatch at 5 `int`: message
///   note at 2 `double dim`: message
///   edit at 5 `int` to `double`
/// ```
/// Numbers are lines; `kind` comes without `structured-`. A place outside the first source has the file's name before
/// the line; an insertion has its column.
///
/// Classes that the sources may use: `Plan` (with members `dim` and `blocks`), `HiddenPlan`, `HiddenBase`,
/// `FinalBase`, `AbstractBase`, `ArgumentBase` (not default-constructible).
std::string findings(const std::vector<CheckedSource>& sources, bool whole_library = true);
/// Findings with other options. `others` are files that findings may refer to but that are not checked.
std::string findings(const std::vector<CheckedSource>& sources, const CheckOptions& options,
                     const std::vector<CheckedSource>& others);
/// Findings in one source; a leading line break is dropped.
std::string findings(llvm::StringRef text, bool whole_library = true);

/// A line break at the beginning of either text is dropped.
void expect_findings(llvm::StringRef text, llvm::StringRef expected);
void expect_silence(llvm::StringRef text);
/// The text after the edits of all findings.
std::string mended(llvm::StringRef text);
/// Expects the fixes to give `expected`, and no findings after them.
void expect_mended(llvm::StringRef text, llvm::StringRef expected);

}  // namespace structured::gen::test
