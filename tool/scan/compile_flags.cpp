#include "scan/compile_flags.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "scan/clang_versions.h"

namespace structured::gen {
namespace {

/// Flags that are dropped together with their argument, whether joined or separate.
constexpr llvm::StringLiteral with_argument[] = {
    // Outputs and dependency files of the build
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "--output-file",
    "-dependency-file",
    // nvcc
    "-gencode",
    "--generate-code",
    "-arch",
    "--gpu-architecture",
    "-code",
    "--gpu-code",
    "-Xcompiler",
    "--compiler-options",
    "-Xptxas",
    "--ptxas-options",
    "-Xlinker",
    "-Xnvlink",
    "-Xfatbin",
    "-Xcudafe",
    "-ccbin",
    "--compiler-bindir",
    "-diag-suppress",
    "--diag-suppress",
    "-diag-error",
    "--diag-error",
    "-diag-warn",
    "--diag-warn",
    "-maxrregcount",
    "--maxrregcount",
    "-t",
    "--threads",
    "-rdc",
    "--relocatable-device-code",
    "-cudart",
    "--cudart",
    "--default-stream",
    "-default-stream",
    "--options-file",
    "-optf",
    // Plugins and frontend settings
    "-fplugin",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
};

constexpr llvm::StringLiteral without_argument[] = {
    "-c",
    "-S",
    "-E",
    "-fsyntax-only",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-Winvalid-pch",
    "-dc",
    "-dw",
    "-lineinfo",
    "--generate-line-info",
    "-G",
    "--device-debug",
    "-use_fast_math",
    "--use_fast_math",
    "-forward-unknown-to-host-compiler",
    "--forward-unknown-to-host-compiler",
    "--extended-lambda",
    "-extended-lambda",
    "-restrict",
    "--restrict",
    "--keep",
    "-keep",
    "-Werror",
};

constexpr llvm::StringLiteral prefixes[] = {
    "--expt-", "-expt-",      "-fplugin-arg-",       "-fplugin=", "--generate-code=",  "-gencode=", "-arch=",
    "-code=",  "-Xcompiler=", "-fdiagnostics-color", "-fmodule",  "-fprebuilt-module", "-fdeps-",   "-Wl,",
    "-Wp,-M",  "-Werror=",
};

bool is_dropped_with_argument(llvm::StringRef flag) { return llvm::is_contained(with_argument, flag); }

/// Whether the flag is a file in which CMake lists the flags of modules.
bool is_module_map(llvm::StringRef flag) { return flag.starts_with("@") && flag.ends_with(".modmap"); }

bool is_dropped(llvm::StringRef flag) {
  auto [name, value] = flag.split('=');
  return is_module_map(flag) || llvm::is_contained(without_argument, flag) ||
         (flag.contains('=') && is_dropped_with_argument(name)) ||
         llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return flag.starts_with(prefix); });
}

/// Translates nvcc's spellings of common flags.
void append_translated(std::vector<std::string>& result, llvm::StringRef flag) {
  for (llvm::StringRef name : {"-isystem", "--system-include", "-include", "--include-path", "--define-macro"}) {
    llvm::StringRef value = flag;
    if (!value.consume_front(name) || !value.consume_front("=")) continue;
    if (name == "--system-include") name = "-isystem";
    if (name == "--include-path") name = "-I";
    if (name == "--define-macro") name = "-D";
    result.push_back(name.str());
    result.push_back(value.str());
    return;
  }
  result.push_back(flag.str());
}

/// Returns the positions of arguments that Clang's driver does not know.
std::vector<std::string> without_unknown(std::vector<std::string> flags) {
  std::vector<const char*> pointers;
  for (const std::string& flag : flags) pointers.push_back(flag.c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  llvm::opt::InputArgList parsed = driver_option_table().ParseArgs(pointers, missing_index, missing_count,
                                                                   llvm::opt::Visibility(driver_options::ClangOption));
  llvm::SmallVector<unsigned> unknown;
  for (const llvm::opt::Arg* argument : parsed) {
    if (argument->getOption().matches(driver_options::OPT_UNKNOWN)) unknown.push_back(argument->getIndex());
  }
  for (unsigned index : llvm::reverse(unknown)) flags.erase(flags.begin() + index);
  return flags;
}

/// Removes flags that a later one overrides, where Clang prefers the earlier one.
void remove_overridden(std::vector<std::string>& flags) {
  const auto is_toolchain = [](llvm::StringRef flag) { return flag.ltrim('-').starts_with("gcc-toolchain"); };
  const auto last = std::find_if(flags.rbegin(), flags.rend(), is_toolchain).base();
  const auto is_installation = [](llvm::StringRef flag) { return flag.starts_with("--gcc-install-dir="); };
  flags.erase(std::remove_if(flags.begin(), last, is_installation), last);
}

}  // namespace

bool is_cuda(llvm::StringRef source, llvm::ArrayRef<std::string> flags) {
  llvm::StringRef language;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "-x" && i + 1 < flags.size()) {
      language = flags[i + 1];
    } else if (llvm::StringRef(flags[i]).starts_with("-x") && flags[i].size() > 2) {
      language = llvm::StringRef(flags[i]).drop_front(2);
    }
  }
  if (!language.empty()) return language == "cu" || language == "cuda";
  llvm::StringRef extension = llvm::sys::path::extension(source);
  return extension == ".cu" || extension == ".cuh";
}

std::vector<std::string> scan_flags(llvm::ArrayRef<std::string> flags, bool drops_unknown) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    if (flag == "-Xclang" && i + 1 < flags.size()) {  // the scan ignores plugins: `-Xclang -load -Xclang FILE`
      result.insert(result.end(), {flags[i], flags[i + 1]});
      ++i;
      continue;
    }
    if (is_dropped_with_argument(flag)) {
      ++i;
      continue;
    }
    if (is_dropped(flag)) continue;
    if (flag == "-x" && i + 1 < flags.size() && (flags[i + 1] == "cu" || flags[i + 1] == "cuda")) {
      ++i;  // is_cuda() decides whether a source is CUDA
      continue;
    }
    if (flag == "-xcu" || flag == "-xcuda") continue;
    append_translated(result, flag);
  }
  remove_overridden(result);
  return drops_unknown ? without_unknown(std::move(result)) : result;
}

std::vector<std::string> system_include_dirs(llvm::ArrayRef<std::string> flags) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    if (!flag.consume_front("-isystem")) continue;
    if (flag.empty() && i + 1 < flags.size()) flag = flags[++i];
    flag.consume_front("=");
    result.push_back(flag.str());
  }
  return result;
}

std::vector<std::string> cuda_flags(const CudaSetup& setup) {
  std::vector<std::string> result{"-x", "cuda", "--cuda-host-only", "-nocudalib", "-Wno-unknown-cuda-version"};
  auto add = [&](std::initializer_list<llvm::StringRef> flags) {
    for (llvm::StringRef flag : flags) result.push_back(flag.str());
  };
  if (setup.toolkit.empty()) {
    add({"-nocudainc", "-isystem", setup.shim, "-include", setup.shim + "/cuda_runtime.h"});
    return result;
  }
  add({"--cuda-path=" + setup.toolkit, "--cuda-gpu-arch=sm_90"});
  // Clang's wrapper includes a header that CUDA 13 and later do not have.
  add({"-Xclang", "-internal-isystem", "-Xclang", setup.replaced_headers});
  std::string libraries = setup.toolkit + "/include/cccl";
  if (llvm::sys::fs::is_directory(libraries)) add({"-isystem", libraries});
  return result;
}

}  // namespace structured::gen
