#include "driver/command.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "selection/model_operators.h"
#include "selection/selection.h"

namespace structured::gen {
namespace {

using Read = llvm::Expected<Selection> (*)(llvm::StringRef contents, llvm::StringRef name);

// Adds the selection in a file. The name of the file, without folders, is a part of reasons.
llvm::Error add_file(Selection& selection, const std::string& path, Read read) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) return llvm::createStringError("cannot read `" + path + "`: " + buffer.getError().message());
  llvm::Expected<Selection> found = read((*buffer)->getBuffer(), llvm::sys::path::filename(path));
  if (!found) return found.takeError();
  selection.add(*found);
  return llvm::Error::success();
}

class SelectCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(models_, "MODELS...");
    options.value("o", output_, "file", "Output file; - for standard output");
    options.values("trace", traces_, "file",
                   "Select what a run has called: a file of `structured-run --record`; may be repeated");
    options.values("operators", lists_, "file",
                   "Select the operators in a file, one full name per line; may be repeated");
    options.value("select-dtypes", dtypes_, "names",
                  "Select these dtypes, such as Float,Long,Bool, instead of those in the inputs");
  }

  std::string misuse() const override {
    if (models_.empty() && traces_.empty() && lists_.empty()) {
      return "expected models, `--trace FILE` or `--operators FILE`";
    }
    return output_.empty() ? "`-o FILE` is missing" : "";
  }

  int run(const Environment& environment) override {
    Selection selection;
    selection.dtypes.emplace();
    if (llvm::Error error = add_inputs(selection)) return environment.fail(std::move(error));
    return environment.finish(output_, to_json(selection));
  }

 private:
  llvm::Error add_inputs(Selection& selection) const {
    const std::pair<const std::vector<std::string>&, Read> inputs[] = {
        {models_, selection_from_model}, {traces_, selection_from_trace}, {lists_, selection_from_list}};
    for (const auto& [paths, read] : inputs) {
      for (const std::string& path : paths) {
        if (llvm::Error error = add_file(selection, path, read)) return error;
      }
    }
    if (dtypes_.empty()) return llvm::Error::success();
    selection.dtypes.emplace();
    return add_dtypes(selection, dtypes_, "`--select-dtypes`");
  }

  std::vector<std::string> models_;
  std::vector<std::string> traces_;  ///< records of runs
  std::vector<std::string> lists_;   ///< files with names of operators
  std::string dtypes_;               ///< separated by commas; empty: those of the inputs
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_select() { return std::make_unique<SelectCommand>(); }

}  // namespace structured::gen
