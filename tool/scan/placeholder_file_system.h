// The file system that a scan sees: the real one, and above it files that need not exist.
//
// A kernel may include headers that the scan itself leads to. A scan for the build always finds them empty, whether
// they exist already or not: its result would otherwise depend on itself.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

namespace structured::gen {

class PlaceholderFileSystem final : public llvm::vfs::ProxyFileSystem {
 public:
  /// A folder to search: every emitted header seems to be below it.
  static constexpr llvm::StringLiteral emitted_root = "/structured-gen/emitted";

  /// `emitted_prefixes` are folders (`structured/ops`) or headers (`structured/operators.h`) as include directives
  /// name them. With `hides_real`, emitted headers that exist are empty too, wherever they lie.
  PlaceholderFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real, std::vector<std::string> emitted_prefixes,
                        bool hides_real);

  /// Adds a file that is always there. `path` is absolute.
  void add_file(llvm::StringRef path, llvm::StringRef contents);

  /// Whether this name stands for an emitted header, and not for a file to depend on.
  bool is_placeholder(llvm::StringRef path) const;
  /// Whether there is no such file outside this class.
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
