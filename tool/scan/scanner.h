// Scans sources: runs Clang's parser over each and keeps the facts about annotated declarations. Includes no header
// of Clang's, so that the program's commands compile quickly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"
#include "scan/body_callback.h"

namespace structured::gen {

struct ScanOptions {
  std::string dialect = "native";
  /// Paths in fragments are relative to it.
  std::string source_root = ".";
  /// Folder with the headers that belong to Clang itself.
  std::string resource_dir;
  /// Folders and headers, as include directives name them, that are emitted and answered with empty files.
  std::vector<std::string> emitted_prefixes;
  std::string pch;           ///< a precompiled header to start from; empty: none
  std::string cuda_toolkit;  ///< empty: none
  /// Called for the body of each annotated function. If null, bodies are not parsed. With a callback, emitted headers
  /// are read where they exist, and placeholders are for a first build.
  BodyCallback analyze_body = nullptr;
  /// Whether to name the files that were read, those behind the precompiled header included.
  bool lists_dependencies = false;
  bool colors = false;
};

/// How one source is compiled.
struct SourceCommand {
  std::string source;
  std::string directory;  ///< relative paths start here; empty: the process's working directory
  std::vector<std::string> flags;
  bool is_foreign = false;  ///< the flags are another compiler's: those that Clang does not know are dropped
};

/// An error of ours that only Clang's parser can find.
struct ScanFinding {
  struct Edit {
    SourceRange range;
    std::string text;
  };
  std::string kind;  ///< as the registry of diagnostics names it
  std::string message;
  SourceRange range;
  std::vector<Edit> edits;
};

/// An error of Clang's parser.
struct ParserError {
  std::string message;
  SourceRange range;  ///< invalid where it has no place, as of a flag
};

struct ScanResult {
  std::optional<Fragment> fragment;        ///< nothing if the scan failed
  std::string messages;                    ///< why, as text
  unsigned errors = 0;                     ///< how many of them are errors
  std::vector<ScanFinding> findings;       ///< those among them that are ours
  std::vector<ParserError> parser_errors;  ///< the others
  std::vector<std::string> dependencies;   ///< absolute paths of all files that were read, emitted headers left out
};

struct PrecompileResult {
  bool succeeded = false;
  std::string messages;
  unsigned errors = 0;
  std::vector<std::string> dependencies;
};

/// Not thread-safe. Keeps what sources have in common (file contents, flags already understood) between calls.
class Scanner {
 public:
  /// Fails if there are no headers of Clang's in `resource_dir`, or the precompiled header cannot be read.
  static llvm::Expected<Scanner> create(ScanOptions options);
  Scanner(Scanner&&) noexcept;
  ~Scanner();

  ScanResult scan(const SourceCommand& command);

  /// Writes the precompiled form of `command.source`, a header, to `output`. An empty source stands for the
  /// headers of the dialect.
  PrecompileResult precompile(SourceCommand command, llvm::StringRef output);

 private:
  struct State;
  explicit Scanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The prefixes below which a library with this C++ namespace has its emitted headers.
std::vector<std::string> emitted_prefixes(llvm::StringRef cpp_namespace);

/// All commands in the compile_commands.json in `build_dir`; of several for one source, the first.
llvm::Expected<std::vector<SourceCommand>> all_compile_commands(llvm::StringRef build_dir);

/// The commands for `sources` from the compile_commands.json in `build_dir`; every source must be in it.
llvm::Expected<std::vector<SourceCommand>> compile_commands(llvm::StringRef build_dir,
                                                            const std::vector<std::string>& sources);

}  // namespace structured::gen
