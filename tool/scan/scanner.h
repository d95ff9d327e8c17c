// Scans sources: parses each with Clang and records facts about annotated declarations. Includes no Clang header, so
// that commands compile quickly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/aten_headers.h"
#include "model/declaration.h"
#include "scan/body_callback.h"

namespace structured::gen {

struct ScanOptions {
  std::string dialect = "native";
  /// Folder that paths in fragments are relative to.
  std::string source_root = ".";
  /// Clang's resource folder, which holds its builtin headers.
  std::string resource_dir;
  /// Folders and headers, as include directives name them, that structured-gen emits. They are read as empty files.
  std::vector<std::string> emitted_prefixes;
  std::string pch;           ///< path of a precompiled header, or empty
  std::string cuda_toolkit;  ///< path, or empty
  /// Whether emitted headers that exist are read, and only missing ones are empty. A scan before they are emitted must
  /// not depend on them.
  bool reads_emitted_headers = false;
  /// Called for the body of each annotated function. If null, bodies are not parsed.
  BodyCallback analyze_body = nullptr;
  /// Takes its place in the quick scans of sources that are being edited (incremental/live_source.h). If null, it is
  /// `analyze_body`.
  BodyCallback analyze_quickly = nullptr;
  /// Whether the precompiled header has the bodies of functions. One that was precompiled without is not used.
  bool has_bodies = false;
  /// A header that every source includes first, if its include path has it; as include directives name it.
  std::string first_include;
  /// Whether to list the files that were read, including those of the precompiled header.
  bool lists_dependencies = false;
  bool colors = false;
};

/// Compile command of one source.
struct SourceCommand {
  std::string source;
  std::string directory;  ///< base of relative paths; the working directory if empty
  std::vector<std::string> flags;
  bool is_foreign = false;  ///< written for another compiler; flags unknown to Clang are dropped
};

/// Error in a `structured` attribute that only Clang's parser can detect.
struct ScanFinding {
  struct Edit {
    SourceRange range;
    std::string text;
  };
  std::string kind;  ///< name in the registry of diagnostics
  std::string message;
  SourceRange range;
  std::vector<Edit> edits;
};

/// Error of Clang's parser.
struct ParserError {
  std::string message;
  SourceRange range;              ///< invalid for errors without a location, e.g. in a flag
  std::string missing_file = {};  ///< the name in an include directive, if its file was not found
};

struct ScanResult {
  std::optional<Fragment> fragment;        ///< nullopt if the scan failed
  std::string messages;                    ///< all diagnostics as text
  unsigned errors = 0;                     ///< number of errors
  std::vector<ScanFinding> findings;       ///< errors in attributes
  std::vector<ParserError> parser_errors;  ///< all other errors
  std::vector<std::string> dependencies;   ///< absolute paths of the files that were read, without emitted headers
};

struct PrecompileResult {
  bool succeeded = false;
  std::string messages;
  unsigned errors = 0;
  std::vector<std::string> dependencies;
};

struct AtenHeadersResult {
  AtenHeaders headers;
  std::string messages;
  unsigned errors = 0;
};

/// Caches file contents and parsed flags between sources. Not thread-safe.
class Scanner {
 public:
  /// Fails if `resource_dir` has no Clang headers or the precompiled header cannot be read.
  static llvm::Expected<Scanner> create(ScanOptions options);
  Scanner(Scanner&&) noexcept;
  ~Scanner();

  ScanResult scan(const SourceCommand& command);

  /// Precompiles the header `command.source` to `output`. If the source is empty, precompiles the built-in header of
  /// the dialect.
  PrecompileResult precompile(SourceCommand command, llvm::StringRef output);

  /// Reads the operators of the libtorch that the command's flags find.
  AtenHeadersResult read_aten_headers(SourceCommand command);

 private:
  struct State;
  explicit Scanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Returns the include prefixes of the headers emitted for a library with this C++ namespace.
std::vector<std::string> emitted_prefixes(llvm::StringRef cpp_namespace);

/// Returns all commands of `build_dir`/compile_commands.json, the first one for each source.
llvm::Expected<std::vector<SourceCommand>> all_compile_commands(llvm::StringRef build_dir);

/// Returns the command whose source shares the most leading folders with `path`, at least two; the first of several,
/// null if there is none.
const SourceCommand* nearest_command(llvm::StringRef path, llvm::ArrayRef<const SourceCommand*> commands);

/// Returns the commands of `sources` from `build_dir`/compile_commands.json. A header without an entry has the flags of
/// the nearest source. Fails if another source is not listed.
llvm::Expected<std::vector<SourceCommand>> compile_commands(llvm::StringRef build_dir,
                                                            const std::vector<std::string>& sources);

}  // namespace structured::gen
