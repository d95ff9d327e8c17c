#include "workspace.h"

#include <ctime>

#include "analysis/body_analysis.h"
#include "analysis/meta_functions.h"
#include "analysis/scalar_bodies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "program/scan_finding.h"

namespace structured::lsp {
namespace {

using namespace std::chrono_literals;

/// Delay before files that include the edited one are parsed.
constexpr auto pause = 400ms;

/// Sources that take longer get quick scans while they are edited, and a whole one in the next pause.
constexpr double slow_ms = 5;

/// Processor time of this thread, which is less sensitive to other load than wall time.
double processor_ms() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Whether the file may be an emitted header that a placeholder stands for.
bool may_replace_placeholder(const std::string& path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  return name.ends_with(".h") || name == "signatures.json";
}

/// Names of missing headers, without their folders: the folder in the include directive may differ from the one in
/// which the file is created.
std::set<std::string> missing_names(llvm::ArrayRef<gen::ParserError> errors) {
  std::set<std::string> result;
  for (const gen::ParserError& error : errors) {
    if (!error.missing_file.empty()) result.insert(llvm::sys::path::filename(error.missing_file).str());
  }
  return result;
}

/// Facts for hovering over operators of libraries for PyTorch. They take longer than checks.
void analyze_for_compilers(const clang::FunctionDecl& function, clang::Sema& sema, const gen::SourceMap& map,
                           gen::Declaration& declaration) {
  gen::analyze_body(function, sema, map, declaration);
  gen::evaluate_scalar_bodies(function, sema, map, declaration);
  gen::translate_meta_function(function, sema, map, declaration);
}

}  // namespace

void Workspace::load(Project project, const Settings& settings) {
  background_.clear();
  ++generation_;
  settings_ = settings;
  project_ = std::move(project);
  libraries_.clear();
  sources_.clear();
  by_path_.clear();
  loose_by_folder_.clear();
  waiting_ = indexing_ = 0;
  written_.clear();
  ++revision_;
  for (const LibraryConfig& config : project_.libraries) {
    std::size_t library = add_library(config);
    for (const std::string& path : config.sources) add_source(library, path);
  }
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    if (!documents_.find(sources_[number].path)) read_in_background(number);
  }
  for (const auto& [path, document] : documents_.all()) opened(path);
}

gen::ScanOptions Workspace::options_for(const KnownLibrary& library) const {
  gen::ScanOptions options;
  options.dialect = library.config.dialect;
  options.source_root = library.config.root;
  options.resource_dir = settings_.resource_dir;
  options.cuda_toolkit = library.config.cuda_toolkit;
  options.analyze_body = gen::analyze_body;
  if (llvm::StringRef(options.dialect).starts_with("torch")) {
    options.analyze_body = analyze_for_compilers;
    options.analyze_quickly = gen::analyze_body;
    options.first_include = gen::dual_numbers_header;
    options.has_bodies = true;
  }
  options.reads_emitted_headers = true;
  options.emitted_prefixes = gen::emitted_prefixes(library.config.cpp_namespace);
  for (const gen::ImportedLibrary& import : library.imports) {
    for (std::string& prefix : gen::emitted_prefixes(import.cpp_namespace)) {
      options.emitted_prefixes.push_back(std::move(prefix));
    }
  }
  return options;
}

void Workspace::read_in_background(std::size_t number) {
  Source& source = sources_[number];
  if (source.is_waiting) return;
  source.is_waiting = true;
  if (waiting_++ == 0) indexing_ = 0;
  ++indexing_;
  background_.add({number, generation_, options_for(libraries_[source.library]), source.command});
}

void Workspace::indexed(Indexed result) {
  if (result.generation != generation_) return;
  Source& source = sources_[result.source];
  source.is_waiting = false;
  --waiting_;
  if (source.is_open) {
    // Opened meanwhile; the open text is parsed instead.
  } else if (llvm::sys::fs::exists(source.path)) {
    store(source, std::move(result.scan));
  } else {
    forget(source);
  }
  // The dependencies of the source are known only now.
  bool is_outdated = llvm::any_of(
      written_, [&](const auto& entry) { return entry.second >= result.began && depends_on(source, entry.first); });
  if (is_outdated && !source.is_open && !source.is_loose) read_in_background(result.source);
  if (waiting_ == 0) {
    written_.clear();
    for (std::size_t library = 0; library < libraries_.size(); ++library) invalidate(library);
  }
}

void Workspace::opened(const std::string& path) {
  for (std::size_t number : sources_for(path)) {
    Source& source = sources_[number];
    source.is_open = true;
    source.due = Clock::now();
    invalidate(source.library);
  }
  // An editor that restores a tab may open a file with unsaved text.
  touch_dependents(path, 0ms);
}

void Workspace::changed(const std::string& path) {
  for (std::size_t number : sources_for(path)) {
    sources_[number].due = Clock::now();
    sources_[number].is_edited = true;
  }
  touch_dependents(path, pause);
}

void Workspace::touch_dependents(const std::string& path, std::chrono::milliseconds delay) {
  for (Source& source : sources_) {
    if (!source.is_open || source.path == path) continue;
    if (misses(source, path) || llvm::is_contained(source.dependencies, path)) parse_later(source, path, delay);
  }
}

/// Whether the file may be a header that the source did not find.
bool Workspace::misses(const Source& source, const std::string& path) const {
  return source.missing.count(llvm::sys::path::filename(path).str()) > 0;
}

bool Workspace::depends_on(const Source& source, const std::string& path) const {
  return source.path == path || (source.used_placeholder && may_replace_placeholder(path)) || misses(source, path) ||
         llvm::is_contained(source.dependencies, path);
}

/// Schedules a parse after `path` has changed. A header that was missing is found only if the preamble is rebuilt.
void Workspace::parse_later(Source& source, const std::string& path, std::chrono::milliseconds delay) {
  if (source.live && !llvm::is_contained(source.dependencies, path)) source.live->forget_headers();
  source.due = Clock::now() + delay;
}

void Workspace::written(const std::string& path) {
  if (waiting_ > 0) written_[path] = Clock::now();
  for (std::size_t number = 0; number < libraries_.size(); ++number) {
    KnownLibrary& library = libraries_[number];
    if (library.config.lock == path) invalidate(number);
    if (!llvm::is_contained(library.config.imports, path)) continue;
    invalidate(number);
    std::vector<std::string> prefixes = options_for(library).emitted_prefixes;
    // Keeps the previous contents while the file cannot be read.
    if (llvm::Error error = read_import(library, path)) llvm::consumeError(std::move(error));
    // A new import changes how sources are scanned.
    if (options_for(library).emitted_prefixes != prefixes) return load(project_, Settings(settings_));
  }
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    Source& source = sources_[number];
    if (!depends_on(source, path)) continue;
    if (source.is_open) {
      if (source.path == path) continue;  // the open text takes precedence
      parse_later(source, path, 0ms);
    } else if (!source.is_loose) {
      read_in_background(number);
    }
  }
}

void Workspace::closed(const std::string& path) {
  auto known = by_path_.find(path);
  if (known == by_path_.end()) return;
  for (std::size_t number : known->second) {
    Source& source = sources_[number];
    source.is_open = false;
    source.is_edited = source.is_quick = false;
    source.due.reset();
    source.live.reset();
    if (source.is_loose) {
      forget(source);
    } else {
      read_in_background(number);
      invalidate(source.library);
    }
  }
  touch_dependents(path, 0ms);  // unsaved edits are discarded
}

std::optional<std::chrono::milliseconds> Workspace::next_parse() const {
  std::optional<Clock::time_point> first;
  for (const Source& source : sources_) {
    if (source.due && (!first || *source.due < *first)) first = source.due;
  }
  if (!first) return std::nullopt;
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*first - Clock::now());
  return std::max(left, 0ms);
}

bool Workspace::parse_next() {
  std::optional<std::size_t> first;
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    const Source& source = sources_[number];
    if (source.due && *source.due <= Clock::now() && (!first || *source.due < *sources_[*first].due)) first = number;
  }
  if (!first) return false;
  parse(*first);
  return true;
}

void Workspace::refresh(const std::string& path) {
  auto known = by_path_.find(path);
  if (known == by_path_.end()) return;
  for (std::size_t number : known->second) {
    if (is_urgent(sources_[number])) parse(number);
  }
}

void Workspace::refresh_all() {
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    if (is_urgent(sources_[number])) parse(number);
  }
}

void Workspace::complete_all() {
  refresh_all();
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    if (sources_[number].due) parse(number);
  }
}

void Workspace::parse(std::size_t number) {
  Source& source = sources_[number];
  source.due.reset();
  source.is_quick = false;
  bool was_edited = std::exchange(source.is_edited, false);
  Documents::Open* document = documents_.find(source.path);
  if (!document) return;
  if (document->document.text().size() > Documents::size_limit) {
    gen::LiveScan none;
    none.scanned.parser_errors.push_back(
        {"the file is larger than " + std::to_string(Documents::size_limit >> 20) + " MiB and is not checked", {}});
    store(source, std::move(none));
    return;
  }
  if (!source.live) {
    source.live = std::make_unique<gen::LiveSource>(options_for(libraries_[source.library]), source.command);
  }
  auto start = Clock::now();
  double processor_start = processor_ms();
  bool is_slow = source.whole_ms > slow_ms;
  gen::ScanMode mode = was_edited && is_slow ? gen::ScanMode::quick : gen::ScanMode::whole;
  gen::LiveScan scan = source.live->scan(documents_.unsaved(), mode);
  timings_.parse_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  timings_.parse_processor_ms = processor_ms() - processor_start;
  timings_.reused_headers = scan.reused_headers;
  if (scan.is_quick) {
    source.is_quick = true;
    source.due = Clock::now() + pause;
  } else if (scan.reused_headers) {
    source.whole_ms = timings_.parse_ms;
  }
  store(source, std::move(scan));
}

void Workspace::store(Source& source, gen::LiveScan scan) {
  KnownLibrary& library = libraries_[source.library];
  source.used_placeholder = scan.used_placeholder;
  source.findings = std::move(scan.scanned.findings);
  source.parser_errors = std::move(scan.scanned.parser_errors);
  source.missing = missing_names(source.parser_errors);
  if (!scan.scanned.dependencies.empty()) source.dependencies = std::move(scan.scanned.dependencies);
  // Other files keep seeing the last valid declarations of a file with errors.
  source.is_current = scan.scanned.fragment.has_value();
  source.has_fragment = source.has_fragment || scan.scanned.fragment;
  if (scan.scanned.fragment) {
    std::string name = std::move(library.fragments[source.slot].source);
    library.fragments[source.slot] = std::move(*scan.scanned.fragment);
    library.fragments[source.slot].source = std::move(name);
  }
  invalidate(source.library);
  adopt_headers(source);
}

void Workspace::forget(Source& source) {
  source.has_fragment = false;
  source.findings.clear();
  source.parser_errors.clear();
  source.dependencies.clear();
  source.missing.clear();
  libraries_[source.library].fragments[source.slot].declarations.clear();
  invalidate(source.library);
}

void Workspace::invalidate(std::size_t library) {
  libraries_[library].index.reset();  // refers to facts that may change
  libraries_[library].is_checked = false;
  libraries_[library].is_derived = false;
  ++revision_;
}

KnownLibrary* Workspace::library_of(const std::string& path) {
  auto known = by_path_.find(path);
  if (known == by_path_.end()) return nullptr;
  KnownLibrary& library = libraries_[sources_[known->second.front()].library];
  check(library);
  return &library;
}

const gen::Fragment* Workspace::fragment_of(const std::string& path) {
  auto known = by_path_.find(path);
  if (known == by_path_.end()) return nullptr;
  const Source& source = sources_[known->second.front()];
  return source.has_fragment ? &libraries_[source.library].fragments[source.slot] : nullptr;
}

}  // namespace structured::lsp
