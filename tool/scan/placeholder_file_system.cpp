#include "scan/placeholder_file_system.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral virtual_root = "/structured-gen/";
constexpr llvm::StringLiteral banner = "// Emitted by structured-gen";

class VirtualFile final : public llvm::vfs::File {
 public:
  VirtualFile(llvm::vfs::Status status, llvm::StringRef contents) : status_(std::move(status)), contents_(contents) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBuffer(contents_, name.str());
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  llvm::StringRef contents_;
};

/// Whether `path` is `directory` or is inside it.
bool is_at_or_below(llvm::StringRef path, llvm::StringRef directory) {
  return path.consume_front(directory) && (path.empty() || path.front() == '/');
}

std::string normalised(llvm::StringRef path) {
  llvm::SmallString<256> result(path);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

bool names_header(llvm::StringRef path) { return !llvm::sys::path::extension(path).empty(); }

}  // namespace

PlaceholderFileSystem::PlaceholderFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real,
                                             std::vector<std::string> emitted_prefixes, bool hides_real)
    : ProxyFileSystem(std::move(real)), prefixes_(std::move(emitted_prefixes)), hides_real_(hides_real) {}

void PlaceholderFileSystem::add_file(llvm::StringRef path, llvm::StringRef contents) {
  files_[path.str()] = contents.str();
}

bool PlaceholderFileSystem::is_emitted_name(llvm::StringRef include_path) const {
  return names_header(include_path) && llvm::any_of(prefixes_, [&](const std::string& prefix) {
           return names_header(prefix) ? include_path == prefix : is_at_or_below(include_path, prefix);
         });
}

PlaceholderFileSystem::Answer PlaceholderFileSystem::answer(llvm::StringRef path) const {
  if (!is_at_or_below(path, virtual_root.drop_back())) {
    return is_real_emitted_file(path) ? Answer::file : Answer::real;
  }
  if (files_.contains(path)) return Answer::file;
  if (llvm::any_of(files_, [&](const auto& file) { return is_at_or_below(file.first, path); })) {
    return Answer::directory;
  }
  if (is_at_or_below(emitted_root, path)) return Answer::directory;
  if (!path.consume_front(emitted_root) || !path.consume_front("/")) return Answer::missing;
  if (is_emitted_name(path)) return Answer::file;
  bool is_directory = llvm::any_of(prefixes_, [&](const std::string& prefix) {
    return is_at_or_below(prefix, path) || (!names_header(prefix) && is_at_or_below(path, prefix));
  });
  return is_directory ? Answer::directory : Answer::missing;
}

/// Whether `path` is an emitted header on disk. A quoted include finds files beside the including one before it
/// searches any folder. The name alone does not distinguish an emitted header from an author's file in a folder of
/// equal name; its first line does.
bool PlaceholderFileSystem::is_real_emitted_file(llvm::StringRef path) const {
  bool is_suspect = hides_real_ && names_header(path) && llvm::any_of(prefixes_, [&](llvm::StringRef prefix) {
                      llvm::StringRef place = names_header(prefix) ? path : llvm::sys::path::parent_path(path);
                      return place.consume_back(prefix) && (place.empty() || place.back() == '/');
                    });
  if (!is_suspect) return false;
  auto [entry, is_new] = real_emitted_.try_emplace(path.str(), false);
  if (is_new) {
    auto buffer = getUnderlyingFS().getBufferForFile(path);
    entry->second = buffer && (*buffer)->getBuffer().starts_with(banner);
  }
  return entry->second;
}

bool PlaceholderFileSystem::is_placeholder(llvm::StringRef path) const {
  std::string name = normalised(path);
  return is_at_or_below(name, emitted_root) || is_real_emitted_file(name);
}

bool PlaceholderFileSystem::is_virtual(llvm::StringRef path) const {
  return is_at_or_below(normalised(path), virtual_root.drop_back());
}

llvm::StringRef PlaceholderFileSystem::contents(llvm::StringRef path) const {
  auto found = files_.find(std::string_view(path));
  return found == files_.end() ? llvm::StringRef("") : llvm::StringRef(found->second);
}

llvm::vfs::Status PlaceholderFileSystem::virtual_status(llvm::StringRef path, Answer answer) const {
  auto [id, is_new] = ids_.try_emplace(path.str());
  if (is_new) id->second = llvm::vfs::getNextVirtualUniqueID();
  bool is_directory = answer == Answer::directory;
  return llvm::vfs::Status(
      path, id->second, llvm::sys::TimePoint<>(), 0, 0, contents(path).size(),
      is_directory ? llvm::sys::fs::file_type::directory_file : llvm::sys::fs::file_type::regular_file,
      llvm::sys::fs::perms::all_read);
}

llvm::ErrorOr<llvm::vfs::Status> PlaceholderFileSystem::status(const llvm::Twine& path) {
  std::string name = normalised(path.str());
  switch (Answer found = answer(name)) {
    case Answer::real:
      return ProxyFileSystem::status(path);
    case Answer::missing:
      return std::make_error_code(std::errc::no_such_file_or_directory);
    case Answer::directory:
    case Answer::file:
      return virtual_status(name, found);
  }
  llvm_unreachable("every answer is handled");
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> PlaceholderFileSystem::openFileForRead(const llvm::Twine& path) {
  std::string name = normalised(path.str());
  switch (Answer found = answer(name)) {
    case Answer::real:
      return ProxyFileSystem::openFileForRead(path);
    case Answer::missing:
    case Answer::directory:
      return std::make_error_code(std::errc::no_such_file_or_directory);
    case Answer::file:
      return std::make_unique<VirtualFile>(virtual_status(name, found), contents(name));
  }
  llvm_unreachable("every answer is handled");
}

std::error_code PlaceholderFileSystem::getRealPath(const llvm::Twine& path, llvm::SmallVectorImpl<char>& output) {
  std::string name = normalised(path.str());
  if (answer(name) == Answer::real) return ProxyFileSystem::getRealPath(path, output);
  output.assign(name.begin(), name.end());
  return {};
}

bool PlaceholderFileSystem::exists(const llvm::Twine& path) { return static_cast<bool>(status(path)); }

}  // namespace structured::gen
