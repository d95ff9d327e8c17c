// Precompiled preamble of a source, with the result of parsing it.
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
  /// Builds the preamble. Returns nullopt if the text does not begin with includes or they cannot be precompiled.
  /// Instantiates template specializations that the rest of the text names, so that later parses need not.
  static std::optional<Preamble> read(const SourceRoot& root, BodyCallback analyze_body, ParseSession::Workspace& space,
                                      const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text);

  /// Whether the text begins with this preamble.
  bool begin(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text) const;
  /// Whether the headers of this text, which begins with the preamble, are unchanged on disk. Stats every file.
  bool are_current(const clang::CompilerInvocation& invocation, const llvm::MemoryBuffer& text,
                   llvm::vfs::FileSystem& files) const;

  /// File system that holds the precompiled form.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files() const { return files_; }
  /// Makes the parser start from the preamble and continue in `text`, which it takes over.
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
