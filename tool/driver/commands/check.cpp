#include <algorithm>

#include "check/apply_fixits.h"
#include "check/check.h"
#include "check/render_sarif.h"
#include "check/render_text.h"
#include "driver/command.h"
#include "driver/inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "program/library_config.h"
#include "program/output_file.h"

namespace structured::gen {
namespace {

bool is_fragment(llvm::StringRef path) { return path.ends_with(".json") || path == "-"; }

/// How a check ended.
enum class Outcome {
  good,    ///< no errors
  errors,  ///< errors, or something could not be read or written
  fixed,   ///< every error was fixed
};

/// The inputs that belong to one library.
struct Part {
  std::vector<std::string> inputs;
  LibraryOptions library;
  LockOptions lock;
  std::optional<std::string> cuda_toolkit;
};

/// Returns the sources of a library, described as the build does.
Part part_of(const LibraryConfig& config, std::vector<std::string> sources, bool is_partial) {
  Part part;
  part.library.is_partial = is_partial || sources.size() < config.sources.size();
  part.inputs = std::move(sources);
  part.library.schema_name = config.schema_namespace;
  part.library.cpp_name = config.cpp_namespace;
  part.library.dialect = config.dialect;
  part.library.source_root = config.root;
  part.library.imports = config.imports;
  part.library.backends = config.backends;
  part.library.leaves_off_out = config.leaves_off_out;
  part.library.other_headers = config.other_headers;
  if (!config.cuda_toolkit.empty()) part.cuda_toolkit = config.cuda_toolkit;
  if (!part.library.is_partial && llvm::sys::fs::exists(config.lock)) {
    part.lock.file = config.lock;
    part.lock.target = config.lock_target();
  }
  return part;
}

class CheckCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "SOURCES...|FRAGMENTS... [-- FLAGS...]");
    options.value("o", output_, "file", "Output file of `--format=sarif`; - for standard output");
    options.value("stamp", stamp_, "file", "Touch this file if there are no errors, for Ninja or make");
    options.value("format", format_, "name", "text (default) or sarif");
    options.flag("partial", library_.is_partial,
                 "The sources are a part of the library: do not report what other sources may define");
    options.flag("fix", applies_fixits_, "Apply the suggested fixes");
    options.flag("warnings-as-errors", warnings_as_errors_, "Fail after warnings, too");
    library_.declare_names(options);
    library_.declare_source_root(options);
    library_.declare_generated_root(options);
    library_.declare_imports(options);
    library_.declare_backends(options);
    lock_.declare(options);
    source_options_.declare_flags(options);
    source_options_.declare_build_dir(options);
    source_options_.declare_pch(options);
    source_options_.declare_headers(options);
    source_options_.declare_depfile(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (std::string message = source_options_.misuse(); !message.empty()) return message;
    if (std::string message = lock_.misuse(); !message.empty()) return message;
    if (inputs_.empty() && source_options_.build_dir.empty()) return "no sources or fragments given";
    if (!source_options_.depfile.empty() && stamp_.empty()) {
      return "`--depfile` requires `--stamp FILE`, the file that it is for";
    }
    if (format_ != "text" && format_ != "sarif") return "unknown format `" + format_ + "`; expected text or sarif";
    return {};
  }

  int run(const Environment& environment) override {
    auto parts = parts_of(environment);
    if (!parts) return exit_errors;
    int status = exit_success;
    for (const Part& part : *parts) status = std::max(status, check_part(environment, part));
    return status;
  }

 private:
  /// Divides the inputs among the libraries of the build folder, if the command line names one and describes no
  /// library; without inputs, all libraries are checked. Returns std::nullopt after printing an error.
  std::optional<std::vector<Part>> parts_of(const Environment& environment) const {
    const std::string& build_dir = source_options_.build_dir;
    const Part own{inputs_, library_, lock_, std::nullopt};
    if (build_dir.empty() || library_.is_described() || !lock_.file.empty()) return std::vector<Part>{own};
    std::vector<std::string> problems;
    auto libraries = library_configs(build_dir, problems);
    if (!libraries) {
      environment.fail(libraries.takeError());
      return std::nullopt;
    }
    for (const std::string& problem : problems) environment.fail(problem);
    if (!problems.empty()) return std::nullopt;
    if (inputs_.empty() && !*libraries) {
      environment.fail("no sources given, and `" + build_dir + "` has no structured_libraries.json");
      return std::nullopt;
    }
    std::vector<Part> parts;
    std::vector<std::string> others = inputs_;
    for (const LibraryConfig& library : libraries->value_or(std::vector<LibraryConfig>())) {
      std::vector<std::string> sources;
      for (const std::string& input : inputs_) {
        if (llvm::is_contained(library.sources, absolute_path(input, ""))) sources.push_back(input);
      }
      llvm::erase_if(others, [&](const std::string& input) { return llvm::is_contained(sources, input); });
      if (inputs_.empty()) sources = library.sources;
      if (!sources.empty()) parts.push_back(part_of(library, std::move(sources), library_.is_partial));
    }
    if (!others.empty()) {
      parts.push_back(own);
      parts.back().inputs = std::move(others);
    }
    if (parts.size() > 1 && format_ == "sarif") {
      environment.fail(
          "the sources belong to several libraries, but a SARIF file describes one; pass the sources of one");
      return std::nullopt;
    }
    return parts;
  }

  int check_part(const Environment& environment, const Part& part, bool is_second_time = false) const {
    std::vector<Diagnostic> findings;
    std::vector<std::string> dependencies;
    auto fragments = fragments_of(environment, part, findings, dependencies);
    if (!fragments) {
      // Attributes that cannot be read hide all other errors.
      bool is_fixed = !findings.empty() && present(environment, part.library, findings) == Outcome::fixed;
      return is_fixed && !is_second_time ? check_part(environment, part, /*is_second_time=*/true) : exit_errors;
    }
    if (llvm::Error error = prepare_fragments(part.library, *fragments)) return environment.fail(std::move(error));
    auto dialect = dialect_of(part.library, *fragments);
    if (!dialect) return environment.fail(dialect.takeError());
    auto imports = read_imports(environment, part.library, **dialect);
    if (!imports) return exit_errors;
    std::vector<Diagnostic> diagnostics =
        check(*fragments, (*dialect)->types(), check_options(part.library, **dialect, *imports));
    // Operators with errors cannot be compared with the lock file or written to it.
    std::optional<Library> library;
    if (!part.lock.file.empty() && !has_errors(diagnostics)) {
      library = derived_library(part.library, *fragments, **dialect, *imports);
      auto drift = lock_drift(environment, part.library, part.lock, *library, *fragments);
      if (!drift) return exit_errors;
      diagnostics.insert(diagnostics.end(), drift->begin(), drift->end());
    }
    switch (present(environment, part.library, diagnostics)) {
      case Outcome::good:
        if (library && !update_lock(environment, part.lock, *library)) return exit_errors;
        return write_stamp(environment, std::move(dependencies));
      case Outcome::errors:
        return exit_errors;
      case Outcome::fixed:
        return exit_success;
    }
    llvm_unreachable("every outcome has a status");
  }

  /// Reads the fragments among the inputs and scans the sources, whose headers are added to `dependencies`. Returns
  /// std::nullopt after errors, which have been printed or are in `findings`.
  std::optional<std::vector<Fragment>> fragments_of(const Environment& environment, const Part& part,
                                                    std::vector<Diagnostic>& findings,
                                                    std::vector<std::string>& dependencies) const {
    std::vector<std::string> paths;
    std::vector<std::string> sources;
    for (const std::string& input : part.inputs) (is_fragment(input) ? paths : sources).push_back(input);
    auto result = read_fragments(paths);
    if (!result) {
      environment.fail(result.takeError());
      return std::nullopt;
    }
    if (sources.empty()) return std::move(*result);
    SourceOptions options = source_options_;
    if (part.cuda_toolkit) options.cuda_toolkit = part.cuda_toolkit;
    const ScanReport report{.findings = &findings, .timing = nullptr};
    auto scanned = scan_sources(environment, part.library, options, sources, {.checks = true}, report);
    if (!scanned) return std::nullopt;
    for (ScannedSource& source : *scanned) {
      result->push_back(std::move(source.fragment));
      dependencies.insert(dependencies.end(), source.dependencies.begin(), source.dependencies.end());
    }
    return std::move(*result);
  }

  /// Prints the diagnostics in the requested format and applies fix-its if requested.
  Outcome present(const Environment& environment, const LibraryOptions& library,
                  const std::vector<Diagnostic>& diagnostics) const {
    if (format_ == "sarif") {
      SourceText sources(library.root(), library.generated_root);
      std::string log = render_sarif(diagnostics, sources, STRUCTURED_VERSION);
      if (environment.finish(output_, log) != exit_success) return Outcome::errors;
    } else {
      report(environment, library, diagnostics);
    }
    bool is_good = warnings_as_errors_ ? diagnostics.empty() : !has_errors(diagnostics);
    if (!applies_fixits_ || diagnostics.empty()) return is_good ? Outcome::good : Outcome::errors;
    std::optional<unsigned> unfixed = write_fixes(environment, library, diagnostics);
    if (!unfixed || *unfixed > 0) return Outcome::errors;
    return is_good ? Outcome::good : Outcome::fixed;
  }

  /// Applies fix-its to the sources and prints their number. Returns the number of errors that are left; std::nullopt
  /// after printing an error.
  static std::optional<unsigned> write_fixes(const Environment& environment, const LibraryOptions& library,
                                             const std::vector<Diagnostic>& diagnostics) {
    SourceText sources(library.root(), library.generated_root);
    AppliedFixIts fixes = apply_fixits(diagnostics, sources);
    for (const auto& [file, text] : fixes.files) {
      if (environment.finish(sources.path(file), text) != exit_success) return std::nullopt;
    }
    environment.err << "applied the fixes of " << fixes.applied << " of " << diagnostics.size() << " diagnostics";
    if (fixes.skipped > 0) environment.err << "; " << fixes.skipped << " overlap others: run again";
    environment.err << '\n';
    return fixes.unfixed_errors;
  }

  /// Writes the files for the build system after a check without errors. Returns the exit status.
  int write_stamp(const Environment& environment, std::vector<std::string> dependencies) const {
    if (stamp_.empty()) return exit_success;
    if (!source_options_.depfile.empty()) {
      llvm::sort(dependencies);
      dependencies.erase(llvm::unique(dependencies), dependencies.end());
      if (llvm::Error error = environment.write(source_options_.depfile, depfile_text(stamp_, dependencies))) {
        return environment.fail(std::move(error));
      }
    }
    // The time is new although the bytes are not.
    std::error_code error = llvm::sys::fs::remove(stamp_);
    if (error) return environment.fail("`" + stamp_ + "`: " + error.message());
    return environment.finish(stamp_, "");
  }

  std::vector<std::string> inputs_;
  std::string output_ = "-";
  std::string stamp_;  ///< touched after a check without errors
  std::string format_ = "text";
  bool applies_fixits_ = false;
  bool warnings_as_errors_ = false;
  LibraryOptions library_;
  LockOptions lock_;
  SourceOptions source_options_;
};

}  // namespace

std::unique_ptr<Command> make_check() { return std::make_unique<CheckCommand>(); }

}  // namespace structured::gen
