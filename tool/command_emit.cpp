#include <memory>

#include "commands.h"
#include "derive/signatures.h"
#include "emit/emit.h"
#include "inputs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/Path.h"
#include "model/signatures_json.h"
#include "output_file.h"
#include "timing.h"

namespace structured::gen {

namespace {

/// Returns a value that is never destroyed: destruction would take a tenth of the time of a run.
template <class T>
T& kept(T value) {
  auto owner = std::make_unique<T>(std::move(value));
  T& result = *owner;
  llvm::BuryPointer(std::move(owner));
  return result;
}

/// Returns the depfile: `operators.json`, which every run writes, depends on all files that were read.
std::string emit_depfile(const CommandLine& line) {
  llvm::SmallString<256> target(line.output_dir);
  llvm::sys::path::append(target, "operators.json");
  std::vector<std::string> inputs = line.inputs;
  inputs.insert(inputs.end(), line.imports.begin(), line.imports.end());
  if (!line.lock.empty() && !line.updates_lock) inputs.push_back(line.lock);
  return depfile_text(target, inputs);
}

}  // namespace

int run_emit(const CommandLine& line) {
  Timing timing(line.prints_timing);
  timing.begin("read fragments");
  auto read = read_fragments(line.inputs);
  if (!read) return fail(line, llvm::toString(read.takeError()));
  const std::vector<Fragment>& fragments = kept(std::move(*read));
  timing.begin("check, derive");
  auto target = target_of(line, fragments);
  if (!target) return fail(line, llvm::toString(target.takeError()));
  auto imports = read_imports(line, **target);
  if (!imports) return exit_errors;
  std::optional<Library> derived = checked_library(line, fragments, **target, *imports);
  if (!derived) return exit_errors;
  const Library& library = kept(std::move(*derived));
  auto drift = lock_drift(line, library, fragments);
  if (!drift || !report(line, *drift)) return exit_errors;

  EmitOptions options;
  options.output_dir = line.output_dir;
  for (const Fragment& fragment : fragments) options.sources.push_back(fragment.source);
  options.signatures = to_json(signatures_of(library, fragments, (*target)->types(), *imports));
  options.has_imports = !line.imports.empty();
  options.depfile = line.depfile;
  options.depfile_text = emit_depfile(line);
  options.outputs_file = line.outputs_file;
  options.boxed = line.boxed;
  options.is_checked = line.is_checked;
  options.flavour = find_flavour(line.flavour);
  options.backends = line.backends;
  options.on_step = [&](const char* step) { timing.begin(step); };
  if (llvm::Error error = emit(library, **target, options)) return fail(line, llvm::toString(std::move(error)));
  return update_lock(line, library) ? exit_success : exit_errors;
}

}  // namespace structured::gen
