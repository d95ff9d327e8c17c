#include "project.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "target/target.h"

namespace structured::lsp {
namespace {

std::string absolute(llvm::StringRef path, llvm::StringRef root) {
  llvm::SmallString<256> result(path);
  if (!root.empty()) llvm::sys::fs::make_absolute(root, result);
  llvm::sys::fs::make_absolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return real_path(result);
}

void read_text(const JsonObject& object, llvm::StringRef name, std::string& value) {
  if (auto text = object.getString(name)) value = text->str();
}

void read_texts(const JsonObject& object, llvm::StringRef name, std::vector<std::string>& values) {
  const JsonArray* array = object.getArray(name);
  if (!array) return;
  values.clear();
  for (const Json& item : *array) {
    if (auto text = item.getAsString()) values.push_back(text->str());
  }
}

/// Parses the array that structured_add_library writes, without libraries that have no sources.
std::vector<LibraryConfig> read_libraries(const JsonArray& array, llvm::StringRef root,
                                          std::vector<std::string>& problems) {
  std::vector<LibraryConfig> result;
  for (const Json& item : array) {
    const JsonObject* object = item.getAsObject();
    if (!object) continue;
    LibraryConfig library;
    read_text(*object, "name", library.name);
    library.root = root.str();
    read_text(*object, "root", library.root);
    library.root = absolute(library.root, root);
    read_text(*object, "namespace", library.schema_namespace);
    library.cpp_namespace = library.schema_namespace;
    read_text(*object, "cpp_namespace", library.cpp_namespace);
    read_text(*object, "dialect", library.dialect);
    read_texts(*object, "sources", library.sources);
    read_texts(*object, "imports", library.imports);
    read_texts(*object, "backends", library.backends);
    read_text(*object, "lock", library.lock);
    read_text(*object, "cuda", library.cuda_toolkit);
    for (std::string& source : library.sources) source = absolute(source, library.root);
    for (std::string& import : library.imports) import = absolute(import, library.root);
    if (!library.lock.empty()) library.lock = absolute(library.lock, library.root);
    if (!gen::find_target(library.dialect)) {
      problems.push_back("library `" + library.name + "`: " + gen::unknown_target(library.dialect));
    } else if (library.sources.empty()) {
      problems.push_back("library `" + library.name + "` has no sources");
    } else {
      result.push_back(std::move(library));
    }
  }
  return result;
}

/// Returns the folders that may hold compile_commands.json, most likely first.
std::vector<std::string> candidates(llvm::StringRef root) {
  std::vector<std::string> result{root.str(), (root + "/build").str()};
  std::error_code error;
  for (const char* parent : {"/build", "/out", ""}) {
    std::vector<std::string> below;
    for (llvm::sys::fs::directory_iterator entry(root + parent, error), end; !error && entry != end;
         entry.increment(error)) {
      llvm::StringRef name = llvm::sys::path::filename(entry->path());
      if (*parent || name.starts_with("build") || name.starts_with("cmake-build")) below.push_back(entry->path());
    }
    // `release` is the default preset of this repository.
    auto rank = [](llvm::StringRef path) { return std::pair(llvm::sys::path::filename(path) != "release", path); };
    std::sort(below.begin(), below.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

std::string find_build_dir(const std::string& root) {
  for (const std::string& candidate : candidates(root)) {
    if (llvm::sys::fs::exists(candidate + "/compile_commands.json")) return candidate;
  }
  return {};
}

/// Returns the number of common leading folders.
std::size_t nearness(llvm::StringRef a, llvm::StringRef b) {
  std::size_t result = 0;
  auto x = llvm::sys::path::begin(a);
  auto y = llvm::sys::path::begin(b);
  for (; x != llvm::sys::path::end(a) && y != llvm::sys::path::end(b) && *x == *y; ++x, ++y) ++result;
  return result;
}

}  // namespace

std::string real_path(llvm::StringRef path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? path.str() : real.str().str();
}

std::vector<std::string> read_settings(const Json* options, const std::string& root, Settings& settings) {
  std::vector<std::string> problems;
  const JsonObject* object = options ? options->getAsObject() : nullptr;
  if (!object) return problems;
  read_text(*object, "compilationDatabase", settings.build_dir);
  if (!settings.build_dir.empty()) settings.build_dir = absolute(settings.build_dir, root);
  read_text(*object, "namespace", settings.schema_namespace);
  settings.cpp_namespace = settings.schema_namespace == "aten" ? "structured" : settings.schema_namespace;
  read_text(*object, "cppNamespace", settings.cpp_namespace);
  read_text(*object, "cudaPath", settings.cuda_toolkit);
  read_texts(*object, "fallbackFlags", settings.fallback_flags);
  if (auto dialect = object->getString("dialect")) {
    if (gen::find_target(*dialect)) {
      settings.dialect = dialect->str();
    } else {
      problems.push_back(gen::unknown_target(*dialect));
    }
  }
  if (auto shows = object->getBoolean("parserErrors")) settings.shows_parser_errors = *shows;
  if (const JsonArray* libraries = object->getArray("libraries")) {
    settings.libraries = read_libraries(*libraries, root, problems);
  }
  return problems;
}

Project load_project(const std::string& root, const Settings& settings) {
  Project project;
  project.build_dir = settings.build_dir;
  if (project.build_dir.empty() && !root.empty()) project.build_dir = find_build_dir(root);
  project.libraries = settings.libraries;
  if (project.build_dir.empty()) {
    project.problems.push_back("no compile_commands.json in `" + root +
                               "` or in a build folder below it: each file is checked on its own");
    return project;
  }
  llvm::Expected<std::vector<gen::SourceCommand>> commands = gen::all_compile_commands(project.build_dir);
  if (!commands) {
    project.problems.push_back(llvm::toString(commands.takeError()));
    return project;
  }
  for (gen::SourceCommand& command : *commands) {
    std::string source = command.source;
    project.commands.emplace(std::move(source), std::move(command));
  }
  std::string list = project.build_dir + "/structured_libraries.json";
  auto buffer = llvm::MemoryBuffer::getFile(list);
  if (!project.libraries.empty()) return project;
  if (buffer) {
    llvm::Expected<Json> json = llvm::json::parse((*buffer)->getBuffer());
    if (!json) {
      project.problems.push_back("`" + list + "`: " + llvm::toString(json.takeError()));
    } else if (const JsonArray* array = json->getAsArray()) {
      project.libraries = read_libraries(*array, project.build_dir, project.problems);
    } else {
      project.problems.push_back("`" + list + "` is not an array of libraries");
    }
    return project;
  }
  LibraryConfig library;
  library.name = llvm::sys::path::filename(root).str();
  library.root = root.empty() ? project.build_dir : root;
  library.schema_namespace = settings.schema_namespace;
  library.cpp_namespace = settings.cpp_namespace;
  library.dialect = settings.dialect;
  library.cuda_toolkit = settings.cuda_toolkit;
  for (const auto& [source, command] : project.commands) library.sources.push_back(source);
  if (!library.sources.empty()) project.libraries.push_back(std::move(library));
  return project;
}

gen::SourceCommand command_for(const std::string& path, const Project& project, const Settings& settings) {
  auto exact = project.commands.find(path);
  if (exact != project.commands.end()) return exact->second;
  const gen::SourceCommand* nearest = nullptr;
  std::size_t most = 2;  // at least two folders below the root must match
  for (const auto& [source, command] : project.commands) {
    std::size_t shared = nearness(source, path);
    if (shared <= most) continue;
    most = shared;
    nearest = &command;
  }
  gen::SourceCommand result;
  if (nearest) {
    result = *nearest;
  } else {
    result.flags = settings.fallback_flags;
    result.directory = llvm::sys::path::parent_path(path).str();
  }
  result.source = path;
  return result;
}

}  // namespace structured::lsp
