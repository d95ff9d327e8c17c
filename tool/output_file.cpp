#include "output_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {
namespace {

llvm::Error error_at(llvm::StringRef action, llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot " + action + " `" + path + "`: " + code.message());
}

/// A path as makefiles spell it.
std::string escaped(llvm::StringRef path) {
  std::string result;
  for (char c : path) {
    if (c == ' ' || c == '#') result += '\\';
    if (c == '$') result += '$';
    result += c;
  }
  return result;
}

}  // namespace

llvm::Error write_output(llvm::StringRef path, llvm::StringRef contents) {
  if (path == "-") {
    llvm::raw_fd_ostream& out = llvm::outs();
    out << contents;
    out.flush();
    std::error_code code = out.error();
    out.clear_error();  // LLVM would end the program for it
    if (!code) return llvm::Error::success();
    return llvm::createStringError(code, "cannot write to the standard output: " + code.message());
  }
  if (auto old = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
      old && (*old)->getBuffer() == contents) {
    return llvm::Error::success();
  }
  if (llvm::sys::fs::is_directory(path)) {
    return error_at("write", path, std::make_error_code(std::errc::is_a_directory));
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (std::error_code code = folder.empty() ? std::error_code() : llvm::sys::fs::create_directories(folder)) {
    return error_at("make folder", folder, code);
  }
  llvm::SmallString<256> temporary;
  int descriptor = -1;
  if (std::error_code code = llvm::sys::fs::createUniqueFile(path + ".%%%%%%%%.partial", descriptor, temporary)) {
    return error_at("write", path, code);
  }
  llvm::sys::RemoveFileOnSignal(temporary);
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << contents;
  out.close();
  std::error_code code = out.error();
  out.clear_error();
  if (!code) code = llvm::sys::fs::rename(temporary, path);
  if (!code) return llvm::Error::success();
  llvm::sys::fs::remove(temporary);
  return error_at("write", path, code);
}

llvm::Error replace_output(llvm::StringRef path, llvm::StringRef temporary) {
  auto contents = [](llvm::StringRef file) {
    return llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  };
  auto fresh = contents(temporary);
  if (!fresh) return error_at("read", temporary, fresh.getError());
  if (auto old = contents(path); old && (*old)->getBuffer() == (*fresh)->getBuffer()) {
    llvm::sys::fs::remove(temporary);
    return llvm::Error::success();
  }
  if (std::error_code code = llvm::sys::fs::rename(temporary, path)) {
    llvm::sys::fs::remove(temporary);
    return error_at("write", path, code);
  }
  return llvm::Error::success();
}

std::string depfile_text(llvm::StringRef target, const std::vector<std::string>& dependencies) {
  llvm::SmallString<256> directory;
  if (!llvm::sys::path::is_absolute(target) && !llvm::sys::fs::current_path(directory)) directory += '/';
  std::string result = escaped(target) + ":";
  std::string rules;
  for (llvm::StringRef dependency : dependencies) {
    if (!directory.empty()) dependency.consume_front(directory);
    result += " \\\n  " + escaped(dependency);
    rules += escaped(dependency) + ":\n";
  }
  return result + "\n" + rules;
}

llvm::Expected<std::string> read_input(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) return error_at("read", path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

}  // namespace structured::gen
