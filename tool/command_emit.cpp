#include <memory>
#include <set>
#include <string>

#include "commands.h"
#include "derive/signatures.h"
#include "emit/emit.h"
#include "inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/Path.h"
#include "model/signatures_json.h"
#include "output_file.h"
#include "selection/selection.h"
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

/// Returns the operators of the library that the selection names. Fails if it names operators of the library's
/// namespace that the library lacks.
llvm::Expected<std::set<std::string>> selected_operators(const CommandLine& line, const Library& library) {
  llvm::Expected<std::string> text = read_input(line.selection);
  if (!text) return text.takeError();
  llvm::Expected<Selection> selection = selection_from_json(*text);
  if (!selection) return selection.takeError();
  const std::string prefix = library.schema_namespace + "::";
  std::set<std::string> known;
  for (const Operator& op : library.operators) {
    for (const Variant& variant : op.variants) {
      const OperatorName& name = variant.schema.name;
      known.insert((name.ns.empty() ? prefix : "") + to_string(name));
    }
  }
  std::set<std::string> selected;
  std::string missing;
  for (const auto& [name, reasons] : selection->operators) {
    if (known.count(name) != 0) {
      selected.insert(name);
    } else if (llvm::StringRef(name).starts_with(prefix)) {
      missing += (missing.empty() ? "`" : ", `") + name + "`";
    }
  }
  if (!missing.empty()) {
    return llvm::createStringError("expected operators of the library, found " + missing);
  }
  return selected;
}

/// Returns the depfile: `operators.json`, which every run writes, depends on all files that were read.
std::string emit_depfile(const CommandLine& line) {
  llvm::SmallString<256> target(line.output_dir);
  llvm::sys::path::append(target, "operators.json");
  std::vector<std::string> inputs = line.inputs;
  inputs.insert(inputs.end(), line.imports.begin(), line.imports.end());
  if (!line.lock.empty() && !line.updates_lock) inputs.push_back(line.lock);
  if (!line.selection.empty()) inputs.push_back(line.selection);
  if (!line.other_headers.empty()) inputs.push_back(line.other_headers);
  return depfile_text(target, inputs);
}

}  // namespace

int run_emit(const CommandLine& line) {
  Timing timing(line.prints_timing);
  timing.begin("read fragments");
  auto read = read_fragments(line.inputs);
  if (!read) return fail(line, llvm::toString(read.takeError()));
  if (llvm::Error error = prepare_fragments(line, *read)) return fail(line, llvm::toString(std::move(error)));
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
  options.has_cuda = llvm::is_contained(line.backends, "CUDA");
  options.depfile = line.depfile;
  options.depfile_text = emit_depfile(line);
  options.outputs_file = line.outputs_file;
  options.boxed = line.boxed;
  options.is_checked = line.is_checked;
  options.flavour = find_flavour(line.flavour);
  options.backends = line.backends;
  if (!line.selection.empty()) {
    llvm::Expected<std::set<std::string>> selected = selected_operators(line, library);
    if (!selected) return fail(line, "`" + line.selection + "`: " + llvm::toString(selected.takeError()));
    options.selected = std::move(*selected);
  }
  options.on_step = [&](const char* step) { timing.begin(step); };
  if (llvm::Error error = emit(library, **target, options)) return fail(line, llvm::toString(std::move(error)));
  return update_lock(line, library) ? exit_success : exit_errors;
}

}  // namespace structured::gen
