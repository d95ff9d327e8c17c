#include "emit/file_set.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "model/output_destination.h"
#include "model/temporary_file.h"

namespace structured::gen {
namespace {

constexpr llvm::StringLiteral manifest_head =
    "# Files emitted by structured-gen. The next run removes those that are gone.\n";

llvm::Error error_at(llvm::StringRef action, llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot %s `%s`: %s", action.str().c_str(), path.str().c_str(),
                                 code.message().c_str());
}

bool stays_below(llvm::StringRef path) {
  if (path.empty() || llvm::sys::path::is_absolute(path)) {
    return false;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  path.split(parts, '/');
  return llvm::none_of(parts, [](llvm::StringRef part) { return part.empty() || part == "." || part == ".."; });
}

std::string below(llvm::StringRef directory, llvm::StringRef path) {
  llvm::SmallString<256> joined(directory);
  llvm::sys::path::append(joined, path);
  return joined.str().str();
}

// Returns the paths in the manifest of the last run; empty if there is no manifest.
llvm::Expected<std::vector<std::string>> read_manifest(const std::string& path) {
  std::vector<std::string> paths;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    if (buffer.getError() == std::errc::no_such_file_or_directory) {
      return paths;
    }
    return error_at("read", path, buffer.getError());
  }
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#")) {
      continue;
    }
    if (!stays_below(line)) {
      return llvm::createStringError(std::errc::invalid_argument,
                                     "`%s` is damaged: expected a path below its own folder, found `%s`; remove the "
                                     "file and its folder to start afresh",
                                     path.c_str(), line.str().c_str());
    }
    paths.push_back(line.str());
  }
  return paths;
}

// Removes folders from `folder` upwards while they are empty, and stops below `directory`.
void remove_empty_folders(llvm::StringRef folder, llvm::StringRef directory) {
  while (folder.size() > directory.size()) {
    std::error_code code;
    if (llvm::sys::fs::directory_iterator(folder, code) != llvm::sys::fs::directory_iterator() || code) {
      return;
    }
    llvm::sys::fs::remove(folder);
    folder = llvm::sys::path::parent_path(folder);
  }
}

// Temporary files that replace their targets together.
class Staging {
 public:
  ~Staging() {
    for (const Staged& file : files_) {
      llvm::sys::fs::remove(file.temporary);
    }
    for (const std::string& folder : llvm::reverse(new_folders_)) {
      remove_empty_folders(folder, llvm::sys::path::parent_path(folder));
    }
  }

  // `contents` live until `commit`.
  llvm::Error add(const std::string& path, llvm::StringRef contents) {
    const llvm::ErrorOr<OutputDestination> place = output_destination(path);
    if (!place) {
      return error_at("write", path, place.getError());
    }
    if (place->is_written_into) {
      written_into_.push_back({path, contents});
      return llvm::Error::success();
    }
    if (has_contents(place->path, contents)) {
      return llvm::Error::success();
    }
    if (llvm::sys::fs::is_directory(place->path)) {
      return error_at("write", path, std::make_error_code(std::errc::is_a_directory));
    }
    const llvm::StringRef folder = llvm::sys::path::parent_path(place->path);
    if (llvm::Error error = make_folders(folder)) {
      return error;
    }
    llvm::SmallString<256> temporary;
    if (const std::error_code code = write_temporary(place->path, contents, temporary)) {
      return error_at("write", path, code);
    }
    files_.push_back({temporary.str().str(), place->path});
    return llvm::Error::success();
  }

  llvm::Error commit() {
    // Renames cannot be undone, so everything that may fail comes first.
    for (const WrittenInto& file : written_into_) {
      if (const std::error_code code = write_into(file.path, file.contents)) {
        return error_at("write", file.path, code);
      }
    }
    while (!files_.empty()) {
      const Staged& file = files_.back();
      if (const std::error_code code = llvm::sys::fs::rename(file.temporary, file.path)) {
        return error_at("write", file.path, code);
      }
      files_.pop_back();
    }
    new_folders_.clear();
    return llvm::Error::success();
  }

 private:
  struct Staged {
    std::string temporary;
    std::string path;
  };
  struct WrittenInto {
    std::string path;
    llvm::StringRef contents;
  };

  llvm::Error make_folders(llvm::StringRef folder) {
    llvm::SmallVector<llvm::StringRef> missing;
    for (llvm::StringRef f = folder; !f.empty() && !llvm::sys::fs::exists(f); f = llvm::sys::path::parent_path(f)) {
      missing.push_back(f);
    }
    for (llvm::StringRef f : llvm::reverse(missing)) {
      if (const std::error_code code =
              llvm::sys::fs::create_directory(f, /*IgnoreExisting=*/true, llvm::sys::fs::all_all)) {
        return error_at("create the folder", f, code);
      }
      new_folders_.push_back(f.str());
    }
    return llvm::Error::success();
  }

  std::vector<Staged> files_;
  std::vector<WrittenInto> written_into_;
  std::vector<std::string> new_folders_;
};

}  // namespace

llvm::Error FileSet::add(llvm::StringRef path, std::string contents) {
  if (!stays_below(path)) {
    return llvm::createStringError(std::errc::invalid_argument,
                                   "expected a path below the output directory, found `%s`", path.str().c_str());
  }
  if (path == manifest_name || !files_.try_emplace(path.str(), std::move(contents)).second) {
    return llvm::createStringError(std::errc::file_exists, "two emitted files have the path `%s`", path.str().c_str());
  }
  return llvm::Error::success();
}

llvm::Error FileSet::add_elsewhere(llvm::StringRef path, std::string contents) {
  if (!elsewhere_.try_emplace(path.str(), std::move(contents)).second) {
    return llvm::createStringError(std::errc::file_exists, "two emitted files have the path `%s`", path.str().c_str());
  }
  return llvm::Error::success();
}

std::vector<std::string> FileSet::paths() const {
  std::vector<std::string> result;
  result.reserve(files_.size());
  for (const auto& [path, contents] : files_) {
    result.push_back(path);
  }
  return result;
}

llvm::Error FileSet::write() const {
  const std::string manifest_path = below(directory_, manifest_name);
  llvm::Expected<std::vector<std::string>> old_paths = read_manifest(manifest_path);
  if (!old_paths) {
    return old_paths.takeError();
  }
  std::string manifest(manifest_head);
  Staging files;
  for (const auto& [path, contents] : files_) {
    manifest.append(path).append("\n");
    if (llvm::Error error = files.add(below(directory_, path), contents)) {
      return error;
    }
  }
  for (const auto& [path, contents] : elsewhere_) {
    if (llvm::Error error = files.add(path, contents)) {
      return error;
    }
  }
  // The manifest comes last: if the run is killed before, the old one still lists the files to remove.
  Staging manifest_file;
  if (llvm::Error error = manifest_file.add(manifest_path, manifest)) {
    return error;
  }
  if (llvm::Error error = files.commit()) {
    return error;
  }
  for (const std::string& path : *old_paths) {
    if (files_.count(path) == 0) {
      const std::string full = below(directory_, path);
      if (const std::error_code code = llvm::sys::fs::remove(full)) {
        return error_at("remove", full, code);
      }
      remove_empty_folders(llvm::sys::path::parent_path(full), directory_);
    }
  }
  return manifest_file.commit();
}

}  // namespace structured::gen
