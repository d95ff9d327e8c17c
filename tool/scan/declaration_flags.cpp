#include "scan/declaration_flags.h"

#include <iterator>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "scan/compile_flags.h"

namespace structured::gen {
namespace {

/// Flags that define macros for a machine or for OpenMP.
bool selects_macros(llvm::StringRef flag) {
  return flag == "-fopenmp" || (flag.starts_with("-m") && !flag.starts_with("-mllvm"));
}

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
    "--system-include",
    "--include-path",
    "--define-macro",
    "--undefine-macro",
};

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
    if (selects_macros(flag)) {
      for (std::string& known : scan_flags({flag.str()}, /*drops_unknown=*/true)) result.push_back(std::move(known));
      continue;
    }
    const bool is_precompiled = flag.starts_with("-include-pch");  // specific to the other compiler
    const auto* name = llvm::find_if(declaring, [&](llvm::StringRef start) { return flag.starts_with(start); });
    if (is_precompiled || name == std::end(declaring)) continue;
    result.push_back(flag.str());
    if (flag == *name && i + 1 < flags.size()) result.push_back(flags[++i]);
  }
  return result;
}

}  // namespace structured::gen
