#include <deque>

#include "driver/command.h"
#include "driver/inputs.h"
#include "emit/emit.h"
#include "model/cpp_names.h"
#include "model/python_names.h"

namespace structured::gen {
namespace {

class PythonCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(libraries_, "operators.json...");
    options.value("output-dir", options_.output_dir, "folder", "Directory for the output files");
    options.value("module", options_.module, "name", "Name of the Python module");
    options.value("parts", options_.parts, "count", "Number of sources for the tables of functions (default: 1)");
    options.flag("self-methods", options_.self_methods,
                 "Make each function whose first parameter is the Tensor `self` a method");
  }

  std::string misuse() const override {
    if (libraries_.empty()) return "no operators.json given";
    if (options_.output_dir.empty()) return "`--output-dir` is missing";
    const std::string& module = options_.module;
    if (!is_cpp_namespace(module) || llvm::StringRef(module).contains(':') || is_python_keyword(module)) {
      return "expected `--module NAME` with an identifier that is not a keyword, got `" + module + "`";
    }
    return options_.parts == 0 ? "expected at least 1 after `--parts`" : "";
  }

  int run(const Environment& environment) override {
    std::deque<Library> libraries;
    for (const std::string& path : libraries_) {
      std::optional<Library> library = read_library(environment, LibraryOptions(), {path});
      if (!library) return exit_errors;
      libraries.push_back(std::move(*library));
    }
    if (llvm::Error error = emit_python(libraries, options_)) return environment.fail(std::move(error));
    return exit_success;
  }

 private:
  std::vector<std::string> libraries_;
  PythonOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_python() { return std::make_unique<PythonCommand>(); }

}  // namespace structured::gen
