#include "driver/inputs.h"

#include "analysis/body_analysis.h"
#include "analysis/meta_functions.h"
#include "analysis/scalar_bodies.h"
#include "check/check.h"
#include "check/lock.h"
#include "check/render_text.h"
#include "derive/derive.h"
#include "dialect/flavour.h"
#include "driver/progress.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "model/fragment_json.h"
#include "model/library_json.h"
#include "program/fragment_options.h"
#include "program/library_config.h"
#include "program/output_file.h"
#include "program/read_import.h"
#include "program/scan_finding.h"
#include "scan/scanner.h"

namespace structured::gen {
namespace {

llvm::Expected<std::vector<SourceCommand>> source_commands(const SourceOptions& options,
                                                           const std::vector<std::string>& sources) {
  if (!options.build_dir.empty()) {
    llvm::Expected<std::vector<SourceCommand>> commands = compile_commands(options.build_dir, sources);
    std::vector<std::string> problems;  // `check` reports them
    auto libraries = library_configs(options.build_dir, problems);
    if (!libraries) {
      llvm::consumeError(libraries.takeError());
    } else if (commands && *libraries) {
      for (SourceCommand& command : *commands) add_compiler_flags(**libraries, command);
    }
    return commands;
  }
  llvm::Expected<std::vector<std::string>> flags = options.given_flags();
  if (!flags) return flags.takeError();
  std::vector<SourceCommand> result;
  for (const std::string& source : sources) {
    SourceCommand command;
    command.source = source;
    command.flags = *flags;
    result.push_back(std::move(command));
  }
  return result;
}

void evaluate_all_bodies(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                         Declaration& declaration) {
  evaluate_scalar_bodies(function, sema, map, declaration);
  translate_meta_function(function, sema, map, declaration);
}

void check_and_translate(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                         Declaration& declaration) {
  analyze_body(function, sema, map, declaration);
  translate_meta_function(function, sema, map, declaration);
}

/// Scans a source again whose bodies Clang rejects: the compiler of the build may accept them, or reports why not.
std::optional<ScanResult> scanned_without_bodies(const Environment& environment, const ScanOptions& options,
                                                 const SourceCommand& command, const ScanResult& failed) {
  if (!failed.findings.empty() || failed.parser_errors.empty()) return std::nullopt;
  auto scanner = Scanner::create(options);
  if (!scanner) {
    llvm::consumeError(scanner.takeError());
    return std::nullopt;
  }
  ScanResult result = scanner->scan(command);
  if (!result.fragment) return std::nullopt;
  const ParserError& error = failed.parser_errors.front();
  environment.err << error.range.file << ":" << error.range.begin.line << ":" << error.range.begin.column
                  << ": note: Clang rejects a body, so that the scan of `" << command.source
                  << "` stores none: " << error.message << "\n";
  return result;
}

/// Returns a path relative to the source root, as diagnostics name it.
std::string below_source_root(const LibraryOptions& library, llvm::StringRef path) {
  if (library.root().empty()) return path.str();
  auto absolute = [](llvm::StringRef name) {
    llvm::SmallString<256> result(name);
    llvm::sys::fs::make_absolute(result);
    llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
    return result;
  };
  llvm::SmallString<256> whole = absolute(path);
  llvm::StringRef below = whole;
  bool is_below = below.consume_front(absolute(library.root())) && below.consume_front("/");
  return is_below ? below.str() : whole.str().str();
}

}  // namespace

std::optional<std::vector<ScannedSource>> scan_sources(const Environment& environment, const LibraryOptions& library,
                                                       const SourceOptions& options,
                                                       const std::vector<std::string>& sources, Bodies bodies,
                                                       const ScanReport& report) {
  auto commands = source_commands(options, sources);
  if (!commands) {
    environment.fail(commands.takeError());
    return std::nullopt;
  }
  ScanOptions scan_options = options.scan_options(environment, library);
  const ScanOptions without_bodies = scan_options;
  if (bodies.checks) {
    // A target for PyTorch emits functions on symbolic sizes.
    const bool is_for_torch = llvm::StringRef(scan_options.dialect).starts_with("torch");
    scan_options.analyze_body = is_for_torch ? check_and_translate : analyze_body;
    scan_options.reads_emitted_headers = true;
  }
  if (bodies.meta) scan_options.analyze_body = translate_meta_function;
  if (bodies.scalar) {
    scan_options.analyze_body = bodies.meta ? evaluate_all_bodies : evaluate_scalar_bodies;
    scan_options.first_include = dual_numbers_header;
    scan_options.has_bodies = true;
  }
  auto scanner = Scanner::create(std::move(scan_options));
  if (!scanner) {
    environment.fail(scanner.takeError());
    return std::nullopt;
  }
  std::vector<Diagnostic>* findings = report.findings;
  std::vector<ScannedSource> result;
  std::string messages;
  unsigned errors = 0;
  unsigned own_errors = 0;
  Progress progress(commands->size(), environment.err);
  for (const SourceCommand& command : *commands) {
    progress.begin(command.source);
    if (report.timing) report.timing->begin(command.source);
    ScanResult scanned = scanner->scan(command);
    if (!scanned.fragment && !bodies.checks && (bodies.scalar || bodies.meta)) {
      if (auto again = scanned_without_bodies(environment, without_bodies, command, scanned))
        scanned = std::move(*again);
    }
    if (findings) {
      messages += scanned.messages;
      llvm::transform(scanned.findings, std::back_inserter(*findings), diagnostic_of);
    } else if (!scanned.messages.empty()) {
      progress.clear();
      environment.err << scanned.messages;
    }
    errors += scanned.errors;
    own_errors += static_cast<unsigned>(scanned.findings.size());
    if (scanned.fragment) {
      result.push_back({std::move(*scanned.fragment), std::move(scanned.dependencies)});
    }
  }
  progress.clear();
  if (result.size() == commands->size()) return result;
  if (findings && errors == own_errors) {
    sort_unique(*findings);  // several sources may include the same header
    return std::nullopt;
  }
  if (findings) findings->clear();
  environment.err << messages << summary_line(errors, 0);
  return std::nullopt;
}

llvm::Expected<std::vector<Fragment>> read_fragments(const std::vector<std::string>& paths) {
  std::vector<Fragment> result;
  for (const std::string& path : paths) {
    llvm::Expected<std::string> text = read_input(path);
    if (!text) return text.takeError();
    llvm::Expected<Fragment> fragment = fragment_from_json(*text);
    if (!fragment) return llvm::createStringError("`" + path + "`: " + llvm::toString(fragment.takeError()));
    result.push_back(std::move(*fragment));
  }
  return result;
}

llvm::Error prepare_fragments(const LibraryOptions& library, std::vector<Fragment>& fragments) {
  FragmentOptions options;
  options.schema_namespace = library.schema_namespace();
  options.source_root = library.root();
  options.generated_root = library.generated_root;
  options.leaves_off_out = library.leaves_off_out;
  if (!library.other_headers.empty()) {
    llvm::Expected<std::vector<std::string>> headers = read_header_list(library.other_headers);
    if (!headers) return headers.takeError();
    options.other_headers = std::move(*headers);
  }
  prepare_fragments(options, fragments);
  return llvm::Error::success();
}

llvm::Expected<const Dialect*> dialect_of(const LibraryOptions& library, const std::vector<Fragment>& fragments) {
  std::string name = library.dialect.value_or(fragments.empty() ? "native" : fragments.front().dialect);
  for (const Fragment& fragment : fragments) {
    if (fragment.dialect == name) continue;
    return llvm::createStringError("`" + fragment.source + "` was scanned for the dialect `" + fragment.dialect +
                                   "`, expected `" + name + "`");
  }
  const Dialect* dialect = find_dialect(name);
  if (!dialect) return llvm::createStringError(unknown_dialect(name));
  for (const std::string& backend : library.backends) {
    if (dialect->types().is_backend(backend)) continue;
    std::vector<std::string> known(dialect->types().backends().begin(), dialect->types().backends().end());
    return llvm::createStringError("`--backends` has unknown backend `" + backend + "`" + did_you_mean(backend, known));
  }
  return dialect;
}

bool report(const Environment& environment, const LibraryOptions& library, const std::vector<Diagnostic>& diagnostics) {
  SourceText sources(library.root(), library.generated_root);
  render_text(diagnostics, sources, environment.err, environment.colors);
  auto errors = static_cast<unsigned>(llvm::count_if(
      diagnostics, [](const Diagnostic& diagnostic) { return severity_of(diagnostic.kind) == Severity::error; }));
  environment.err << summary_line(errors, static_cast<unsigned>(diagnostics.size()) - errors);
  return errors == 0;
}

std::optional<std::vector<ImportedLibrary>> read_imports(const Environment& environment, const LibraryOptions& library,
                                                         const Dialect& dialect) {
  std::vector<ImportedLibrary> imports;
  for (const std::string& path : library.imports) {
    llvm::Expected<ImportedLibrary> imported = read_import(path, below_source_root(library, path), dialect);
    if (!imported) {
      environment.fail(imported.takeError());
      return std::nullopt;
    }
    if (imported->cpp_namespace == library.cpp_namespace()) {
      environment.fail("`" + path + "` is of a library with the C++ namespace `" + imported->cpp_namespace +
                       "`, which this library has too; expected a different one");
      return std::nullopt;
    }
    imports.push_back(std::move(*imported));
  }
  return imports;
}

CheckOptions check_options(const LibraryOptions& library, const Dialect& dialect,
                           const std::vector<ImportedLibrary>& imports) {
  const bool refuses_backends = find_flavour(library.flavour)->has_all_backends;  // others leave kernels out
  return {library.schema_namespace(),
          !library.is_partial,
          imports,
          refuses_backends ? library.backends : std::vector<std::string>(),
          library.cpp_namespace(),
          dialect.cpp_types()};
}

Library derived_library(const LibraryOptions& library, const std::vector<Fragment>& fragments, const Dialect& dialect,
                        const std::vector<ImportedLibrary>& imports) {
  return derive(fragments, dialect.types(), library.schema_namespace(), library.cpp_namespace(), imports,
                library.backends);
}

std::optional<Library> checked_library(const Environment& environment, const LibraryOptions& library,
                                       const std::vector<Fragment>& fragments, const Dialect& dialect,
                                       const std::vector<ImportedLibrary>& imports) {
  const auto diagnostics = check(fragments, dialect.types(), check_options(library, dialect, imports));
  if (!report(environment, library, diagnostics)) return std::nullopt;
  return derived_library(library, fragments, dialect, imports);
}

std::optional<Library> read_library(const Environment& environment, const LibraryOptions& library,
                                    const std::vector<std::string>& paths) {
  const auto failed = [&](llvm::Error error) {
    environment.fail(std::move(error));
    return std::nullopt;
  };
  // A single input that is not a fragment must be a library.
  auto text = read_input(paths.front());
  if (!text) return failed(text.takeError());
  bool is_fragment = llvm::StringRef(*text).contains("\"structured fragment\"");
  if (paths.size() == 1 && !is_fragment) {
    llvm::Expected<Library> read = library_from_json(*text);
    if (read) return std::move(*read);
    environment.fail("`" + paths.front() + "`: " + llvm::toString(read.takeError()));
    return std::nullopt;
  }
  auto fragments = read_fragments(paths);
  if (!fragments) return failed(fragments.takeError());
  if (llvm::Error error = prepare_fragments(library, *fragments)) return failed(std::move(error));
  auto dialect = dialect_of(library, *fragments);
  if (!dialect) return failed(dialect.takeError());
  auto imports = read_imports(environment, library, **dialect);
  if (!imports) return std::nullopt;
  return checked_library(environment, library, *fragments, **dialect, *imports);
}

std::optional<std::vector<Diagnostic>> lock_drift(const Environment& environment, const LibraryOptions& options,
                                                  const LockOptions& lock, const Library& library,
                                                  const std::vector<Fragment>& fragments) {
  if (lock.file.empty() || lock.is_update) return std::vector<Diagnostic>();
  std::string update = lock.target.empty() ? "pass `--update-lock`" : "build the target `" + lock.target + "`";
  auto text = read_input(lock.file);
  if (!text) {
    environment.fail(llvm::toString(text.takeError()) + "; to write a new one, " + update);
    return std::nullopt;
  }
  auto schemas = parse_lock(below_source_root(options, lock.file), *text);
  if (!schemas) {
    environment.fail(schemas.takeError());
    return std::nullopt;
  }
  return check_lock(library, fragments, *schemas, update);
}

bool update_lock(const Environment& environment, const LockOptions& lock, const Library& library) {
  return !lock.is_update || environment.finish(lock.file, print_lock(library)) == exit_success;
}

}  // namespace structured::gen
