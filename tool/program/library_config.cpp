#include "program/library_config.h"

#include "dialect/dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace structured::gen {

void read_text(const llvm::json::Object& object, llvm::StringRef name, std::string& value) {
  if (auto text = object.getString(name)) value = text->str();
}

void read_texts(const llvm::json::Object& object, llvm::StringRef name, std::vector<std::string>& values) {
  const llvm::json::Array* array = object.getArray(name);
  if (!array) return;
  values.clear();
  for (const llvm::json::Value& item : *array) {
    if (auto text = item.getAsString()) values.push_back(text->str());
  }
}

std::string real_path(llvm::StringRef path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path.str() : real.str().str();
}

std::string absolute_path(llvm::StringRef path, llvm::StringRef directory) {
  llvm::SmallString<256> result(path);
  // make_absolute for a folder is in `fs` before LLVM 22, and in `path` from then on.
  using namespace llvm::sys::fs;
  using namespace llvm::sys::path;
  if (!directory.empty()) make_absolute(directory, result);
  make_absolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return real_path(result);
}

std::vector<LibraryConfig> read_library_configs(const llvm::json::Array& array, llvm::StringRef directory,
                                                std::vector<std::string>& problems) {
  std::vector<LibraryConfig> result;
  for (const llvm::json::Value& item : array) {
    const llvm::json::Object* object = item.getAsObject();
    if (!object) continue;
    LibraryConfig library;
    read_text(*object, "name", library.name);
    library.root = directory.str();
    read_text(*object, "root", library.root);
    library.root = absolute_path(library.root, directory);
    read_text(*object, "namespace", library.schema_namespace);
    library.cpp_namespace = library.schema_namespace;
    read_text(*object, "cpp_namespace", library.cpp_namespace);
    read_text(*object, "dialect", library.dialect);
    read_texts(*object, "sources", library.sources);
    read_texts(*object, "imports", library.imports);
    read_texts(*object, "backends", library.backends);
    read_text(*object, "lock", library.lock);
    read_text(*object, "other_headers", library.other_headers);
    std::string implied_out;
    read_text(*object, "implied_out", implied_out);
    library.leaves_off_out = implied_out == "off";
    read_text(*object, "cuda", library.cuda_toolkit);
    read_texts(*object, "compiler_flags", library.compiler_flags);
    for (std::string& source : library.sources) source = absolute_path(source, library.root);
    for (std::string& import : library.imports) import = absolute_path(import, library.root);
    for (std::string* path : {&library.lock, &library.other_headers}) {
      if (!path->empty()) *path = absolute_path(*path, library.root);
    }
    if (!find_dialect(library.dialect)) {
      problems.push_back("library `" + library.name + "`: " + unknown_dialect(library.dialect));
    } else if (library.sources.empty()) {
      problems.push_back("library `" + library.name + "` has no sources");
    } else {
      result.push_back(std::move(library));
    }
  }
  return result;
}

llvm::Expected<std::optional<std::vector<LibraryConfig>>> library_configs(llvm::StringRef build_dir,
                                                                          std::vector<std::string>& problems) {
  std::string path = (build_dir + "/structured_libraries.json").str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return std::nullopt;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) return llvm::createStringError("`" + path + "`: " + llvm::toString(json.takeError()));
  const llvm::json::Array* array = json->getAsArray();
  if (!array) return llvm::createStringError("`" + path + "` is not an array of libraries");
  return read_library_configs(*array, build_dir, problems);
}

void add_compiler_flags(const std::vector<LibraryConfig>& libraries, SourceCommand& command) {
  if (libraries.empty()) return;
  const auto library = llvm::find_if(
      libraries, [&](const LibraryConfig& each) { return llvm::is_contained(each.sources, command.source); });
  const std::vector<std::string>& flags = (library == libraries.end() ? libraries.begin() : library)->compiler_flags;
  command.flags.insert(command.flags.begin(), flags.begin(), flags.end());
}

}  // namespace structured::gen
