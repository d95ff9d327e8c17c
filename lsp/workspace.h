// Facts of all sources, and the diagnostics of the checks.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "background.h"
#include "check/diagnostic.h"
#include "dialect/dialect.h"
#include "documents.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/operator_index.h"
#include "program/fragment_options.h"
#include "project.h"

namespace structured::lsp {

/// Problem shown in the editor. Paths in ranges are absolute.
struct Problem {
  enum class Severity { error = 1, warning = 2, information = 3 };
  Severity severity = Severity::error;
  std::string code;    ///< `structured-impl-mismatch`; empty for errors of Clang
  std::string source;  ///< `structured` or `clang`
  std::string message;
  gen::SourceRange range;
  std::vector<gen::Note> notes;
  std::vector<gen::FixIt> fixits;
  gen::DiagnosticData data;
};

using Problems = std::map<std::string, std::vector<Problem>>;  ///< by path

/// A library, with the facts known so far.
struct KnownLibrary {
  LibraryConfig config;
  gen::FragmentOptions fragment_options;
  const gen::Dialect* dialect = nullptr;
  std::vector<gen::ImportedLibrary> imports;
  std::vector<gen::Fragment> fragments;      ///< one for each source; empty until it has been scanned
  std::vector<std::size_t> sources;          ///< indices of the sources, in the order of the fragments
  std::vector<std::string> problems;         ///< problems of the library itself
  std::vector<gen::Diagnostic> diagnostics;  ///< results of the last check
  bool is_checked = false;
  bool is_derived = false;
  std::optional<gen::Library> derived;  ///< from declarations without errors

  /// Returns the absolute path of a file named in a range.
  std::string path(llvm::StringRef file) const;
  /// Fragments in which declarations of open headers come from the open text, and with the options of the library.
  std::vector<gen::Fragment> filtered;
  llvm::ArrayRef<gen::Fragment> facts() const { return filtered.empty() ? fragments : filtered; }
  /// Index of these facts.
  const gen::OperatorIndex& operators() const;
  mutable std::unique_ptr<gen::OperatorIndex> index;  ///< built on first use
};

class Workspace {
 public:
  using Clock = std::chrono::steady_clock;

  Workspace(Documents& documents, Background& background) : documents_(documents), background_(background) {}

  /// Restarts: scans open sources at once and all others in the background.
  void load(Project project, const Settings& settings);

  void opened(const std::string& path);
  void changed(const std::string& path);
  /// Must be called when a file on disk may have changed.
  void written(const std::string& path);
  void closed(const std::string& path);
  void indexed(Indexed result);

  /// Parses one open file whose text has changed. Returns false if there is none, or if only dependents that can wait
  /// are left.
  bool parse_next();
  /// Returns the time until parse_next() has work; nullopt if it has none.
  std::optional<std::chrono::milliseconds> next_parse() const;

  /// Brings the facts of an open file up to date with its text.
  void refresh(const std::string& path);
  /// Brings the facts of all open files up to date.
  void refresh_all();
  /// Performs deferred work now.
  void complete_all();

  /// Number of sources that have not been scanned yet, and of all sources.
  std::size_t waiting() const { return waiting_; }
  std::size_t indexing() const { return indexing_; }

  /// Increases whenever `problems` may change.
  unsigned revision() const { return revision_; }
  const Problems& problems();

  /// Returns the library of the file with up-to-date checks; null if it belongs to none.
  KnownLibrary* library_of(const std::string& path);
  /// Brings diagnostics and index up to date.
  void check(KnownLibrary& library);
  /// Returns the fragment of the file in that library; null if it has not been scanned.
  const gen::Fragment* fragment_of(const std::string& path);
  /// Derives operators from declarations without errors.
  const gen::Library* derived(KnownLibrary& library);
  std::deque<KnownLibrary>& libraries() { return libraries_; }
  const Project& project() const { return project_; }
  Documents& documents() { return documents_; }
  /// Paths of sources, including open headers.
  bool knows(const std::string& path) const { return by_path_.count(path) > 0; }

  struct Timings {
    double parse_ms = 0;
    double parse_processor_ms = 0;  ///< processor time of the same parse
    double check_ms = 0;
    bool reused_headers = false;
  };
  /// Timings of the last parse and check.
  const Timings& timings() const { return timings_; }

 private:
  struct Source {
    std::string path;
    std::size_t library = 0;
    std::size_t slot = 0;  ///< index among the fragments of the library
    gen::SourceCommand command;
    bool has_fragment = false;
    bool is_current = false;  ///< the fragment matches the text parsed last
    bool is_open = false;
    bool is_loose = false;    ///< not listed by any library
    bool is_waiting = false;  ///< waiting for the background scan
    bool used_placeholder = false;
    std::optional<Clock::time_point> due;  ///< time of the next parse
    bool is_edited = false;                ///< due because the text has changed
    bool is_quick = false;                 ///< due because the last parse was a quick one
    double whole_ms = 0;                   ///< duration of the last whole parse
    std::unique_ptr<gen::LiveSource> live;
    std::vector<gen::ScanFinding> findings;
    std::vector<gen::ParserError> parser_errors;
    std::vector<std::string> dependencies;
    std::set<std::string> missing;  ///< names, without folders, of headers that were not found
  };

  std::size_t add_library(LibraryConfig config);
  /// Reads an import, even if it was read before.
  llvm::Error read_import(KnownLibrary& library, const std::string& path);
  std::size_t add_source(std::size_t library, const std::string& path);
  void put_into(std::size_t library, std::size_t number);
  void take_out(std::size_t number);
  /// Discards the facts about the source.
  void forget(Source& source);
  std::vector<std::size_t> sources_for(const std::string& path);
  /// Moves open headers to the library that includes them, which may become known only after they are opened.
  void adopt_headers(const Source& user);
  std::size_t loose_library(const std::string& path);
  gen::ScanOptions options_for(const KnownLibrary& library) const;
  void read_in_background(std::size_t number);
  bool misses(const Source& source, const std::string& path) const;
  bool depends_on(const Source& source, const std::string& path) const;
  void parse_later(Source& source, const std::string& path, std::chrono::milliseconds delay);
  void parse(std::size_t number);
  bool is_urgent(const Source& source) const { return source.due && (source.is_edited || !source.is_quick); }
  void store(Source& source, gen::LiveScan scan);
  void touch_dependents(const std::string& path, std::chrono::milliseconds delay);
  void invalidate(std::size_t library);
  void filter(KnownLibrary& library);
  void add_problems(KnownLibrary& library, const std::set<std::string>& broken);
  void add_source_problems(const Source& source);

  Documents& documents_;
  Background& background_;
  Settings settings_;
  Project project_;
  unsigned generation_ = 0;
  std::deque<KnownLibrary> libraries_;
  std::deque<Source> sources_;
  std::map<std::string, std::vector<std::size_t>> by_path_;
  std::map<std::string, std::size_t> loose_by_folder_;
  std::size_t waiting_ = 0;
  std::size_t indexing_ = 0;
  /// Modification times of files that the background scan may have read before.
  std::map<std::string, Clock::time_point> written_;
  unsigned revision_ = 1;
  unsigned problems_revision_ = 0;
  Problems problems_;
  Timings timings_;
};

}  // namespace structured::lsp
