#include "dialect/stable_report.h"

#include "dialect/dialect.h"
#include "driver/command.h"
#include "driver/inputs.h"
#include "emit/text/stable_report_text.h"

namespace structured::gen {
namespace {

class StableReportCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "FRAGMENTS...|operators.json");
    options.value("o", output_, "file", "Output file; - for standard output");
    library_.declare_names(options);
    library_.declare_imports(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    return inputs_.empty() ? "no fragments or operators.json given" : "";
  }

  int run(const Environment& environment) override {
    const std::optional<Library> library = read_library(environment, library_, inputs_);
    if (!library) return exit_errors;
    if (library->dialect != "torch" && library->dialect != "torch_stable") {
      return environment.fail("the library has the dialect `" + library->dialect +
                              "`; expected `torch` or `torch_stable`, which operators for PyTorch have");
    }
    return environment.finish(output_, stable_report_text(library->schema_namespace, stable_report(*library)));
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_ = "-";
  LibraryOptions library_;
};

}  // namespace

std::unique_ptr<Command> make_stable_report() { return std::make_unique<StableReportCommand>(); }

}  // namespace structured::gen
