#include <deque>

#include "commands.h"
#include "emit/emit.h"
#include "inputs.h"

namespace structured::gen {

int run_python(const CommandLine& line) {
  std::deque<Library> libraries;
  for (const std::string& input : line.inputs) {
    std::optional<Library> library = read_library(line, {input});
    if (!library) return exit_errors;
    libraries.push_back(std::move(*library));
  }
  PythonOptions options;
  options.output_dir = line.output_dir;
  options.module = line.module;
  options.parts = line.parts;
  options.self_methods = line.self_methods;
  if (llvm::Error error = emit_python(libraries, options)) return fail(line, llvm::toString(std::move(error)));
  return exit_success;
}

}  // namespace structured::gen
