#include "model/temporary_file.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <string>

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral extension = ".partial";

/// Whether a process has ended. One that was killed still has its number until its parent asks for its status.
bool has_ended(pid_t process) {
  if (kill(process, 0) != 0) return errno == ESRCH;
  const auto status = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(process) + "/stat");
  return status && (*status)->getBuffer().rsplit(')').second.starts_with(" Z");
}

/// Whether this is the name of a temporary file whose process has ended.
bool is_leftover(llvm::StringRef name) {
  if (!name.consume_back(extension)) return false;
  const llvm::StringRef process_and_random = name.rsplit('.').second;
  pid_t process = 0;
  if (process_and_random.split('-').first.getAsInteger(10, process) || process <= 0) return false;
  return has_ended(process);
}

void remove_leftovers(llvm::StringRef folder) {
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(folder.empty() ? "." : folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (is_leftover(llvm::sys::path::filename(entry->path()))) llvm::sys::fs::remove(entry->path());
  }
}

void remove_leftovers_once(llvm::StringRef folder) {
  static std::mutex mutex;
  static llvm::StringSet<> cleaned;
  const std::lock_guard<std::mutex> lock(mutex);
  if (cleaned.insert(folder).second) remove_leftovers(folder);
}

}  // namespace

std::error_code create_temporary(llvm::StringRef path, int& descriptor, llvm::SmallString<256>& temporary) {
  remove_leftovers_once(llvm::sys::path::parent_path(path));
  const std::string model = path.str() + "." + std::to_string(getpid()) + "-%%%%%%%%" + extension.str();
  if (const std::error_code code = llvm::sys::fs::createUniqueFile(model, descriptor, temporary)) return code;
  llvm::sys::RemoveFileOnSignal(temporary);
  return {};
}

std::error_code write_temporary(llvm::StringRef path, llvm::StringRef contents, llvm::SmallString<256>& temporary) {
  int descriptor = -1;
  if (const std::error_code code = create_temporary(path, descriptor, temporary)) return code;
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << contents;
  stream.close();
  const std::error_code code = stream.error();
  stream.clear_error();  // otherwise LLVM ends the program
  if (code) llvm::sys::fs::remove(temporary);
  return code;
}

}  // namespace structured::gen
