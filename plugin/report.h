// Hands our diagnostics to Clang's engine.
#pragma once

#include "check/diagnostic.h"
#include "clang/Basic/Diagnostic.h"
#include "scan/source_map.h"

namespace structured::gen {

/// Where a range begins, by the map that has made it.
clang::SourceLocation begin_of(const SourceRange& range, const SourceMap& map);
void add_range(clang::DiagnosticBuilder& builder, const SourceRange& range, const SourceMap& map);
void add_fixits(clang::DiagnosticBuilder& builder, const Diagnostic& diagnostic, const SourceMap& map);

/// Places are looked up in `map`, which has made them. Warnings heed -w and -Werror, which Clang does not apply to
/// diagnostics that are not its own.
void report(const Diagnostic& diagnostic, const SourceMap& map, clang::DiagnosticsEngine& engine);

}  // namespace structured::gen
