// What is known of a project before any of its sources is read: its libraries, and how their sources are compiled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "json_rpc.h"
#include "scan/scanner.h"

namespace structured::lsp {

/// One library of operators, as structured_add_library declares it. Paths are absolute.
struct LibraryConfig {
  std::string name;
  std::string root;
  std::string schema_namespace = "aten";
  std::string cpp_namespace = "structured";
  std::string dialect = "native";
  std::vector<std::string> sources;
  std::vector<std::string> imports;
  std::vector<std::string> backends;
  std::string lock;
  std::string cuda_toolkit;
  bool is_whole = true;  ///< the sources are all that it has
};

/// What the editor's user may say, by `initializationOptions` or on the command line.
struct Settings {
  std::string build_dir;  ///< the folder of compile_commands.json; empty: it is looked for
  std::string resource_dir;
  std::string schema_namespace = "aten";
  std::string cpp_namespace = "structured";
  std::string dialect = "native";
  std::string cuda_toolkit;
  std::vector<std::string> fallback_flags;  ///< for sources that nothing else tells how to compile
  std::vector<LibraryConfig> libraries;
  bool shows_parser_errors = true;
};

/// Takes over what `options` holds, relative paths against `root`. What makes no sense is left out and told.
std::vector<std::string> read_settings(const Json* options, const std::string& root, Settings& settings);

struct Project {
  std::string build_dir;  ///< empty: there is no compile_commands.json
  std::vector<LibraryConfig> libraries;
  std::map<std::string, gen::SourceCommand> commands;  ///< by the source's path
  std::vector<std::string> problems;                   ///< for the editor's log
};

/// Looks for compile_commands.json in `root` and the usual build folders below it, or where the settings say.
Project load_project(const std::string& root, const Settings& settings);

/// How a file is compiled: by its own command, or like the source that is nearest to it.
gen::SourceCommand command_for(const std::string& path, const Project& project, const Settings& settings);

/// With symbolic links resolved, where there is such a file.
std::string real_path(llvm::StringRef path);

}  // namespace structured::lsp
