// run_selected MODEL EXPECTED [TOLERANCE]: runs a saved program with the selected operators and compares its outputs,
// as `structured-run MODEL --expect EXPECTED` does.
#include <structured/find_operator.h>
#include <structured/program/saved_program.h>
#include <structured/program/script_module.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "expectation.h"
#include "script.h"

using namespace structured;

int main(int argc, char** argv) try {
  if (argc != 3 && argc != 4) return 2;
  const double tolerance = argc == 4 ? std::strtod(argv[3], nullptr) : 1e-4;
  if (program::is_script_module(argv[1]))
    return run::run_script(argv[1], &find_operator, argv[2], false, tolerance) ? 0 : 1;
  SavedProgram program = SavedProgram::load(argv[1], {&find_operator});
  return run::is_as_expected(program, {}, run::read_tensors(argv[2]), tolerance) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_selected: error: %s\n", error.what());
  return 1;
}
