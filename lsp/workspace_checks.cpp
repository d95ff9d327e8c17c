// Checks of the libraries in the workspace.
#include "check/check.h"
#include "check/lock.h"
#include "derive/derive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "program/scan_finding.h"
#include "workspace.h"

namespace structured::lsp {
namespace {

/// Removes declarations that have errors.
std::vector<gen::Fragment> without(std::vector<gen::Fragment> fragments, llvm::ArrayRef<gen::Diagnostic> diagnostics) {
  for (const gen::Diagnostic& diagnostic : diagnostics) {
    if (gen::severity_of(diagnostic.kind) != gen::Severity::error) continue;
    for (gen::Fragment& fragment : fragments) {
      // Errors inside a body are located after the signature; they belong to the last declaration before them.
      const gen::Declaration* owner = nullptr;
      for (const gen::Declaration& declaration : fragment.declarations) {
        const gen::SourceRange& range = declaration.range;
        if (range.file == diagnostic.range.file && range.begin <= diagnostic.range.begin &&
            (!owner || owner->range.begin < range.begin)) {
          owner = &declaration;
        }
      }
      if (owner) fragment.declarations.erase(fragment.declarations.begin() + (owner - fragment.declarations.data()));
    }
  }
  return fragments;
}

Problem problem_of(const gen::Diagnostic& diagnostic, const KnownLibrary& library) {
  Problem problem;
  bool is_error = gen::severity_of(diagnostic.kind) == gen::Severity::error;
  problem.severity = is_error ? Problem::Severity::error : Problem::Severity::warning;
  problem.code = gen::name_of(diagnostic.kind);
  problem.source = "structured";
  problem.message = diagnostic.message;
  problem.range = diagnostic.range;
  problem.notes = diagnostic.notes;
  problem.fixits = diagnostic.fixits;
  problem.data = diagnostic.data;
  problem.range.file = library.path(problem.range.file);
  for (gen::Note& note : problem.notes) note.range.file = library.path(note.range.file);
  for (gen::FixIt& fixit : problem.fixits) fixit.range.file = library.path(fixit.range.file);
  return problem;
}

bool operator==(const Problem& a, const Problem& b) {
  return a.range == b.range && a.code == b.code && a.message == b.message;
}

}  // namespace

const gen::OperatorIndex& KnownLibrary::operators() const {
  if (!index) index = std::make_unique<gen::OperatorIndex>(facts(), config.schema_namespace, imports);
  return *index;
}

/// Replaces the declarations of open headers, which earlier scans of other sources recorded.
void Workspace::filter(KnownLibrary& library) {
  library.filtered.clear();
  std::set<std::string> open;
  for (std::size_t number : library.sources) {
    const Source& source = sources_[number];
    if (source.is_open && source.has_fragment) open.insert(library.fragments[source.slot].source);
  }
  auto is_stale = [&](const gen::Declaration& declaration, const gen::Fragment& fragment) {
    return declaration.range.file != fragment.source && open.count(declaration.range.file) > 0;
  };
  bool has_stale = llvm::any_of(library.fragments, [&](const gen::Fragment& fragment) {
    return llvm::any_of(fragment.declarations, [&](const auto& item) { return is_stale(item, fragment); });
  });
  if (!has_stale && library.fragment_options.change_nothing()) return;
  library.filtered = library.fragments;
  for (gen::Fragment& fragment : library.filtered) {
    llvm::erase_if(fragment.declarations, [&](const auto& item) { return is_stale(item, fragment); });
  }
  prepare_fragments(library.fragment_options, library.filtered);
}

void Workspace::check(KnownLibrary& library) {
  if (library.is_checked) return;
  library.is_checked = true;
  auto start = Clock::now();
  filter(library);
  gen::CheckOptions options;
  options.schema_namespace = library.config.schema_namespace;
  options.cpp_namespace = library.config.cpp_namespace;
  options.cpp_types = library.dialect->cpp_types();
  options.imports = library.imports;
  options.backends = library.config.backends;
  // Missing parts are reported only after all sources have been scanned.
  options.whole_library = library.config.is_whole && llvm::all_of(library.sources, [&](std::size_t number) {
                            return sources_[number].is_loose || sources_[number].has_fragment;
                          });
  const gen::TypeTable& types = library.dialect->types();
  library.diagnostics = gen::check(library.facts(), types, options);
  if (!library.config.lock.empty() && options.whole_library && !gen::has_errors(library.diagnostics)) {
    auto text = llvm::MemoryBuffer::getFile(library.config.lock);
    auto lock = text ? gen::parse_lock(library.config.lock, (*text)->getBuffer())
                     : llvm::Expected<std::vector<gen::LockedSchema>>(std::vector<gen::LockedSchema>());
    if (lock && text) {
      gen::Library now = gen::derive(library.facts(), types, library.config.schema_namespace,
                                     library.config.cpp_namespace, library.imports);
      std::string update = "build the target `" + library.config.lock_target() + "`";
      for (gen::Diagnostic& drift : gen::check_lock(now, library.facts(), *lock, update)) {
        library.diagnostics.push_back(std::move(drift));
      }
    } else if (!lock) {
      llvm::consumeError(lock.takeError());  // reported by the build
    }
  }
  timings_.check_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

const gen::Library* Workspace::derived(KnownLibrary& library) {
  check(library);
  if (library.is_derived) return library.derived ? &*library.derived : nullptr;
  library.is_derived = true;
  library.derived.reset();
  gen::CheckOptions options;
  options.schema_namespace = library.config.schema_namespace;
  options.cpp_namespace = library.config.cpp_namespace;
  options.cpp_types = library.dialect->cpp_types();
  options.imports = library.imports;
  options.whole_library = false;
  const gen::TypeTable& types = library.dialect->types();
  std::vector<gen::Diagnostic> diagnostics = library.diagnostics;
  std::vector<gen::Fragment> sound = library.facts();
  // Declarations that refer to a removed one get an error in the next round.
  for (int round = 0; round < 8 && gen::has_errors(diagnostics); ++round) {
    sound = without(std::move(sound), diagnostics);
    diagnostics = gen::check(sound, types, options);
  }
  if (gen::has_errors(diagnostics)) return nullptr;
  library.derived =
      gen::derive(sound, types, library.config.schema_namespace, library.config.cpp_namespace, library.imports);
  return &*library.derived;
}

void Workspace::add_source_problems(const Source& source) {
  const KnownLibrary& library = libraries_[source.library];
  for (const gen::ScanFinding& finding : source.findings) {
    Problem problem = problem_of(gen::diagnostic_of(finding), library);
    problems_[problem.range.file].push_back(std::move(problem));
  }
  if (!settings_.shows_parser_errors) return;
  // Errors of Clang in files that are not open are left to the build.
  if (!source.is_open) return;
  for (const gen::ParserError& error : source.parser_errors) {
    Problem problem;
    problem.source = "clang";
    problem.message = error.message;
    problem.range = error.range;
    problem.range.file = error.range.valid() ? library.path(error.range.file) : source.path;
    problems_[problem.range.file].push_back(std::move(problem));
  }
}

void Workspace::add_problems(KnownLibrary& library, const std::set<std::string>& broken) {
  for (const gen::Diagnostic& diagnostic : library.diagnostics) {
    Problem problem = problem_of(diagnostic, library);
    if (broken.count(problem.range.file)) continue;  // located in a version of the file without errors
    problems_[problem.range.file].push_back(std::move(problem));
  }
}

const Problems& Workspace::problems() {
  if (problems_revision_ == revision_) return problems_;
  problems_revision_ = revision_;
  problems_.clear();
  std::set<std::string> broken;
  for (const Source& source : sources_) {
    add_source_problems(source);
    if (source.is_open && !source.is_current) broken.insert(source.path);
  }
  for (KnownLibrary& library : libraries_) {
    check(library);
    add_problems(library, broken);
  }
  // Every source that includes a header reports its problems.
  for (auto& [path, list] : problems_) {
    std::vector<Problem> unique;
    for (Problem& problem : list) {
      if (!llvm::any_of(unique, [&](const Problem& other) { return other == problem; })) {
        unique.push_back(std::move(problem));
      }
    }
    list = std::move(unique);
  }
  return problems_;
}

}  // namespace structured::lsp
