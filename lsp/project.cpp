#include "project.h"

#include "dialect/dialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace structured::lsp {
namespace {

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

}  // namespace

std::vector<std::string> read_settings(const Json* options, const std::string& root, Settings& settings) {
  std::vector<std::string> problems;
  const JsonObject* object = options ? options->getAsObject() : nullptr;
  if (!object) return problems;
  gen::read_text(*object, "compilationDatabase", settings.build_dir);
  if (!settings.build_dir.empty()) settings.build_dir = gen::absolute_path(settings.build_dir, root);
  gen::read_text(*object, "namespace", settings.schema_namespace);
  settings.cpp_namespace = settings.schema_namespace == "aten" ? "structured" : settings.schema_namespace;
  gen::read_text(*object, "cppNamespace", settings.cpp_namespace);
  gen::read_text(*object, "cudaPath", settings.cuda_toolkit);
  gen::read_texts(*object, "fallbackFlags", settings.fallback_flags);
  if (auto dialect = object->getString("dialect")) {
    if (gen::find_dialect(*dialect)) {
      settings.dialect = dialect->str();
    } else {
      problems.push_back(gen::unknown_dialect(*dialect));
    }
  }
  if (auto shows = object->getBoolean("parserErrors")) settings.shows_parser_errors = *shows;
  if (const JsonArray* libraries = object->getArray("libraries")) {
    settings.libraries = gen::read_library_configs(*libraries, root, problems);
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
  if (!project.libraries.empty()) return project;
  auto libraries = gen::library_configs(project.build_dir, project.problems);
  if (!libraries) {
    project.problems.push_back(llvm::toString(libraries.takeError()));
    return project;
  }
  if (*libraries) {
    project.libraries = std::move(**libraries);
    for (auto& [source, command] : project.commands) gen::add_compiler_flags(project.libraries, command);
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
  std::vector<const gen::SourceCommand*> commands;
  for (const auto& [source, command] : project.commands) commands.push_back(&command);
  gen::SourceCommand result;
  if (const gen::SourceCommand* nearest = gen::nearest_command(path, commands)) {
    result = *nearest;
  } else {
    result.flags = settings.fallback_flags;
    result.directory = llvm::sys::path::parent_path(path).str();
  }
  result.source = path;
  return result;
}

}  // namespace structured::lsp
