// Parsed command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

enum class Command { scan, precompile, check, emit, list, explain, docs, python, import_yaml, aten_signatures, select };

/// Options of other commands keep their defaults.
struct CommandLine {
  Command command = Command::scan;
  std::vector<std::string> inputs;
  std::vector<std::string> flags;  ///< after `--`
  bool has_flags = false;          ///< whether `--` was present
  bool describes_library = false;  ///< whether an option such as `--namespace` or `--import` describes the library

  std::optional<std::string> dialect;
  std::string schema_namespace;
  std::string cpp_namespace;
  std::string source_root;     ///< empty: the working directory
  std::string generated_root;  ///< root of generated sources; empty: none
  std::string output;          ///< `-o`
  std::string output_dir;
  std::string depfile;
  std::string stamp;  ///< touched after a check without errors
  std::string outputs_file;
  std::string format;
  std::string source_url;   ///< prefix of links to sources
  std::string dtypes_file;  ///< measured dtypes of operators, for pages
  std::string build_dir;    ///< `-p`
  std::string module;       ///< name of the Python module
  unsigned parts = 1;       ///< number of sources with tables of Python functions
  std::string flags_file;
  std::vector<std::string> source_flags;  ///< `--flag`: further lines of the flags file
  std::string pch;
  std::string resource_dir;
  std::string cuda_toolkit;
  std::vector<std::string> emitted_prefixes;
  std::vector<std::string> operators;  ///< names of operators to import; empty: all
  std::vector<std::string> traces;     ///< records of runs, from which `select` takes operators
  std::vector<std::string> lists;      ///< files with names of operators, for `select`
  std::string dtypes;                  ///< dtypes for `select`, separated by commas; empty: those of its inputs
  std::string selection;               ///< a file of `select`; empty: all operators
  std::vector<std::string> imports;    ///< signatures of other libraries
  std::vector<std::string> backends;   ///< backends of the library; empty: all
  std::string other_headers;           ///< lists headers that other libraries of the namespace have as sources
  std::string lock;
  std::string lock_target;  ///< target of the build that writes the lock file, for messages
  bool updates_lock = false;
  bool is_partial = false;
  bool leaves_off_out = false;  ///< whether operators have only the out variants that they name
  bool applies_fixits = false;
  bool warnings_as_errors = false;
  bool boxed = true;
  bool is_checked = false;          ///< whether calls of the emitted operators are checked
  std::string flavour = "dynamic";  ///< how much of the registry the library contains (target/flavour.h)
  bool shows_code = false;
  bool checks_yaml = false;   ///< whether `import` compares the file with a library
  bool self_methods = false;  ///< whether functions of a Tensor `self` are methods in Python
  bool prints_timing = false;
  bool is_verbose = false;  ///< whether `aten-signatures` lists the operators that it leaves out
  bool colors = false;      ///< on the standard error output
};

/// Exit statuses, which distinguish errors in the input from misuse of the command line.
inline constexpr int exit_success = 0;
inline constexpr int exit_errors = 1;
inline constexpr int exit_misuse = 2;

/// Parses the command line. Returns std::nullopt after printing an error. Ends the process after printing help or the
/// version.
std::optional<CommandLine> parse_command_line(int argc, const char* const* argv);

/// Adds the headers emitted for a library with this C++ namespace to `line.emitted_prefixes`.
void add_emitted_prefixes(CommandLine& line, llvm::StringRef name_space);

/// Prints `structured-gen: error: MESSAGE` to standard error and returns `status`.
int fail(const CommandLine& line, const std::string& message, int status = exit_errors);

}  // namespace structured::gen
