#include "emit/torch/torch_printer.h"

#include "emit/cpp/emitted_sources.h"
#include "emit/torch/function_text.h"
#include "emit/torch/functions_header.h"
#include "emit/torch/library_source.h"
#include "emit/torch/pointwise.h"
#include "emit/torch/wrappers_source.h"

namespace structured::gen {
namespace {

class TorchPrinter final : public Printer {
 public:
  StepSet steps() const override { return torch_steps(); }
  std::set<GradientArgument::Kind> gradient_arguments() const override {
    using Kind = GradientArgument::Kind;
    return {Kind::gradient, Kind::optional_gradient,     Kind::gradients,   Kind::optional_gradients,
            Kind::saved,    Kind::saved_unless_modified, Kind::needs_flags, Kind::conjugate,
            Kind::weighted};
  }

  Symbols symbols() const override { return Symbols::operators; }
  bool decomposes() const override { return true; }

  EmittedFiles files(const LoweredLibrary& lowered, const PrintOptions& options) const override {
    EmittedFiles files{{"library.cpp", torch_library_source(lowered)},
                       {"support.cpp", torch_support_source(lowered)},
                       {"include/" + lowered.include_prefix + "/ops.h", torch_functions_header(lowered)}};
    for (const auto& [source, contents] : lowered.sources) {
      EmittedSources paths = emitted_sources(source);
      files.emplace_back(std::move(paths.wrappers), torch_wrappers_source(lowered, torch_support, source, contents));
      if (options.has_cuda && !paths.cuda.empty()) {
        files.emplace_back(std::move(paths.cuda), torch_cuda_source(lowered, source, contents));
      }
    }
    return files;
  }

  std::string wrappers(const LoweredLibrary& lowered, const LoweredVariant& variant) const override {
    return torch_wrappers(lowered, torch_support, variant);
  }
};

}  // namespace

const Printer& torch_printer() {
  static const TorchPrinter printer;
  return printer;
}

}  // namespace structured::gen
