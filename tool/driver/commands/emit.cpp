#include <memory>
#include <set>
#include <string>

#include "derive/signatures.h"
#include "driver/command.h"
#include "driver/inputs.h"
#include "driver/timing.h"
#include "emit/emit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/Path.h"
#include "model/signatures_json.h"
#include "program/output_file.h"
#include "selection/selection.h"

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
llvm::Expected<std::set<std::string>> selected_operators(const std::string& path, const Library& library) {
  llvm::Expected<std::string> text = read_input(path);
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

class EmitCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(fragments_, "FRAGMENTS...");
    options.value("output-dir", output_dir_, "folder",
                  "Directory for the output files, with the structure of the sources");
    options.value("depfile", depfile_, "file", "Write a dependency file for Ninja or make");
    options.value("outputs-file", outputs_file_, "file", "Write the list of emitted files");
    options.flag("no-boxed", no_boxed_, "Leave out boxed calls");
    options.flag("checked", is_checked_, "Make every call of an operator check its kernel");
    options.value(
        "flavour", library_.flavour, "name",
        "Contents of the registry of operators: dynamic (default), edge (no schemas and layers) or static (no "
        "dispatch tables either)");
    options.value("select", selection_, "file",
                  "Let only operators in this file of `structured-gen select` be called by name");
    options.value(
        "target", target_, "name",
        "Emit for this target, which is for the dialect of the library (default: the target with the dialect's name), "
        "or "
        "`onnx`: ONNX functions for scalar functions that were scanned with --scalar-graphs, in functions.onnx");
    options.flag("timing", prints_timing_, "Print the time of each step");
    library_.declare_names(options);
    library_.declare_source_root(options);
    library_.declare_generated_root(options);
    library_.declare_imports(options);
    library_.declare_backends(options);
    lock_.declare(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (std::string message = lock_.misuse(); !message.empty()) return message;
    if (output_dir_.empty()) return "`--output-dir` is missing";
    if (is_checked_ && no_boxed_) return "`--checked` needs boxed calls; remove `--no-boxed`";
    if (!target_.empty() && !find_target(target_)) return unknown_target(target_);
    if (!find_flavour(library_.flavour)) return unknown_flavour(library_.flavour);
    if (is_checked_ && library_.flavour != dynamic_flavour().name) {
      return "`--checked` needs `--flavour=dynamic`, found `" + library_.flavour + "`";
    }
    return {};
  }

  int run(const Environment& environment) override {
    Timing timing(prints_timing_ ? &environment.err : nullptr);
    timing.begin("read fragments");
    auto read = read_fragments(fragments_);
    if (!read) return environment.fail(read.takeError());
    if (llvm::Error error = prepare_fragments(library_, *read)) return environment.fail(std::move(error));
    const std::vector<Fragment>& fragments = kept(std::move(*read));
    timing.begin("check, derive");
    auto dialect = dialect_of(library_, fragments);
    if (!dialect) return environment.fail(dialect.takeError());
    if (library_.flavour != dynamic_flavour().name && (*dialect)->name() != "native") {
      return environment.fail("`--flavour=" + library_.flavour +
                              "` is for libraries of our runtime; those of the dialect `" + (*dialect)->name().str() +
                              "` have no flavours");
    }
    const Target* target = target_.empty() ? default_target(**dialect) : find_target(target_);
    if (target && !target->accepts(**dialect)) {
      return environment.fail(
          "the target `" + target_ + "` is for libraries of " +
          (target->dialect.empty() ? "dialects with C++" : "the dialect `" + target->dialect.str() + "`") +
          "; that of this library is `" + (*dialect)->name().str() + "`");
    }
    auto imports = read_imports(environment, library_, **dialect);
    if (!imports) return exit_errors;
    std::optional<Library> derived = checked_library(environment, library_, fragments, **dialect, *imports);
    if (!derived) return exit_errors;
    const Library& library = kept(std::move(*derived));
    auto drift = lock_drift(environment, library_, lock_, library, fragments);
    if (!drift || !report(environment, library_, *drift)) return exit_errors;

    EmitOptions options;
    options.output_dir = output_dir_;
    for (const Fragment& fragment : fragments) options.sources.push_back(fragment.source);
    options.signatures = to_json(signatures_of(library, fragments, (*dialect)->types(), *imports));
    options.has_imports = !library_.imports.empty();
    options.has_cuda = llvm::is_contained(library_.backends, "CUDA");
    options.depfile = depfile_;
    options.depfile_text = text_of_depfile();
    options.outputs_file = outputs_file_;
    options.boxed = !no_boxed_;
    options.is_checked = is_checked_;
    options.flavour = find_flavour(library_.flavour);
    options.backends = library_.backends;
    if (!selection_.empty()) {
      llvm::Expected<std::set<std::string>> selected = selected_operators(selection_, library);
      if (!selected) return environment.fail("`" + selection_ + "`: " + llvm::toString(selected.takeError()));
      options.selected = std::move(*selected);
    }
    options.on_step = [&](const char* step) { timing.begin(step); };
    options.on_note = [&](const EmitNote& note) {
      environment.err << note.range.file << ':' << note.range.begin.line << ':' << note.range.begin.column
                      << ": note: " << note.message << '\n';
    };
    if (llvm::Error error = emit(library, **dialect, target, options)) return environment.fail(std::move(error));
    return update_lock(environment, lock_, library) ? exit_success : exit_errors;
  }

 private:
  /// `operators.json`, which every run writes, depends on all files that were read.
  std::string text_of_depfile() const {
    llvm::SmallString<256> target(output_dir_);
    llvm::sys::path::append(target, "operators.json");
    std::vector<std::string> inputs = fragments_;
    inputs.insert(inputs.end(), library_.imports.begin(), library_.imports.end());
    if (!lock_.file.empty() && !lock_.is_update) inputs.push_back(lock_.file);
    if (!selection_.empty()) inputs.push_back(selection_);
    if (!library_.other_headers.empty()) inputs.push_back(library_.other_headers);
    return depfile_text(target, inputs);
  }

  std::vector<std::string> fragments_;
  std::string output_dir_;
  std::string depfile_;
  std::string outputs_file_;
  std::string target_;     ///< empty: the default of the dialect
  std::string selection_;  ///< a file of `select`; empty: all operators
  bool no_boxed_ = false;
  bool is_checked_ = false;  ///< whether calls of the emitted operators are checked
  bool prints_timing_ = false;
  LibraryOptions library_;
  LockOptions lock_;
};

}  // namespace

std::unique_ptr<Command> make_emit() { return std::make_unique<EmitCommand>(); }

}  // namespace structured::gen
