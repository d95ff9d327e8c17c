// File system of a scan: the real one, overlaid with files that need not exist.
//
// Kernels may include headers that structured-gen emits from the scan. A scan for the build always sees them as empty
// files, whether or not they exist, so that its result does not depend on an earlier build.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

namespace structured::gen {

class PlaceholderFileSystem final : public llvm::vfs::ProxyFileSystem {
 public:
  /// Include folder below which every emitted header appears to exist.
  static constexpr llvm::StringLiteral emitted_root = "/structured-gen/emitted";

  /// `emitted_prefixes` are folders (`structured/ops`) or headers (`structured/operators.h`) as include directives name
  /// them. `hides_real` makes emitted headers appear empty even if they exist on disk.
  PlaceholderFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real, std::vector<std::string> emitted_prefixes,
                        bool hides_real);

  /// Adds a virtual file with an absolute path.
  void add_file(llvm::StringRef path, llvm::StringRef contents);

  /// Whether `path` is an empty emitted header, on which nothing depends.
  bool is_placeholder(llvm::StringRef path) const;
  /// Whether `path` exists in this class only.
  bool is_virtual(llvm::StringRef path) const;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  std::error_code getRealPath(const llvm::Twine& path, llvm::SmallVectorImpl<char>& output) override;
  bool exists(const llvm::Twine& path) override;

 private:
  enum class Answer { real, missing, directory, file };
  Answer answer(llvm::StringRef path) const;
  bool is_emitted_name(llvm::StringRef include_path) const;
  bool is_real_emitted_file(llvm::StringRef path) const;
  llvm::vfs::Status virtual_status(llvm::StringRef path, Answer answer) const;
  llvm::StringRef contents(llvm::StringRef path) const;

  std::vector<std::string> prefixes_;
  bool hides_real_;
  std::map<std::string, std::string, std::less<>> files_;
  mutable std::map<std::string, llvm::sys::fs::UniqueID, std::less<>> ids_;
  mutable std::map<std::string, bool, std::less<>> real_emitted_;
};

}  // namespace structured::gen
