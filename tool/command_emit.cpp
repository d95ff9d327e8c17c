#include "commands.h"
#include "emit/emit.h"
#include "inputs.h"

namespace structured::gen {

int run_emit(const CommandLine& line) {
  auto fragments = read_fragments(line.inputs);
  if (!fragments) return fail(line, llvm::toString(fragments.takeError()));
  auto dialect = dialect_of(line, *fragments);
  if (!dialect) return fail(line, llvm::toString(dialect.takeError()));
  std::optional<Library> library = checked_library(line, *fragments, **dialect);
  if (!library) return exit_errors;
  auto drift = lock_drift(line, *library, *fragments);
  if (!drift || !report(line, *drift)) return exit_errors;

  EmitOptions options;
  options.output_dir = line.output_dir;
  for (const Fragment& fragment : *fragments) options.sources.push_back(fragment.source);
  options.inputs = line.inputs;
  options.depfile = line.depfile;
  options.outputs_file = line.outputs_file;
  options.boxed = line.boxed;
  if (llvm::Error error = emit(*library, **dialect, options)) return fail(line, llvm::toString(std::move(error)));
  return update_lock(line, *library) ? exit_success : exit_errors;
}

}  // namespace structured::gen
