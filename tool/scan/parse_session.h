// Sets Clang up for one source after another. What sources have in common is kept.
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

/// What a parse gave besides what its action collected.
struct ParseResult {
  std::string messages;
  unsigned errors = 0;
  std::vector<ScanFinding> findings;
  std::vector<ParserError> parser_errors;
  bool used_placeholder = false;
  std::vector<std::string> dependencies;
};

/// The folders that the author searches, without those that the compiler adds.
std::vector<std::string> author_include_dirs(const clang::CompilerInvocation& invocation, const SourceCommand& command);

class ParseSession {
 public:
  /// Both must outlive this.
  ParseSession(const ScanOptions& options, const SourceRoot& root);

  /// A copy of Clang's settings for this command, ready for its source. Null after errors in the flags, which go to
  /// `messages`.
  std::shared_ptr<clang::CompilerInvocation> invocation(const SourceCommand& command, std::string& messages);

  /// The absolute path of a file that the command names.
  std::string absolute(const SourceCommand& command, llvm::StringRef path);

  /// Runs the parser.
  ParseResult run(const SourceCommand& command, std::shared_ptr<clang::CompilerInvocation> invocation,
                  clang::FrontendAction& action);

  /// File caches hold relative names, so every working directory has its own.
  struct Workspace {
    llvm::IntrusiveRefCntPtr<PlaceholderFileSystem> files;
    llvm::IntrusiveRefCntPtr<clang::FileManager> manager;
  };
  /// For one parse that sees other files than those before: what is known of these is not used.
  Workspace make_workspace(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real) const;
  ParseResult run(Workspace& space, std::shared_ptr<clang::CompilerInvocation> invocation,
                  clang::FrontendAction& action);

  PlaceholderFileSystem& files(const SourceCommand& command) { return *workspace(command.directory).files; }

  /// Whether the precompiled header can be read with these settings.
  bool accepts_pch(const SourceCommand& command, const clang::CompilerInvocation& invocation);

 private:
  Workspace& workspace(llvm::StringRef directory);
  std::vector<std::string> driver_arguments(const SourceCommand& command) const;
  /// The same for commands that differ in nothing but the source.
  std::vector<std::string> cache_key(const SourceCommand& command) const;

  const ScanOptions& options_;
  const SourceRoot& root_;
  std::map<std::string, Workspace, std::less<>> workspaces_;
  std::map<std::vector<std::string>, std::unique_ptr<clang::CompilerInvocation>> invocations_;
  std::map<std::vector<std::string>, bool> accepted_;  ///< whether the precompiled header suits the flags
};

}  // namespace structured::gen
