// Configuration of a project: its libraries, and the compile commands of their sources.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "json_rpc.h"
#include "program/library_config.h"
#include "scan/scanner.h"

namespace structured::lsp {

using gen::LibraryConfig;
using gen::real_path;

/// User settings, from `initializationOptions` or the command line.
struct Settings {
  std::string build_dir;  ///< folder of compile_commands.json; empty to search for it
  std::string resource_dir;
  std::string schema_namespace = "aten";
  std::string cpp_namespace = "structured";
  std::string dialect = "native";
  std::string cuda_toolkit;
  std::vector<std::string> fallback_flags;  ///< for sources without any compile command
  std::vector<LibraryConfig> libraries;
  bool shows_parser_errors = true;
};

/// Applies `options`; relative paths are resolved against `root`. Reports invalid options and ignores them.
std::vector<std::string> read_settings(const Json* options, const std::string& root, Settings& settings);

struct Project {
  std::string build_dir;  ///< empty if there is no compile_commands.json
  std::vector<LibraryConfig> libraries;
  std::map<std::string, gen::SourceCommand> commands;  ///< by path of the source
  std::vector<std::string> problems;                   ///< to be logged
};

/// Loads the project from the folder that the settings name, or from `root` and its usual build folders.
Project load_project(const std::string& root, const Settings& settings);

/// Returns the compile command of a file: its own, or the one of the nearest source.
gen::SourceCommand command_for(const std::string& path, const Project& project, const Settings& settings);

}  // namespace structured::lsp
