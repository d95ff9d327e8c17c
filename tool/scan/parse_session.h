// Configures and runs Clang for a sequence of sources, and caches what they share.
#pragma once

#include <map>
#include <memory>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "scan/compile_flags.h"
#include "scan/placeholder_file_system.h"
#include "scan/scan_diagnostics.h"
#include "scan/scanner.h"

namespace structured::gen {

/// Result of a parse, apart from what its action collects.
struct ParseResult {
  std::string messages;
  unsigned errors = 0;
  std::vector<ScanFinding> findings;
  std::vector<ParserError> parser_errors;
  bool used_placeholder = false;
  std::vector<std::string> dependencies;
};

/// Returns the include folders given on the command, without the compiler's own.
std::vector<std::string> author_include_dirs(const clang::CompilerInvocation& invocation, const SourceCommand& command);

class ParseSession {
 public:
  /// `options` and `root` must outlive the session.
  ParseSession(const ScanOptions& options, const SourceRoot& root);

  /// Returns a copy of the compiler invocation for `command`. On errors in the flags, returns null and sets `messages`.
  std::shared_ptr<clang::CompilerInvocation> invocation(const SourceCommand& command, std::string& messages);

  /// Returns the absolute path of a file that the command names.
  std::string absolute(const SourceCommand& command, llvm::StringRef path);

  /// Runs the parser.
  ParseResult run(const SourceCommand& command, std::shared_ptr<clang::CompilerInvocation> invocation,
                  clang::FrontendAction& action);

  /// File system and file cache of one working directory; the cache stores relative names.
  struct Workspace {
    llvm::IntrusiveRefCntPtr<PlaceholderFileSystem> files;
    llvm::IntrusiveRefCntPtr<clang::FileManager> manager;
  };
  /// Creates a workspace with an empty cache, for a parse on a different file system.
  Workspace make_workspace(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real) const;
  ParseResult run(Workspace& space, std::shared_ptr<clang::CompilerInvocation> invocation,
                  clang::FrontendAction& action);

  PlaceholderFileSystem& files(const SourceCommand& command) { return *workspace(command.directory).files; }

  /// Lets the parse begin with the header of the options, if there is one and `files` has it.
  void add_first_include(const SourceCommand& command, llvm::vfs::FileSystem& files,
                         clang::CompilerInvocation& invocation) const;

  /// Lets the parse use the precompiled header. Returns false, and changes nothing, if the two are incompatible.
  bool use_pch(const SourceCommand& command, clang::CompilerInvocation& invocation);

 private:
  Workspace& workspace(llvm::StringRef directory);
  std::vector<std::string> driver_arguments(const SourceCommand& command) const;
  /// Key that is equal for commands that differ in the source only.
  std::vector<std::string> cache_key(const SourceCommand& command) const;

  const ScanOptions& options_;
  const SourceRoot& root_;
  std::map<std::string, Workspace, std::less<>> workspaces_;
  std::map<std::vector<std::string>, std::unique_ptr<clang::CompilerInvocation>> invocations_;
  /// How parses use the precompiled header. A parse that needs no bodies may use one with bodies.
  enum class PchUse { none, as_it_is, with_bodies };
  std::map<std::vector<std::string>, PchUse> pch_uses_;  ///< by flags
};

}  // namespace structured::gen
