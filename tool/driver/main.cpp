// structured-gen; see commands.cpp for its commands.
#include "driver/command.h"
#include "llvm/Support/Process.h"
#include "program/heap.h"

int main(int argc, char** argv) {
  using namespace structured::gen;
  prepare_heap();
  const bool has_colors = llvm::sys::Process::StandardErrHasColors();
  return run_command_line(argc, argv, {llvm::errs(), /*out=*/nullptr, argv[0], has_colors});
}
