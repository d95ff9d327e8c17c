#include "import/aten_signatures.h"
#include "check/render_text.h"
#include "driver/command.h"
#include "driver/source_options.h"
#include "llvm/Support/raw_ostream.h"
#include "model/signatures_json.h"
#include "program/output_file.h"
#include "scan/scanner.h"

namespace structured::gen {

namespace {

class AtenSignaturesCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "-- FLAGS...");
    options.value("o", output_, "file", "Output file; - for standard output");
    options.flag("verbose", is_verbose_, "List the operators that annotations cannot express, and the reasons");
    source_options_.declare_flags(options);
  }

  std::string misuse() const override {
    if (!inputs_.empty()) return "expected compile flags after `--`, found `" + inputs_.front() + "`";
    return output_.empty() ? "`-o FILE` is missing" : "";
  }

  int run(const Environment& environment) override {
    LibraryOptions library;
    library.dialect = "torch";
    auto scanner = Scanner::create(source_options_.scan_options(environment, library));
    if (!scanner) return environment.fail(scanner.takeError());
    auto flags = source_options_.given_flags();
    if (!flags) return environment.fail(flags.takeError());
    SourceCommand command;
    command.flags = std::move(*flags);
    const AtenHeadersResult read = scanner->read_aten_headers(std::move(command));
    environment.err << read.messages;
    if (read.errors > 0) {
      environment.err << summary_line(read.errors, 0);
      return exit_errors;
    }
    if (read.headers.metas.empty()) {
      return environment.fail(
          "found no structured operators in the headers of libtorch; expected ATen/ops/*_meta.h of PyTorch 1.13 or "
          "newer");
    }
    const AtenSignatures aten = aten_signatures(read.headers, *find_dialect("torch"));
    if (is_verbose_) {
      for (const std::string& reason : aten.left_out) environment.err << reason << "; left out\n";
    }
    return environment.finish(output_, to_json(aten.signatures));
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  bool is_verbose_ = false;
  SourceOptions source_options_;
};

}  // namespace

std::unique_ptr<Command> make_aten_signatures() { return std::make_unique<AtenSignaturesCommand>(); }

}  // namespace structured::gen
