#include <map>

#include "driver/command.h"
#include "driver/inputs.h"
#include "driver/timing.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "model/fragment_json.h"
#include "program/output_file.h"

namespace structured::gen {
namespace {

class ScanCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(sources_, "SOURCES... [-- FLAGS...]");
    options.value("o", output_, "file", "Output file; - for standard output");
    options.value("output-dir", output_dir_, "folder",
                  "Directory for the output files, with the structure of the sources");
    options.values("flag", source_options_.source_flags, "flag",
                   "Use a compile flag like those in the file of --flags-file, which it follows");
    options.flag("scalar-graphs", evaluates_scalar_bodies_,
                 "Store the bodies of scalar functions as graphs, for `explain --scalar-graph`; takes longer");
    options.flag("meta-functions", translates_meta_functions_,
                 "Store what meta functions compute, for functions on symbolic sizes in Python");
    options.flag("timing", prints_timing_, "Print the time of each step");
    library_.declare_names(options);
    library_.declare_source_root(options);
    source_options_.declare_flags(options);
    source_options_.declare_build_dir(options);
    source_options_.declare_pch(options);
    source_options_.declare_headers(options);
    source_options_.declare_depfile(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (std::string message = source_options_.misuse(); !message.empty()) return message;
    if (sources_.empty()) return "no sources given";
    if (output_.empty() == output_dir_.empty()) {
      return "expected either `-o FILE` for one source or `--output-dir DIR` for several";
    }
    if (!output_.empty() && sources_.size() > 1) return "`-o` takes one source, found several; use `--output-dir`";
    if (source_options_.depfile.empty()) return {};
    if (sources_.size() > 1) return "`--depfile` takes one source, found several";
    return output_ == "-" ? "`--depfile` requires `-o FILE`" : "";
  }

  int run(const Environment& environment) override {
    Timing timing(prints_timing_ ? &environment.err : nullptr);
    const ScanReport report{.findings = nullptr, .timing = &timing};
    const Bodies bodies{.scalar = evaluates_scalar_bodies_, .meta = translates_meta_functions_};
    auto scanned = scan_sources(environment, library_, source_options_, sources_, bodies, report);
    if (!scanned) return exit_errors;
    std::map<std::string, const ScannedSource*> by_path;
    for (const ScannedSource& source : *scanned) {
      auto [entry, is_new] = by_path.try_emplace(fragment_path(source.fragment), &source);
      if (!is_new) {
        return environment.fail("`" + entry->second->fragment.source + "` and `" + source.fragment.source +
                                "` would both be written to `" + entry->first + "`");
      }
    }
    timing.begin("write fragments");
    for (const auto& [path, source] : by_path) {
      if (llvm::Error error = environment.write(path, to_json(source->fragment))) {
        return environment.fail(std::move(error));
      }
      if (source_options_.depfile.empty()) continue;
      std::vector<std::string> dependencies = source->dependencies;
      if (!source_options_.flags_file.empty()) dependencies.push_back(source_options_.flags_file);
      if (llvm::Error error = environment.write(source_options_.depfile, depfile_text(path, dependencies))) {
        return environment.fail(std::move(error));
      }
    }
    return exit_success;
  }

 private:
  /// Returns the path of the fragment. The output folder mirrors the source tree.
  std::string fragment_path(const Fragment& fragment) const {
    if (!output_.empty()) return output_;
    llvm::StringRef source = fragment.source;
    // Only the name of a source outside the root is kept.
    llvm::SmallString<256> path(is_below_root(source) ? source : llvm::sys::path::filename(source));
    llvm::sys::path::replace_extension(path, ".fragment.json");
    llvm::SmallString<256> result(output_dir_);
    llvm::sys::path::append(result, path);
    return result.str().str();
  }

  std::vector<std::string> sources_;
  std::string output_;
  std::string output_dir_;
  bool evaluates_scalar_bodies_ = false;
  bool translates_meta_functions_ = false;
  bool prints_timing_ = false;
  LibraryOptions library_;
  SourceOptions source_options_;
};

}  // namespace

std::unique_ptr<Command> make_scan() { return std::make_unique<ScanCommand>(); }

}  // namespace structured::gen
