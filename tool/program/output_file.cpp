#include "program/output_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "model/output_destination.h"
#include "model/temporary_file.h"

namespace structured::gen {
namespace {

llvm::Error error_at(llvm::StringRef action, llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot " + action + " `" + path + "`: " + code.message());
}

/// Escapes a path for makefiles.
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
    std::error_code code = write_into(path, contents);
    if (!code) return llvm::Error::success();
    return llvm::createStringError(code, "cannot write to the standard output: " + code.message());
  }
  auto place = output_destination(path);
  if (!place) return error_at("write", path, place.getError());
  if (place->is_written_into) {
    std::error_code code = write_into(path, contents);
    return code ? error_at("write", path, code) : llvm::Error::success();
  }
  if (has_contents(place->path, contents)) return llvm::Error::success();
  if (llvm::sys::fs::is_directory(place->path)) {
    return error_at("write", path, std::make_error_code(std::errc::is_a_directory));
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(place->path);
  if (std::error_code code = make_folders(folder)) {
    return error_at("make folder", folder, code);
  }
  llvm::SmallString<256> temporary;
  if (std::error_code code = write_temporary(place->path, contents, temporary)) return error_at("write", path, code);
  std::error_code code = llvm::sys::fs::rename(temporary, place->path);
  if (!code) return llvm::Error::success();
  llvm::sys::fs::remove(temporary);
  return error_at("write", path, code);
}

llvm::Error replace_output(llvm::StringRef path, llvm::StringRef temporary) {
  auto fresh = llvm::MemoryBuffer::getFile(temporary, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!fresh) return error_at("read", temporary, fresh.getError());
  auto place = output_destination(path);
  std::error_code code = place.getError();
  if (place && place->is_written_into) {
    code = write_into(path, (*fresh)->getBuffer());
  } else if (place && !has_contents(place->path, (*fresh)->getBuffer())) {
    code = llvm::sys::fs::rename(temporary, place->path);
    if (!code) return llvm::Error::success();
  }
  llvm::sys::fs::remove(temporary);
  return code ? error_at("write", path, code) : llvm::Error::success();
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
