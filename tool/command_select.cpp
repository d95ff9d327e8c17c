#include "commands.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "output_file.h"
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

}  // namespace

int run_select(const CommandLine& line) {
  Selection selection;
  selection.dtypes.emplace();
  const auto add_files = [&](const std::vector<std::string>& paths, Read read) -> llvm::Error {
    for (const std::string& path : paths) {
      if (llvm::Error error = add_file(selection, path, read)) return error;
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = add_files(line.inputs, selection_from_model))
    return fail(line, llvm::toString(std::move(error)));
  if (llvm::Error error = add_files(line.traces, selection_from_trace))
    return fail(line, llvm::toString(std::move(error)));
  if (llvm::Error error = add_files(line.lists, selection_from_list)) {
    return fail(line, llvm::toString(std::move(error)));
  }
  if (!line.dtypes.empty()) {
    selection.dtypes.emplace();
    if (llvm::Error error = add_dtypes(selection, line.dtypes, "`--select-dtypes`")) {
      return fail(line, llvm::toString(std::move(error)));
    }
  }
  if (llvm::Error error = write_output(line.output, to_json(selection))) {
    return fail(line, llvm::toString(std::move(error)));
  }
  return exit_success;
}

int explain_selection(const CommandLine& line) {
  auto text = read_input(line.selection);
  if (!text) return fail(line, llvm::toString(text.takeError()));
  llvm::Expected<Selection> selection = selection_from_json(*text);
  if (!selection) return fail(line, "`" + line.selection + "`: " + llvm::toString(selection.takeError()));
  llvm::Expected<std::string> explanation = explain(*selection, line.inputs.empty() ? "" : line.inputs.front());
  if (!explanation) return fail(line, llvm::toString(explanation.takeError()));
  if (llvm::Error error = write_output("-", *explanation)) return fail(line, llvm::toString(std::move(error)));
  return exit_success;
}

}  // namespace structured::gen
