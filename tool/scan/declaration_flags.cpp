#include "scan/declaration_flags.h"

#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "scan/compile_flags.h"

namespace structured::gen {
namespace {

/// Flags that select the instruction set.
bool selects_instructions(llvm::StringRef flag) { return flag.starts_with("-m") && !flag.starts_with("-mllvm"); }

/// Flags without an argument that affect predefined macros, built-in types or the search for system headers.
constexpr llvm::StringLiteral alone[] = {
    "-fopenmp",           "-pthread",  "-ffreestanding", "-fsigned-char", "-funsigned-char",  "-fno-signed-char",
    "-fno-unsigned-char", "-fchar8_t", "-fno-char8_t",   "-fshort-enums", "-fno-short-enums", "-fshort-wchar",
    "-fno-short-wchar",   "-nostdinc", "-nostdinc++",    "-nostdlibinc",
};

/// Flags that select the machine, its system headers and its C++ library, with a separate argument or one after `=`.
constexpr llvm::StringLiteral selecting[] = {
    "-target",           "--target",     "--sysroot", "-gcc-toolchain", "--gcc-toolchain",
    "--gcc-install-dir", "--gcc-triple", "-stdlib",   "--stdlib",
};

/// Flags that affect macros, headers or the language standard, with joined or separate argument, including nvcc's
/// spellings.
constexpr llvm::StringLiteral declaring[] = {
    "-std=",
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "-cxx-isystem",
    "-stdlib++-isystem",
    "--system-include",
    "--include-path",
    "--define-macro",
    "--undefine-macro",
};

/// Whether the flag changes what a declaration means. Sets `takes_next` if the next flag is its argument.
bool is_declaring(llvm::StringRef flag, bool& takes_next) {
  takes_next = llvm::is_contained(selecting, flag) || llvm::is_contained(declaring, flag);
  if (takes_next || llvm::is_contained(alone, flag)) return true;
  if (flag.contains('=') && llvm::is_contained(selecting, flag.split('=').first)) return true;
  if (flag.starts_with("-include-pch")) return false;  // specific to the other compiler
  return llvm::any_of(declaring, [&](llvm::StringRef start) { return flag.starts_with(start); });
}

}  // namespace

std::vector<std::string> declaration_flags(llvm::StringRef lines) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char*> flags;
  while (!lines.empty()) {
    llvm::StringRef line;
    std::tie(line, lines) = lines.split('\n');
    line.consume_back("\r");
    if (line.consume_front("SHELL:")) {
      llvm::cl::TokenizeGNUCommandLine(line, saver, flags);
    } else if (!line.empty()) {
      flags.push_back(saver.save(line).data());
    }
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    if (selects_instructions(flag)) {
      for (std::string& known : scan_flags({flag.str()}, /*drops_unknown=*/true)) result.push_back(std::move(known));
      continue;
    }
    bool takes_next = false;
    if (!is_declaring(flag, takes_next)) continue;
    result.push_back(flag.str());
    if (takes_next && i + 1 < flags.size()) result.push_back(flags[++i]);
  }
  return result;
}

}  // namespace structured::gen
