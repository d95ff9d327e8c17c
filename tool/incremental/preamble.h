// The headers that a source includes first, in parsed form, and what parsing them gave.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clang/Frontend/PrecompiledPreamble.h"
#include "scan/parse_session.h"

namespace structured::gen {

class Preamble {
 public:
  /// Nothing where the text begins with no header, or they cannot be kept. Template specialisations that the text goes
  /// on to name are kept with them.
  static std::optional<Preamble> read(const SourceRoot& root, BodyCallback analyze_body, ParseSession::Workspace& space,
                                      const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text);

  /// Whether this text begins with these headers.
  bool begin(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text) const;
  /// Whether the headers of this text, which begins with them, are as they were. Asks for the state of each file.
  bool are_current(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text,
                   llvm::vfs::FileSystem& files) const;

  /// Where the parsed form is found.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files() const { return files_; }
  /// Has the parser begin with it, and go on in `text`, which it takes over.
  void use(clang::CompilerInvocation& invocation, std::unique_ptr<llvm::MemoryBuffer> text) const;

  std::vector<Declaration> declarations;
  std::vector<ScanFinding> findings;
  std::vector<ParserError> parser_errors;
  std::vector<std::string> dependencies;
  bool lost_declarations = false;
  bool used_placeholder = false;

 private:
  explicit Preamble(clang::PrecompiledPreamble parsed) : parsed_(std::move(parsed)) {}

  clang::PrecompiledPreamble parsed_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_;
  std::string path_;
};

}  // namespace structured::gen
