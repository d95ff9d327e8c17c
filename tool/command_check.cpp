#include <algorithm>

#include "check/apply_fixits.h"
#include "check/check.h"
#include "check/render_sarif.h"
#include "check/render_text.h"
#include "commands.h"
#include "derive/derive.h"
#include "inputs.h"
#include "library_config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "output_file.h"

namespace structured::gen {
namespace {

bool is_fragment(llvm::StringRef path) { return path.ends_with(".json") || path == "-"; }

/// Reads the fragments among the inputs and scans the sources, whose headers are added to `dependencies`. Returns
/// std::nullopt after errors, which have been printed or are in `findings`.
std::optional<std::vector<Fragment>> fragments_of(const CommandLine& line, std::vector<Diagnostic>& findings,
                                                  std::vector<std::string>& dependencies) {
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
  for (ScannedSource& source : *scanned) {
    result->push_back(std::move(source.fragment));
    dependencies.insert(dependencies.end(), source.dependencies.begin(), source.dependencies.end());
  }
  return std::move(*result);
}

/// How a check ended.
enum class Outcome {
  good,    ///< no errors
  errors,  ///< errors, or something could not be read or written
  fixed,   ///< every error was fixed
};

/// Applies fix-its to the sources and prints their number. Returns the number of errors that are left; std::nullopt
/// after printing an error.
std::optional<unsigned> write_fixes(const CommandLine& line, const std::vector<Diagnostic>& diagnostics) {
  SourceText sources(line.source_root, line.generated_root);
  AppliedFixIts fixes = apply_fixits(diagnostics, sources);
  for (const auto& [file, text] : fixes.files) {
    if (llvm::Error error = write_output(sources.path(file), text)) {
      fail(line, llvm::toString(std::move(error)));
      return std::nullopt;
    }
  }
  llvm::errs() << "applied the fixes of " << fixes.applied << " of " << diagnostics.size() << " diagnostics";
  if (fixes.skipped > 0) llvm::errs() << "; " << fixes.skipped << " overlap others: run again";
  llvm::errs() << '\n';
  return fixes.unfixed_errors;
}

/// Prints the diagnostics in the requested format and applies fix-its if requested.
Outcome present(const CommandLine& line, const std::vector<Diagnostic>& diagnostics) {
  if (line.format == "sarif") {
    SourceText sources(line.source_root, line.generated_root);
    std::string log = render_sarif(diagnostics, sources, STRUCTURED_VERSION);
    if (llvm::Error error = write_output(line.output.empty() ? "-" : line.output, log)) {
      fail(line, llvm::toString(std::move(error)));
      return Outcome::errors;
    }
  } else {
    report(line, diagnostics);
  }
  bool is_good = line.warnings_as_errors ? diagnostics.empty() : !has_errors(diagnostics);
  if (!line.applies_fixits || diagnostics.empty()) return is_good ? Outcome::good : Outcome::errors;
  std::optional<unsigned> unfixed = write_fixes(line, diagnostics);
  if (!unfixed || *unfixed > 0) return Outcome::errors;
  return is_good ? Outcome::good : Outcome::fixed;
}

/// Writes the files for the build system after a check without errors. Returns the exit status.
int write_stamp(const CommandLine& line, std::vector<std::string> dependencies) {
  if (line.stamp.empty()) return exit_success;
  if (!line.depfile.empty()) {
    llvm::sort(dependencies);
    dependencies.erase(llvm::unique(dependencies), dependencies.end());
    if (llvm::Error error = write_output(line.depfile, depfile_text(line.stamp, dependencies))) {
      return fail(line, llvm::toString(std::move(error)));
    }
  }
  // The time is new although the bytes are not.
  std::error_code error = llvm::sys::fs::remove(line.stamp);
  if (error) return fail(line, "`" + line.stamp + "`: " + error.message());
  if (llvm::Error failure = write_output(line.stamp, "")) return fail(line, llvm::toString(std::move(failure)));
  return exit_success;
}

int check_library(const CommandLine& line, bool is_second_time = false) {
  std::vector<Diagnostic> findings;
  std::vector<std::string> dependencies;
  auto fragments = fragments_of(line, findings, dependencies);
  if (!fragments) {
    // Attributes that cannot be read hide all other errors.
    bool is_fixed = !findings.empty() && present(line, findings) == Outcome::fixed;
    return is_fixed && !is_second_time ? check_library(line, /*is_second_time=*/true) : exit_errors;
  }
  if (llvm::Error error = prepare_fragments(line, *fragments)) return fail(line, llvm::toString(std::move(error)));
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
  switch (present(line, diagnostics)) {
    case Outcome::good:
      if (library && !update_lock(line, *library)) return exit_errors;
      return write_stamp(line, std::move(dependencies));
    case Outcome::errors:
      return exit_errors;
    case Outcome::fixed:
      return exit_success;
  }
  llvm_unreachable("every outcome has a status");
}

/// Returns `line` with the description of a library, for the given sources of it.
CommandLine line_for(CommandLine line, const LibraryConfig& library, std::vector<std::string> sources) {
  line.is_partial = line.is_partial || sources.size() < library.sources.size();
  line.inputs = std::move(sources);
  line.schema_namespace = library.schema_namespace;
  line.cpp_namespace = library.cpp_namespace;
  add_emitted_prefixes(line, library.cpp_namespace);
  line.dialect = library.dialect;
  line.source_root = library.root;
  line.imports = library.imports;
  line.backends = library.backends;
  line.leaves_off_out = library.leaves_off_out;
  if (line.other_headers.empty()) line.other_headers = library.other_headers;
  if (!library.cuda_toolkit.empty()) line.cuda_toolkit = library.cuda_toolkit;
  if (!line.is_partial && llvm::sys::fs::exists(library.lock)) {
    line.lock = library.lock;
    line.lock_target = library.lock_target();
  }
  return line;
}

/// Divides the sources among the libraries of the build folder, if the command line names one and describes no library;
/// without sources, all libraries are checked. Returns std::nullopt after printing an error.
std::optional<std::vector<CommandLine>> lines_of(const CommandLine& line) {
  if (line.build_dir.empty() || line.describes_library) return std::vector<CommandLine>{line};
  std::vector<std::string> problems;
  auto libraries = library_configs(line.build_dir, problems);
  if (!libraries) {
    fail(line, llvm::toString(libraries.takeError()));
    return std::nullopt;
  }
  for (const std::string& problem : problems) fail(line, problem);
  if (!problems.empty()) return std::nullopt;
  if (line.inputs.empty() && !*libraries) {
    fail(line, "no sources given, and `" + line.build_dir + "` has no structured_libraries.json");
    return std::nullopt;
  }
  std::vector<CommandLine> lines;
  std::vector<std::string> others = line.inputs;
  for (const LibraryConfig& library : libraries->value_or(std::vector<LibraryConfig>())) {
    std::vector<std::string> sources;
    for (const std::string& input : line.inputs) {
      if (llvm::is_contained(library.sources, absolute_path(input, ""))) sources.push_back(input);
    }
    llvm::erase_if(others, [&](const std::string& input) { return llvm::is_contained(sources, input); });
    if (line.inputs.empty()) sources = library.sources;
    if (!sources.empty()) lines.push_back(line_for(line, library, std::move(sources)));
  }
  if (!others.empty()) {
    lines.push_back(line);
    lines.back().inputs = std::move(others);
  }
  if (lines.size() > 1 && line.format == "sarif") {
    fail(line, "the sources belong to several libraries, but a SARIF file describes one; pass the sources of one");
    return std::nullopt;
  }
  return lines;
}

}  // namespace

int run_check(const CommandLine& line) {
  auto lines = lines_of(line);
  if (!lines) return exit_errors;
  int status = exit_success;
  for (const CommandLine& each : *lines) status = std::max(status, check_library(each));
  return status;
}

}  // namespace structured::gen
