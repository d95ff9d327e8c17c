// structured-gen; see command_line.cpp for its commands and options.
#include "commands.h"
#include "heap.h"

int main(int argc, char** argv) {
  using namespace structured::gen;
  prepare_heap();
  std::optional<CommandLine> line = parse_command_line(argc, argv);
  if (!line) return exit_misuse;
  switch (line->command) {
    case Command::scan:
      return run_scan(*line);
    case Command::precompile:
      return run_precompile(*line);
    case Command::check:
      return run_check(*line);
    case Command::emit:
      return run_emit(*line);
    case Command::list:
      return run_list(*line);
    case Command::explain:
      return run_explain(*line);
    case Command::docs:
      return run_docs(*line);
    case Command::python:
      return run_python(*line);
    case Command::import_yaml:
      return run_import(*line);
    case Command::aten_signatures:
      return run_aten_signatures(*line);
    case Command::select:
      return run_select(*line);
  }
  return exit_misuse;
}
