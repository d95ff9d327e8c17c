#include "emit/text/explain.h"

#include "driver/command.h"
#include "driver/inputs.h"
#include "emit/emit.h"
#include "program/output_file.h"
#include "selection/selection.h"

namespace structured::gen {
namespace {

class ExplainCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "OPERATOR FRAGMENTS...|operators.json");
    options.value("selection", selection_, "file",
                  "Explain a file of `structured-gen select`: an operator or dtype, or all");
    options.flag("code", shows_code_, "Print the emitted wrappers instead");
    options.flag("scalar-graph", shows_scalar_graphs_,
                 "Print the graphs of the scalar functions instead, of fragments by `scan --scalar-graphs`");
    options.flag("lowered", shows_lowered_, "Print the steps of the emitted functions instead, for debugging");
    library_.declare_names(options);
    library_.declare_imports(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (shows_code_ + shows_lowered_ + shows_scalar_graphs_ > 1) {
      return "`--code`, `--lowered` and `--scalar-graph` exclude each other";
    }
    if (!selection_.empty()) {
      return inputs_.size() <= 1 ? "" : "`--selection` takes one operator or dtype, found several";
    }
    return inputs_.size() < 2 ? "expected the name of an operator, then fragments or an operators.json" : "";
  }

  int run(const Environment& environment) override {
    return selection_.empty() ? explain_operator(environment) : explain_selection(environment);
  }

 private:
  int explain_operator(const Environment& environment) const {
    const std::string& name = inputs_.front();
    std::optional<Library> library = read_library(environment, library_, {inputs_.begin() + 1, inputs_.end()});
    if (!library) return exit_errors;
    llvm::Expected<const Operator*> op = find_operator(*library, name);
    if (!op) return environment.fail(op.takeError());
    const Dialect* dialect = find_dialect(library->dialect);
    if (!dialect) return environment.fail(unknown_dialect(library->dialect));
    llvm::Expected<std::string> text = shows_code_            ? emitted_wrapper(*library, *dialect, name)
                                       : shows_lowered_       ? explain_lowered(*library, *dialect, **op)
                                       : shows_scalar_graphs_ ? explain_scalar_graphs(*library, **op)
                                                              : explain(*library, *dialect, **op);
    return text ? environment.finish("-", *text) : environment.fail(text.takeError());
  }

  int explain_selection(const Environment& environment) const {
    auto text = read_input(selection_);
    if (!text) return environment.fail(text.takeError());
    llvm::Expected<Selection> selection = selection_from_json(*text);
    if (!selection) return environment.fail("`" + selection_ + "`: " + llvm::toString(selection.takeError()));
    llvm::Expected<std::string> explanation = explain(*selection, inputs_.empty() ? "" : inputs_.front());
    return explanation ? environment.finish("-", *explanation) : environment.fail(explanation.takeError());
  }

  std::vector<std::string> inputs_;
  std::string selection_;
  bool shows_code_ = false;
  bool shows_lowered_ = false;
  bool shows_scalar_graphs_ = false;
  LibraryOptions library_;
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<ExplainCommand>(); }

}  // namespace structured::gen
