#include "model/output_destination.h"

#include <unistd.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {
namespace {

/// Returns the target of a symbolic link; empty if the path is not a link.
llvm::SmallString<256> link_text(const std::string& path) {
  llvm::SmallString<256> text;
  text.resize_for_overwrite(4096);  // limit on the length of paths
  ssize_t length = readlink(path.c_str(), text.data(), text.size());
  text.truncate(length < 0 ? 0 : static_cast<std::size_t>(length));
  return text;
}

/// Standard output must not be replaced: the shell may append to it or keep writing to it.
bool is_standard_output(const llvm::sys::fs::file_status& status) {
  llvm::sys::fs::file_status standard;
  return !llvm::sys::fs::status(STDOUT_FILENO, standard) && llvm::sys::fs::equivalent(status, standard);
}

}  // namespace

llvm::ErrorOr<OutputDestination> output_destination(llvm::StringRef path) {
  OutputDestination place{path.str()};
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(path, status);
  if (code == std::errc::too_many_symbolic_link_levels) return code;
  if (llvm::sys::fs::exists(status) && !llvm::sys::fs::is_directory(status)) {
    place.is_written_into = !llvm::sys::fs::is_regular_file(status) || is_standard_output(status);
    if (place.is_written_into) return place;
  }
  // Links in the folders of the path need not be resolved, since the temporary file is in the same folder.
  for (llvm::SmallString<256> text = link_text(place.path); !text.empty(); text = link_text(place.path)) {
    llvm::SmallString<256> target(llvm::sys::path::is_absolute(text) ? llvm::StringRef()
                                                                     : llvm::sys::path::parent_path(place.path));
    llvm::sys::path::append(target, text);
    place.path = target.str().str();
  }
  return place;
}

bool has_contents(llvm::StringRef path, llvm::StringRef contents) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer && (*buffer)->getBuffer() == contents;
}

std::error_code make_folders(llvm::StringRef folder) {
  if (folder.empty()) return {};
  return llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all);
}

std::error_code write_into(llvm::StringRef path, llvm::StringRef contents) {
  auto write = [&](llvm::raw_fd_ostream& out) {
    out << contents;
    out.flush();
    std::error_code code = out.error();
    out.clear_error();  // otherwise LLVM ends the program
    return code;
  };
  llvm::sys::fs::file_status status;
  if (path == "-" || (!llvm::sys::fs::status(path, status) && is_standard_output(status))) return write(llvm::outs());
  int descriptor = -1;
  if (std::error_code code = llvm::sys::fs::openFileForWrite(path, descriptor, llvm::sys::fs::CD_OpenExisting)) {
    return code;
  }
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  return write(out);
}

}  // namespace structured::gen
