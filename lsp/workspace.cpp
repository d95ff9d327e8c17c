#include "workspace.h"

#include <ctime>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "read_import.h"
#include "scan_finding.h"

namespace structured::lsp {
namespace {

using namespace std::chrono_literals;

/// Files that include the edited one are parsed when its author pauses.
constexpr auto pause = 400ms;

/// Sources that take longer are parsed quickly while somebody types, and as a whole in the next pause.
constexpr double slow_ms = 5;

/// Of this thread, which other work on the machine does not lengthen as much.
double processor_ms() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Paths below the root are relative to it, as in the scans.
std::string relative(llvm::StringRef path, llvm::StringRef root) {
  llvm::StringRef below = path;
  return below.consume_front(root) && below.consume_front("/") ? below.str() : path.str();
}

/// How a header is compiled that a source includes.
gen::SourceCommand like(gen::SourceCommand command, const std::string& header) {
  command.source = header;
  return command;
}

/// Where a placeholder stands for what the build emits, any such file may be the one.
bool may_replace_placeholder(const std::string& path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  return name.ends_with(".h") || name == "signatures.json";
}

/// The file that `'folder/name.h' file not found` speaks of, without its folder: the one who wrote the directive and
/// the one who writes the file may mean different folders.
std::set<std::string> missing_names(llvm::ArrayRef<gen::ParserError> errors) {
  std::set<std::string> result;
  for (const gen::ParserError& error : errors) {
    llvm::StringRef message = error.message;
    if (!message.consume_front("'")) continue;
    auto [file, rest] = message.split('\'');
    if (rest.starts_with(" file not found")) result.insert(llvm::sys::path::filename(file).str());
  }
  return result;
}

}  // namespace

std::string KnownLibrary::path(llvm::StringRef file) const {
  if (file.empty() || llvm::sys::path::is_absolute(file)) return file.str();
  llvm::SmallString<256> result(config.root);
  llvm::sys::path::append(result, file);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

std::size_t Workspace::add_library(LibraryConfig config) {
  KnownLibrary& library = libraries_.emplace_back();
  library.config = std::move(config);
  library.dialect = gen::find_dialect(library.config.dialect);
  for (const std::string& path : library.config.imports) {
    if (llvm::Error error = read_import(library, path)) library.problems.push_back(llvm::toString(std::move(error)));
  }
  return libraries_.size() - 1;
}

llvm::Error Workspace::read_import(KnownLibrary& library, const std::string& path) {
  llvm::Expected<gen::ImportedLibrary> import = gen::read_import(path, path, *library.dialect);
  if (!import) return import.takeError();
  auto known = llvm::find_if(library.imports, [&](const auto& other) { return other.definitions.source == path; });
  if (known == library.imports.end()) {
    library.imports.push_back(std::move(*import));
  } else {
    *known = std::move(*import);
  }
  return llvm::Error::success();
}

std::size_t Workspace::add_source(std::size_t library, const std::string& path) {
  std::size_t number = sources_.size();
  Source& source = sources_.emplace_back();
  source.path = path;
  source.command = command_for(path, project_, settings_);
  by_path_[path].push_back(number);
  put_into(library, number);
  return number;
}

void Workspace::put_into(std::size_t library, std::size_t number) {
  KnownLibrary& known = libraries_[library];
  Source& source = sources_[number];
  source.library = library;
  source.slot = known.fragments.size();
  gen::Fragment& fragment = known.fragments.emplace_back();
  fragment.source = relative(source.path, known.config.root);
  fragment.dialect = known.config.dialect;
  known.sources.push_back(number);
}

void Workspace::take_out(std::size_t number) {
  Source& source = sources_[number];
  KnownLibrary& known = libraries_[source.library];
  forget(source);
  known.fragments.erase(known.fragments.begin() + static_cast<std::ptrdiff_t>(source.slot));
  known.sources.erase(known.sources.begin() + static_cast<std::ptrdiff_t>(source.slot));
  for (std::size_t slot = source.slot; slot < known.sources.size(); ++slot) sources_[known.sources[slot]].slot = slot;
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
  options.reads_bodies = true;
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
    // It is parsed with the text that the editor has.
  } else if (llvm::sys::fs::exists(source.path)) {
    store(source, std::move(result.scan));
  } else {
    forget(source);
  }
  // Only now is it known what the source depends on.
  bool is_outdated = llvm::any_of(
      written_, [&](const auto& entry) { return entry.second >= result.began && depends_on(source, entry.first); });
  if (is_outdated && !source.is_open && !source.is_loose) read_in_background(result.source);
  if (waiting_ == 0) {
    written_.clear();
    for (std::size_t library = 0; library < libraries_.size(); ++library) invalidate(library);
  }
}

/// A file of no library is checked together with the other open ones beside it.
std::size_t Workspace::loose_library(const std::string& path) {
  std::string folder = llvm::sys::path::parent_path(path).str();
  auto [entry, is_new] = loose_by_folder_.try_emplace(folder, 0);
  if (!is_new) return entry->second;
  LibraryConfig config;
  config.name = folder;
  config.root = folder;
  config.schema_namespace = settings_.schema_namespace;
  config.cpp_namespace = settings_.cpp_namespace;
  config.dialect = settings_.dialect;
  config.cuda_toolkit = settings_.cuda_toolkit;
  config.is_whole = false;
  return entry->second = add_library(std::move(config));
}

/// The sources that the file is; a header that no library lists belongs where it is included.
std::vector<std::size_t> Workspace::sources_for(const std::string& path) {
  auto known = by_path_.find(path);
  if (known != by_path_.end()) return known->second;
  std::size_t number = sources_.size();
  auto includes = [&](const Source& source) { return llvm::is_contained(source.dependencies, path); };
  auto user = llvm::find_if(sources_, includes);
  if (user != sources_.end()) {
    gen::SourceCommand command = like(user->command, path);
    add_source(user->library, path);
    sources_[number].command = std::move(command);
  } else {
    add_source(loose_library(path), path);
  }
  sources_[number].is_loose = true;
  return {number};
}

/// Which headers a library's source includes may become known only after they were opened.
void Workspace::adopt_headers(const Source& user) {
  if (!libraries_[user.library].config.is_whole) return;
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    Source& header = sources_[number];
    bool is_homeless = header.is_loose && !libraries_[header.library].config.is_whole;
    if (!is_homeless || !llvm::is_contained(user.dependencies, header.path)) continue;
    take_out(number);
    put_into(user.library, number);
    header.command = like(user.command, header.path);
    header.live.reset();
    if (header.is_open) header.due = Clock::now();
  }
}

void Workspace::opened(const std::string& path) {
  for (std::size_t number : sources_for(path)) {
    Source& source = sources_[number];
    source.is_open = true;
    source.due = Clock::now();
    invalidate(source.library);
  }
  // An editor that restores a tab opens it with a text that was never saved.
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

/// Whether the file may be one that the source includes and that was not there.
bool Workspace::misses(const Source& source, const std::string& path) const {
  return source.missing.count(llvm::sys::path::filename(path).str()) > 0;
}

bool Workspace::depends_on(const Source& source, const std::string& path) const {
  return source.path == path || (source.used_placeholder && may_replace_placeholder(path)) || misses(source, path) ||
         llvm::is_contained(source.dependencies, path);
}

/// As the file has changed. One that was not there is found only if all headers are read again.
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
    // While it cannot be read, what it said before counts.
    if (llvm::Error error = read_import(library, path)) llvm::consumeError(std::move(error));
    // An import that was not there before: the sources are read in another way with it.
    if (options_for(library).emitted_prefixes != prefixes) return load(project_, Settings(settings_));
  }
  for (std::size_t number = 0; number < sources_.size(); ++number) {
    Source& source = sources_[number];
    if (!depends_on(source, path)) continue;
    if (source.is_open) {
      if (source.path == path) continue;  // the editor's text counts
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
    source.due.reset();
    source.live.reset();
    if (source.is_loose) {
      forget(source);
    } else {
      read_in_background(number);
      invalidate(source.library);
    }
  }
  touch_dependents(path, 0ms);  // what was not saved is gone
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
        {"the file has more than " + std::to_string(Documents::size_limit >> 20) + " MiB, and is not checked", {}});
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
  // What cannot be read now was right a moment ago, as far as other files are concerned.
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

void Workspace::invalidate(std::size_t library) {
  libraries_[library].index.reset();  // points into what may have changed
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
