#include "driver/source_options.h"

#include <cstdlib>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "program/output_file.h"
#include "program/resource_dir.h"
#include "scan/declaration_flags.h"

namespace structured::gen {
namespace {

std::string find_cuda_toolkit() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable); value && *value) return value;
  }
  constexpr const char* usual = "/usr/local/cuda";
  return llvm::sys::fs::exists(std::string(usual) + "/include/cuda_runtime.h") ? usual : "";
}

/// Returns the folders and headers that a later build step emits, as include directives name them.
std::vector<std::string> all_emitted_prefixes(llvm::StringRef cpp_namespace, llvm::ArrayRef<std::string> given) {
  std::vector<std::string> result;
  // Kernels of every library may use the operators of this project.
  for (llvm::StringRef name : {llvm::StringRef("structured"), cpp_namespace}) {
    for (std::string& prefix : emitted_prefixes(name)) {
      if (!llvm::is_contained(result, prefix)) result.push_back(std::move(prefix));
    }
  }
  for (llvm::StringRef prefix : given) {
    prefix = prefix.trim('/');
    if (!prefix.empty()) result.push_back(prefix.str());
  }
  return result;
}

}  // namespace

void SourceOptions::declare_flags(OptionSet& options) {
  options.compile_flags(compile_flags);
  options.value(
      "flags-file", flags_file, "file",
      "Read macros, include paths and the language standard from a file with one flag per line, as in CMake's "
      "COMPILE_OPTIONS");
  options.value("resource-dir", resource_dir, "folder", "Directory with Clang's own headers");
}

void SourceOptions::declare_build_dir(OptionSet& options) {
  options.value("p", build_dir, "folder", "Read compile flags and, to check, libraries from this build directory");
}

void SourceOptions::declare_pch(OptionSet& options) {
  options.value("pch", pch, "file", "Use the headers that `precompile` wrote to this file");
}

void SourceOptions::declare_headers(OptionSet& options) {
  options.value("cuda-path", cuda_toolkit, "folder",
                "CUDA toolkit (default: $CUDA_HOME, $CUDA_PATH, /usr/local/cuda); empty: none");
  options.values("emitted-include-prefix", emitted_prefixes, "path",
                 "Directory or header, as include directives name it, that a later build step emits");
}

void SourceOptions::declare_depfile(OptionSet& options) {
  options.value("depfile", depfile, "file", "Write a dependency file for Ninja or make");
}

std::string SourceOptions::misuse() const {
  if (build_dir.empty()) return {};
  if (compile_flags) return "found compile flags both after `--` and by `-p`; use one of them";
  if (!flags_file.empty()) return "found compile flags both by `--flags-file` and by `-p`; use one of them";
  return {};
}

llvm::Expected<std::vector<std::string>> SourceOptions::given_flags() const {
  std::string text;
  if (!flags_file.empty()) {
    llvm::Expected<std::string> lines = read_input(flags_file);
    if (!lines) return lines.takeError();
    text = std::move(*lines);
  }
  for (const std::string& flag : source_flags) text += "\n" + flag;
  std::vector<std::string> result = declaration_flags(text);
  if (compile_flags) result.insert(result.end(), compile_flags->begin(), compile_flags->end());
  return result;
}

ScanOptions SourceOptions::scan_options(const Environment& environment, const LibraryOptions& library) const {
  ScanOptions result;
  result.dialect = library.dialect.value_or("native");
  result.source_root = library.root().empty() ? "." : library.root();
  result.resource_dir = resource_dir.empty() ? default_resource_dir(environment.program.c_str()) : resource_dir;
  result.emitted_prefixes = all_emitted_prefixes(library.cpp_namespace(), emitted_prefixes);
  result.pch = pch;
  result.cuda_toolkit = cuda_toolkit ? *cuda_toolkit : find_cuda_toolkit();
  result.lists_dependencies = !depfile.empty();
  result.colors = environment.colors;
  return result;
}

}  // namespace structured::gen
