#include "inputs.h"

#include "analysis/body_analysis.h"
#include "check/check.h"
#include "check/lock.h"
#include "check/render_text.h"
#include "derive/derive.h"
#include "language/nearest.h"
#include "library_config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "model/fragment_json.h"
#include "model/library_json.h"
#include "model/operator_index.h"
#include "output_file.h"
#include "progress.h"
#include "read_import.h"
#include "scan/declaration_flags.h"
#include "scan/scanner.h"
#include "scan_finding.h"
#include "target/flavour.h"

namespace structured::gen {
namespace {

llvm::Expected<std::vector<SourceCommand>> source_commands(const CommandLine& line,
                                                           const std::vector<std::string>& sources) {
  if (!line.build_dir.empty()) {
    llvm::Expected<std::vector<SourceCommand>> commands = compile_commands(line.build_dir, sources);
    std::vector<std::string> problems;  // `check` reports them
    auto libraries = library_configs(line.build_dir, problems);
    if (!libraries) {
      llvm::consumeError(libraries.takeError());
    } else if (commands && *libraries) {
      for (SourceCommand& command : *commands) add_compiler_flags(**libraries, command);
    }
    return commands;
  }
  llvm::Expected<std::vector<std::string>> flags = given_flags(line);
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

}  // namespace

llvm::Expected<std::vector<std::string>> given_flags(const CommandLine& line) {
  std::string text;
  if (!line.flags_file.empty()) {
    llvm::Expected<std::string> lines = read_input(line.flags_file);
    if (!lines) return lines.takeError();
    text = std::move(*lines);
  }
  for (const std::string& flag : line.source_flags) text += "\n" + flag;
  std::vector<std::string> result = declaration_flags(text);
  result.insert(result.end(), line.flags.begin(), line.flags.end());
  return result;
}

std::optional<std::vector<ScannedSource>> scan_sources(const CommandLine& line, const std::vector<std::string>& sources,
                                                       std::vector<Diagnostic>* findings, Timing* timing) {
  ScanOptions options;
  options.dialect = line.dialect.value_or("native");
  options.source_root = line.source_root.empty() ? "." : line.source_root;
  options.resource_dir = line.resource_dir;
  options.emitted_prefixes = line.emitted_prefixes;
  options.pch = line.pch;
  options.cuda_toolkit = line.cuda_toolkit;
  if (line.command == Command::check) options.analyze_body = analyze_body;
  options.lists_dependencies = !line.depfile.empty();
  options.colors = line.colors;
  auto commands = source_commands(line, sources);
  if (!commands) {
    fail(line, llvm::toString(commands.takeError()));
    return std::nullopt;
  }
  auto scanner = Scanner::create(std::move(options));
  if (!scanner) {
    fail(line, llvm::toString(scanner.takeError()));
    return std::nullopt;
  }
  std::vector<ScannedSource> result;
  std::string messages;
  unsigned errors = 0;
  unsigned own_errors = 0;
  Progress progress(commands->size());
  for (const SourceCommand& command : *commands) {
    progress.begin(command.source);
    if (timing) timing->begin(command.source);
    ScanResult scanned = scanner->scan(command);
    if (findings) {
      messages += scanned.messages;
      llvm::transform(scanned.findings, std::back_inserter(*findings), diagnostic_of);
    } else if (!scanned.messages.empty()) {
      progress.clear();
      llvm::errs() << scanned.messages;
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
  llvm::errs() << messages << summary_line(errors, 0);
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

llvm::Error prepare_fragments(const CommandLine& line, std::vector<Fragment>& fragments) {
  if (!line.other_headers.empty()) {
    llvm::Expected<std::string> text = read_input(line.other_headers);
    if (!text) return text.takeError();
    llvm::StringSet<> headers;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(*text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (const llvm::StringRef header : lines) headers.insert(absolute_path(header, ""));
    for (Fragment& fragment : fragments) {
      llvm::erase_if(fragment.declarations, [&](const Declaration& declaration) {
        const std::string& file = declaration.range.file;
        return file != fragment.source && headers.contains(absolute_path(file, line.source_root));
      });
    }
  }
  if (line.leaves_off_out) leave_off_implied_out_variants(fragments, line.schema_namespace);
  return llvm::Error::success();
}

llvm::Expected<const Target*> target_of(const CommandLine& line, const std::vector<Fragment>& fragments) {
  std::string name = line.dialect.value_or(fragments.empty() ? "native" : fragments.front().dialect);
  for (const Fragment& fragment : fragments) {
    if (fragment.dialect == name) continue;
    return llvm::createStringError("`" + fragment.source + "` was scanned for the dialect `" + fragment.dialect +
                                   "`, expected `" + name + "`");
  }
  const Target* target = find_target(name);
  if (!target) return llvm::createStringError(unknown_target(name));
  for (const std::string& backend : line.backends) {
    if (target->types().is_backend(backend)) continue;
    std::vector<std::string> known(target->types().backends().begin(), target->types().backends().end());
    return llvm::createStringError("`--backends` has unknown backend `" + backend + "`" + did_you_mean(backend, known));
  }
  return target;
}

std::string below_source_root(const CommandLine& line, llvm::StringRef path) {
  if (line.source_root.empty()) return path.str();
  auto absolute = [](llvm::StringRef name) {
    llvm::SmallString<256> result(name);
    llvm::sys::fs::make_absolute(result);
    llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
    return result;
  };
  llvm::SmallString<256> whole = absolute(path);
  llvm::StringRef below = whole;
  bool is_below = below.consume_front(absolute(line.source_root)) && below.consume_front("/");
  return is_below ? below.str() : whole.str().str();
}

bool report(const CommandLine& line, const std::vector<Diagnostic>& diagnostics) {
  SourceText sources(line.source_root, line.generated_root);
  render_text(diagnostics, sources, llvm::errs(), line.colors);
  auto errors = static_cast<unsigned>(llvm::count_if(
      diagnostics, [](const Diagnostic& diagnostic) { return severity_of(diagnostic.kind) == Severity::error; }));
  llvm::errs() << summary_line(errors, static_cast<unsigned>(diagnostics.size()) - errors);
  return errors == 0;
}

std::optional<std::vector<ImportedLibrary>> read_imports(const CommandLine& line, const Target& target) {
  std::vector<ImportedLibrary> imports;
  for (const std::string& path : line.imports) {
    llvm::Expected<ImportedLibrary> library = read_import(path, below_source_root(line, path), target);
    if (!library) {
      fail(line, llvm::toString(library.takeError()));
      return std::nullopt;
    }
    if (library->cpp_namespace == line.cpp_namespace) {
      fail(line, "`" + path + "` is of a library with the C++ namespace `" + line.cpp_namespace +
                     "`, which this library has too; expected a different one");
      return std::nullopt;
    }
    imports.push_back(std::move(*library));
  }
  return imports;
}

CheckOptions check_options(const CommandLine& line, const Target& target, const std::vector<ImportedLibrary>& imports) {
  const bool refuses_backends = find_flavour(line.flavour)->has_all_backends;  // others leave kernels out
  return {
      line.schema_namespace, !line.is_partial,  imports, refuses_backends ? line.backends : std::vector<std::string>(),
      line.cpp_namespace,    target.cpp_types()};
}

std::optional<Library> checked_library(const CommandLine& line, const std::vector<Fragment>& fragments,
                                       const Target& target, const std::vector<ImportedLibrary>& imports) {
  if (!report(line, check(fragments, target.types(), check_options(line, target, imports)))) return std::nullopt;
  return derive(fragments, target.types(), line.schema_namespace, line.cpp_namespace, imports, line.backends);
}

std::optional<Library> read_library(const CommandLine& line, const std::vector<std::string>& paths) {
  // A single input that is not a fragment must be a library.
  auto text = read_input(paths.front());
  if (!text) {
    fail(line, llvm::toString(text.takeError()));
    return std::nullopt;
  }
  bool is_fragment = llvm::StringRef(*text).contains("\"structured fragment\"");
  if (paths.size() == 1 && !is_fragment) {
    llvm::Expected<Library> library = library_from_json(*text);
    if (library) return std::move(*library);
    fail(line, "`" + paths.front() + "`: " + llvm::toString(library.takeError()));
    return std::nullopt;
  }
  auto fragments = read_fragments(paths);
  if (!fragments) {
    fail(line, llvm::toString(fragments.takeError()));
    return std::nullopt;
  }
  if (llvm::Error error = prepare_fragments(line, *fragments)) {
    fail(line, llvm::toString(std::move(error)));
    return std::nullopt;
  }
  auto target = target_of(line, *fragments);
  if (!target) {
    fail(line, llvm::toString(target.takeError()));
    return std::nullopt;
  }
  auto imports = read_imports(line, **target);
  if (!imports) return std::nullopt;
  return checked_library(line, *fragments, **target, *imports);
}

std::optional<std::vector<Diagnostic>> lock_drift(const CommandLine& line, const Library& library,
                                                  const std::vector<Fragment>& fragments) {
  if (line.lock.empty() || line.updates_lock) return std::vector<Diagnostic>();
  std::string update =
      line.lock_target.empty() ? "pass `--update-lock`" : "build the target `" + line.lock_target + "`";
  auto text = read_input(line.lock);
  if (!text) {
    fail(line, llvm::toString(text.takeError()) + "; to write a new one, " + update);
    return std::nullopt;
  }
  auto lock = parse_lock(below_source_root(line, line.lock), *text);
  if (!lock) {
    fail(line, llvm::toString(lock.takeError()));
    return std::nullopt;
  }
  return check_lock(library, fragments, *lock, update);
}

bool update_lock(const CommandLine& line, const Library& library) {
  if (!line.updates_lock) return true;
  llvm::Error error = write_output(line.lock, print_lock(library));
  if (!error) return true;
  fail(line, llvm::toString(std::move(error)));
  return false;
}

}  // namespace structured::gen
