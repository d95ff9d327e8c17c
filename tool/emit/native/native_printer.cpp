#include "emit/native/native_printer.h"

#include <set>

#include "emit/cpp/emitted_sources.h"
#include "emit/cpp/source_text.h"
#include "emit/native/boxed.h"
#include "emit/native/cuda_source.h"
#include "emit/native/headers.h"
#include "emit/native/imports_source.h"
#include "emit/native/operators_index.h"
#include "emit/native/public_functions.h"
#include "emit/native/recordings.h"
#include "emit/native/shared_bodies.h"
#include "emit/native/tables.h"
#include "emit/native/wrappers.h"
#include "emit/writer.h"

namespace structured::gen {
namespace {

class NativePrinter final : public Printer {
 public:
  StepSet steps() const override { return StepSet::all(); }
  std::set<GradientArgument::Kind> gradient_arguments() const override {
    using Kind = GradientArgument::Kind;
    return {Kind::gradient, Kind::optional_gradient,     Kind::gradients,
            Kind::saved,    Kind::saved_unless_modified, Kind::needs_flags};
  }

  EmittedFiles files(const LoweredLibrary& lowered, const PrintOptions& options) const override {
    EmittedFiles files;
    const std::string include = "include/" + lowered.include_prefix + "/";
    files.emplace_back(include + "documentation.h", documentation_header(lowered));
    files.emplace_back(include + "export.h", export_header(lowered));
    files.emplace_back(include + "find_operator.h", find_operator_header(lowered));
    files.emplace_back(include + "operators.h", operators_header(lowered));
    for (auto& [path, contents] : ops_headers(lowered)) {
      files.emplace_back("include/" + path, std::move(contents));
    }
    files.emplace_back("operators.cpp", operators_source(lowered, options.boxed));
    if (options.has_imports) {
      files.emplace_back("imports.cpp", imports_source(lowered));
    }
    files.emplace_back("shared_bodies.cpp", shared_bodies_source(lowered));
    for (const auto& [source, contents] : lowered.sources) {
      EmittedSources paths = emitted_sources(source);
      files.emplace_back(std::move(paths.wrappers), wrappers_source(lowered, source));
      files.emplace_back(std::move(paths.tables), tables_source(lowered, source, options.boxed));
      files.emplace_back(std::move(paths.boxed), options.boxed ? boxed_source(lowered, source)
                                                               : nothing_from(source, "operators with boxed calls"));
      if (options.has_cuda && !paths.cuda.empty()) {
        files.emplace_back(std::move(paths.cuda), cuda_source(lowered, source));
      }
    }
    return files;
  }

  std::string wrappers(const LoweredLibrary& lowered, const LoweredVariant& variant) const override {
    Writer writer;
    std::set<std::string> declared;
    for (const std::size_t index : variant.wrappers) {
      const LoweredWrapper& wrapper = lowered.wrappers[index];
      if (wrapper.entry != LoweredWrapper::Entry::wrapper) {
        writer.blank();
        writer.comment("//", variant.schema);
        writer.comment("//", "No wrapper is emitted: the dispatcher calls " + kernel_name(lowered, wrapper) + ".");
      } else {
        write_wrapper_and_globals(writer, lowered, wrapper, declared);
      }
    }
    if (!variant.recording.empty()) {
      write_node(writer, lowered.nodes[variant.node]);
      write_recording(writer, lowered, variant);
    }
    return writer.text();
  }
};

}  // namespace

const Printer& native_printer() {
  static const NativePrinter printer;
  return printer;
}

}  // namespace structured::gen
