// Builds a diagnostic with its notes and fix-its, and reports it when it is complete.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/diagnostic.h"
#include "check/message.h"

namespace structured::gen {

/// A diagnostic that `emit` reports. Members can be chained, as in `build(...).note(...).fix(...).emit()`, or called on
/// a variable if notes or fix-its depend on conditions.
class [[nodiscard]] DiagnosticBuilder {
 public:
  template <typename... Values>
  DiagnosticBuilder(std::vector<Diagnostic>& diagnostics, DiagnosticKind kind, SourceRange range,
                    FormatFor<Values...> format, const Values&... values)
      : diagnostics_(&diagnostics), diagnostic_{kind, format.print(values...), std::move(range), {}, {}} {}

  DiagnosticBuilder(DiagnosticBuilder&& other) noexcept
      : diagnostics_(std::exchange(other.diagnostics_, nullptr)), diagnostic_(std::move(other.diagnostic_)) {}
  DiagnosticBuilder& operator=(DiagnosticBuilder&&) = delete;

  ~DiagnosticBuilder() { assert(!diagnostics_ && "a diagnostic was built and not emitted"); }

  /// Adds a note at `range`.
  template <typename... Values>
  void note(SourceRange range, FormatFor<Values...> format, const Values&... values) & {
    diagnostic_.notes.push_back({format.print(values...), std::move(range)});
  }
  template <typename... Values>
  [[nodiscard]] DiagnosticBuilder&& note(SourceRange range, FormatFor<Values...> format, const Values&... values) && {
    note<Values...>(std::move(range), format, values...);
    return std::move(*this);
  }

  /// Adds an edit, if there is one. All edits of a diagnostic are applied together.
  void fix(std::optional<FixIt> edit) & {
    if (edit) diagnostic_.fixits.push_back(std::move(*edit));
  }
  [[nodiscard]] DiagnosticBuilder&& fix(std::optional<FixIt> edit) && {
    fix(std::move(edit));
    return std::move(*this);
  }

  /// Names the function whose body the diagnostic is about, and the index of the output.
  void about(std::string function, std::optional<int64_t> output = std::nullopt) & {
    diagnostic_.data = {std::move(function), output};
  }
  [[nodiscard]] DiagnosticBuilder&& about(std::string function, std::optional<int64_t> output = std::nullopt) && {
    about(std::move(function), output);
    return std::move(*this);
  }

  /// Reports the diagnostic. Called once, as the last member.
  void emit() {
    assert(diagnostics_ && "a diagnostic is emitted once");
    std::exchange(diagnostics_, nullptr)->push_back(std::move(diagnostic_));
  }

 private:
  std::vector<Diagnostic>* diagnostics_;  ///< null once the diagnostic is emitted or moved from
  Diagnostic diagnostic_;
};

}  // namespace structured::gen
