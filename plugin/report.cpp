#include "report.h"

namespace structured::gen {
namespace {

clang::SourceLocation location(const SourceRange& range, const Position& position, const SourceMap& map) {
  clang::FileID file = map.file(range.file);
  if (file.isInvalid() || !range.valid()) return {};
  return map.sources().translateLineCol(file, position.line, position.column);
}

clang::CharSourceRange char_range(const SourceRange& range, const SourceMap& map) {
  return clang::CharSourceRange::getCharRange(location(range, range.begin, map), location(range, range.end, map));
}

clang::DiagnosticsEngine::Level level(Severity severity, const clang::DiagnosticsEngine& engine) {
  if (severity == Severity::error || engine.getWarningsAsErrors()) return clang::DiagnosticsEngine::Error;
  return clang::DiagnosticsEngine::Warning;
}

}  // namespace

clang::SourceLocation begin_of(const SourceRange& range, const SourceMap& map) {
  return location(range, range.begin, map);
}

void add_range(clang::DiagnosticBuilder& builder, const SourceRange& range, const SourceMap& map) {
  clang::CharSourceRange place = char_range(range, map);
  if (place.isValid()) builder << place;
}

void add_fixits(clang::DiagnosticBuilder& builder, const Diagnostic& diagnostic, const SourceMap& map) {
  for (const FixIt& fixit : diagnostic.fixits) {
    clang::CharSourceRange place = char_range(fixit.range, map);
    if (!place.isValid()) continue;
    builder << (place.getBegin() == place.getEnd() ? clang::FixItHint::CreateInsertion(place.getBegin(), fixit.text)
                                                   : clang::FixItHint::CreateReplacement(place, fixit.text));
  }
}

void report(const Diagnostic& diagnostic, const SourceMap& map, clang::DiagnosticsEngine& engine) {
  Severity severity = severity_of(diagnostic.kind);
  if (severity == Severity::warning && engine.getIgnoreAllWarnings()) return;
  {
    unsigned id = level(severity, engine) == clang::DiagnosticsEngine::Error
                      ? engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0 [%1]")
                      : engine.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0 [%1]");
    clang::DiagnosticBuilder builder = engine.Report(begin_of(diagnostic.range, map), id);
    builder << diagnostic.message << name_of(diagnostic.kind);
    add_range(builder, diagnostic.range, map);
    add_fixits(builder, diagnostic, map);
  }
  unsigned note_id = engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0");
  for (const Note& note : diagnostic.notes) {
    clang::DiagnosticBuilder builder = engine.Report(begin_of(note.range, map), note_id);
    builder << note.message;
    add_range(builder, note.range, map);
  }
}

}  // namespace structured::gen
