// A diagnostic about the author's sources: one value, printed as text or SARIF by the command line, and
// handed to Clang's own engine by the plugin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/source_range.h"

namespace structured::gen {

enum class Severity { warning, error };

/// Every kind of diagnostic, from the registry `diagnostic_kinds.def`.
enum class DiagnosticKind {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) identifier,
#include "check/diagnostic_kinds.def"
};

/// `structured-impl-mismatch`, as it is printed in brackets at the end of a message.
const char* name_of(DiagnosticKind kind);
/// The kind with this name; nothing if there is none.
std::optional<DiagnosticKind> kind_named(std::string_view name);
/// The default severity from the registry.
Severity severity_of(DiagnosticKind kind);
/// One line that tells what the kind is about, for documentation and SARIF rules.
const char* summary_of(DiagnosticKind kind);

struct Note {
  std::string message;
  SourceRange range;
  friend bool operator==(const Note&, const Note&) = default;
};

/// Replaces `range` by `text`.
struct FixIt {
  SourceRange range;
  std::string text;
  friend bool operator==(const FixIt&, const FixIt&) = default;
};

/// Facts behind a diagnostic, for programs that act on it; `message` is for people only.
struct DiagnosticData {
  std::string function;                ///< qualified name of the function whose body the diagnostic is about
  std::optional<std::int64_t> output;  ///< index of the output that the function sets, leaves unset or changes
  friend bool operator==(const DiagnosticData&, const DiagnosticData&) = default;
};

struct Diagnostic {
  DiagnosticKind kind;
  std::string message;  ///< lower case, no final period, code in backticks, observed before expected
  SourceRange range;    ///< the narrowest wrong text
  std::vector<Note> notes;
  std::vector<FixIt> fixits;
  DiagnosticData data = {};
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Sorts by place, and leaves out what is there twice.
void sort_unique(std::vector<Diagnostic>& diagnostics);

}  // namespace structured::gen
