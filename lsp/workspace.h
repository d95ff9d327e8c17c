// The facts of all sources, and what the checks say of them.
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
#include "language/target.h"
#include "documents.h"
#include "model/imports.h"
#include "model/operator.h"
#include "model/operator_index.h"
#include "project.h"

namespace structured::lsp {

/// What is shown at a place. Paths in ranges are absolute.
struct Problem {
  enum class Severity { error = 1, warning = 2, information = 3 };
  Severity severity = Severity::error;
  std::string code;    ///< `structured-impl-mismatch`; empty for what Clang says
  std::string source;  ///< who says it: `structured`, `clang`
  std::string message;
  gen::SourceRange range;
  std::vector<gen::Note> notes;
  std::vector<gen::FixIt> fixits;
};

using Problems = std::map<std::string, std::vector<Problem>>;  ///< by path

/// A library, as far as its sources are known.
struct KnownLibrary {
  LibraryConfig config;
  const gen::Target* target = nullptr;
  std::vector<gen::ImportedLibrary> imports;
  std::vector<gen::Fragment> fragments;      ///< one for each source; empty until it is known
  std::vector<std::size_t> sources;          ///< the sources' numbers, in the order of the fragments
  std::vector<std::string> problems;         ///< with the library as such
  std::vector<gen::Diagnostic> diagnostics;  ///< of the last check
  bool is_checked = false;
  bool is_derived = false;
  std::optional<gen::Library> derived;  ///< of what has no errors

  /// The absolute path of a file that a place names.
  std::string path(llvm::StringRef file) const;
  /// The declarations that count: those of a header that is open come from its own text.
  std::vector<gen::Fragment> filtered;
  llvm::ArrayRef<gen::Fragment> facts() const { return filtered.empty() ? fragments : filtered; }
  /// Of these facts.
  const gen::OperatorIndex& operators() const;
  mutable std::unique_ptr<gen::OperatorIndex> index;  ///< made when it is asked for
};

class Workspace {
 public:
  using Clock = std::chrono::steady_clock;

  Workspace(Documents& documents, Background& background) : documents_(documents), background_(background) {}

  /// Begins anew: reads all sources of the project in the background, open ones at once.
  void load(Project project, const Settings& settings);

  void opened(const std::string& path);
  void changed(const std::string& path);
  /// A file on disk may have another text now, whoever wrote it.
  void written(const std::string& path);
  void closed(const std::string& path);
  void indexed(Indexed result);

  /// Parses one open file whose text has changed; false if there is none, or if those that include it can wait.
  bool parse_next();
  /// How long until `parse_next` has something to do; nothing if it never has.
  std::optional<std::chrono::milliseconds> next_parse() const;

  /// Sees to it that what is known of an open file is what its text says.
  void refresh(const std::string& path);
  /// The same for all of them.
  void refresh_all();
  /// Does at once what can wait, too.
  void complete_all();

  /// Sources of the project that have not been read yet, and all of them.
  std::size_t waiting() const { return waiting_; }
  std::size_t indexing() const { return indexing_; }

  /// Grows when something becomes known that `problems` may depend on.
  unsigned revision() const { return revision_; }
  const Problems& problems();

  /// The library that the file belongs to, its checks up to date; null if it belongs to none.
  KnownLibrary* library_of(const std::string& path);
  /// Brings diagnostics and index up to date.
  void check(KnownLibrary& library);
  /// The file's fragment in that library; null where nothing is known of it.
  const gen::Fragment* fragment_of(const std::string& path);
  /// Derives operators from what has no errors.
  const gen::Library* derived(KnownLibrary& library);
  std::deque<KnownLibrary>& libraries() { return libraries_; }
  const Project& project() const { return project_; }
  Documents& documents() { return documents_; }
  /// The paths of sources, open headers included.
  bool knows(const std::string& path) const { return by_path_.count(path) > 0; }

  struct Timings {
    double parse_ms = 0;
    double parse_processor_ms = 0;  ///< the processor's time for the same
    double check_ms = 0;
    bool reused_headers = false;
  };
  /// Of the last parse and check.
  const Timings& timings() const { return timings_; }

 private:
  struct Source {
    std::string path;
    std::size_t library = 0;
    std::size_t slot = 0;  ///< among the library's fragments
    gen::SourceCommand command;
    bool has_fragment = false;
    bool is_current = false;  ///< the fragment is of the text that was parsed last
    bool is_open = false;
    bool is_loose = false;    ///< no library of the project lists it
    bool is_waiting = false;  ///< to be read in the background
    bool used_placeholder = false;
    std::optional<Clock::time_point> due;  ///< when it is to be parsed
    bool is_edited = false;                ///< it is due as its text has changed
    bool is_quick = false;                 ///< it is due as it was parsed quickly
    double whole_ms = 0;                   ///< how long it took to parse all of it
    std::unique_ptr<gen::LiveSource> live;
    std::vector<gen::ScanFinding> findings;
    std::vector<gen::ParserError> parser_errors;
    std::vector<std::string> dependencies;
    std::set<std::string> missing;  ///< names, without folders, of files that it includes and that are nowhere
  };

  std::size_t add_library(LibraryConfig config);
  /// Reads an import, also one that was read before.
  llvm::Error read_import(KnownLibrary& library, const std::string& path);
  std::size_t add_source(std::size_t library, const std::string& path);
  void put_into(std::size_t library, std::size_t number);
  void take_out(std::size_t number);
  /// Nothing is known of the source any more.
  void forget(Source& source);
  std::vector<std::size_t> sources_for(const std::string& path);
  /// Which headers a library's source includes may become known only after they were opened.
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
  /// When the files were written that the background may have read before.
  std::map<std::string, Clock::time_point> written_;
  unsigned revision_ = 1;
  unsigned problems_revision_ = 0;
  Problems problems_;
  Timings timings_;
};

}  // namespace structured::lsp
