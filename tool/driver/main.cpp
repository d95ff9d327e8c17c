// structured-gen; see commands.cpp for its commands. `structured-gen lsp`, or the program under the name
// structured-lsp, is the language server.
#include <vector>

#include "driver/command.h"
#include "language_server.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "program/heap.h"

int main(int argc, char** argv) {
  using namespace structured::gen;
  prepare_heap();
  if (llvm::sys::path::filename(argv[0]) == "structured-lsp") return structured::lsp::run(argc, argv);
  if (argc > 1 && llvm::StringRef(argv[1]) == "lsp") {
    std::vector<const char*> arguments(argv + 1, argv + argc);
    arguments[0] = argv[0];
    return structured::lsp::run(argc - 1, arguments.data());
  }
  const bool has_colors = llvm::sys::Process::StandardErrHasColors();
  return run_command_line(argc, argv, {llvm::errs(), /*out=*/nullptr, argv[0], has_colors});
}
