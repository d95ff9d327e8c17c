#include "commands.h"
#include "derive/signatures.h"
#include "emit/emit.h"
#include "inputs.h"
#include "model/signatures_json.h"

namespace structured::gen {

int run_emit(const CommandLine& line) {
  auto fragments = read_fragments(line.inputs);
  if (!fragments) return fail(line, llvm::toString(fragments.takeError()));
  auto dialect = dialect_of(line, *fragments);
  if (!dialect) return fail(line, llvm::toString(dialect.takeError()));
  auto imports = read_imports(line, **dialect);
  if (!imports) return exit_errors;
  std::optional<Library> library = checked_library(line, *fragments, **dialect, *imports);
  if (!library) return exit_errors;
  auto drift = lock_drift(line, *library, *fragments);
  if (!drift || !report(line, *drift)) return exit_errors;

  EmitOptions options;
  options.output_dir = line.output_dir;
  for (const Fragment& fragment : *fragments) options.sources.push_back(fragment.source);
  options.inputs = line.inputs;
  options.inputs.insert(options.inputs.end(), line.imports.begin(), line.imports.end());
  options.signatures = to_json(signatures_of(*library, *fragments, *imports));
  options.has_imports = !line.imports.empty();
  options.depfile = line.depfile;
  options.outputs_file = line.outputs_file;
  options.boxed = line.boxed;
  if (llvm::Error error = emit(*library, **dialect, options)) return fail(line, llvm::toString(std::move(error)));
  return update_lock(line, *library) ? exit_success : exit_errors;
}

}  // namespace structured::gen
