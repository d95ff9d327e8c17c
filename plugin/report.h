// Reports diagnostics through Clang's diagnostics engine.
#pragma once

#include "check/diagnostic.h"
#include "clang/Basic/Diagnostic.h"
#include "scan/source_map.h"

namespace structured::gen {

/// Returns the beginning of a range that `map` created.
clang::SourceLocation begin_of(const SourceRange& range, const SourceMap& map);
void add_range(clang::DiagnosticBuilder& builder, const SourceRange& range, const SourceMap& map);
void add_fixits(clang::DiagnosticBuilder& builder, const Diagnostic& diagnostic, const SourceMap& map);

/// Reports a diagnostic whose ranges `map` created. Honors -w and -Werror for warnings, which Clang does not do for
/// custom diagnostics.
void report(const Diagnostic& diagnostic, const SourceMap& map, clang::DiagnosticsEngine& engine);

}  // namespace structured::gen
