// Diagnostics about the author's sources. The command line prints them as text or SARIF; the plugin passes them
// to Clang's diagnostics engine.
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

/// Returns the printed name, `structured-impl-mismatch`, which follows a message in brackets.
const char* name_of(DiagnosticKind kind);
/// Returns the kind with this name; nullopt if there is none.
std::optional<DiagnosticKind> kind_named(std::string_view name);
/// The default severity from the registry.
Severity severity_of(DiagnosticKind kind);
/// Returns a one-line summary for documentation and SARIF rules.
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

/// Machine-readable facts of a diagnostic, so that programs need not parse `message`.
struct DiagnosticData {
  std::string function;           ///< qualified name of the function whose body the diagnostic is about
  std::optional<int64_t> output;  ///< index of the output that the function sets, leaves unset or changes
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

/// Sorts by location and removes duplicates.
void sort_unique(std::vector<Diagnostic>& diagnostics);

}  // namespace structured::gen
