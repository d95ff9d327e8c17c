#include "check/apply_fixits.h"
#include "check/check.h"
#include "check/render_sarif.h"
#include "check/render_text.h"
#include "commands.h"
#include "derive/derive.h"
#include "inputs.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include "output_file.h"

namespace structured::gen {
namespace {

bool is_fragment(llvm::StringRef path) { return path.ends_with(".json") || path == "-"; }

/// Reads the fragments among the inputs and scans the sources. Returns std::nullopt after errors, which have been
/// printed or are in `findings`.
std::optional<std::vector<Fragment>> fragments_of(const CommandLine& line, std::vector<Diagnostic>& findings) {
  std::vector<std::string> paths;
  std::vector<std::string> sources;
  for (const std::string& input : line.inputs) (is_fragment(input) ? paths : sources).push_back(input);
  auto result = read_fragments(paths);
  if (!result) {
    fail(line, llvm::toString(result.takeError()));
    return std::nullopt;
  }
  if (sources.empty()) return std::move(*result);
  auto scanned = scan_sources(line, sources, &findings);
  if (!scanned) return std::nullopt;
  for (ScannedSource& source : *scanned) result->push_back(std::move(source.fragment));
  return std::move(*result);
}

/// Applies fix-its to the sources and prints their number. Returns false after printing an error.
bool write_fixes(const CommandLine& line, const std::vector<Diagnostic>& diagnostics) {
  SourceText sources(line.source_root);
  AppliedFixIts fixes = apply_fixits(diagnostics, sources);
  for (const auto& [file, text] : fixes.files) {
    if (llvm::Error error = write_output(sources.path(file), text)) {
      fail(line, llvm::toString(std::move(error)));
      return false;
    }
  }
  llvm::errs() << "applied the fixes of " << fixes.applied << " of " << diagnostics.size() << " diagnostics";
  if (fixes.skipped > 0) llvm::errs() << "; " << fixes.skipped << " overlap others: run again";
  llvm::errs() << '\n';
  return true;
}

/// Prints the diagnostics in the requested format and applies fix-its if requested. Returns false after printing an
/// error.
bool present(const CommandLine& line, const std::vector<Diagnostic>& diagnostics) {
  if (line.format == "sarif") {
    SourceText sources(line.source_root);
    std::string log = render_sarif(diagnostics, sources, STRUCTURED_VERSION);
    if (llvm::Error error = write_output(line.output.empty() ? "-" : line.output, log)) {
      fail(line, llvm::toString(std::move(error)));
      return false;
    }
  } else {
    report(line, diagnostics);
  }
  return !line.applies_fixits || diagnostics.empty() || write_fixes(line, diagnostics);
}

}  // namespace

int run_check(const CommandLine& line) {
  std::vector<Diagnostic> findings;
  auto fragments = fragments_of(line, findings);
  if (!fragments) {
    if (!findings.empty()) present(line, findings);
    return exit_errors;
  }
  auto target = target_of(line, *fragments);
  if (!target) return fail(line, llvm::toString(target.takeError()));
  auto imports = read_imports(line, **target);
  if (!imports) return exit_errors;
  std::vector<Diagnostic> diagnostics = check(*fragments, (*target)->types(), check_options(line, **target, *imports));
  // Operators with errors cannot be compared with the lock file or written to it.
  std::optional<Library> library;
  if (!line.lock.empty() && !has_errors(diagnostics)) {
    library =
        derive(*fragments, (*target)->types(), line.schema_namespace, line.cpp_namespace, *imports, line.backends);
    auto drift = lock_drift(line, *library, *fragments);
    if (!drift) return exit_errors;
    diagnostics.insert(diagnostics.end(), drift->begin(), drift->end());
  }
  if (!present(line, diagnostics)) return exit_errors;
  if (has_errors(diagnostics)) return exit_errors;
  return !library || update_lock(line, *library) ? exit_success : exit_errors;
}

}  // namespace structured::gen
