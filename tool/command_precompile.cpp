#include "check/render_text.h"
#include "commands.h"
#include "inputs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "model/output_destination.h"
#include "model/temporary_file.h"
#include "output_file.h"
#include "scan/scanner.h"

namespace structured::gen {

int run_precompile(const CommandLine& line) {
  ScanOptions options;
  options.dialect = line.dialect.value_or("native");
  options.source_root = line.source_root.empty() ? "." : line.source_root;
  options.resource_dir = line.resource_dir;
  options.emitted_prefixes = line.emitted_prefixes;
  options.cuda_toolkit = line.cuda_toolkit;
  options.lists_dependencies = !line.depfile.empty();
  options.colors = line.colors;
  auto scanner = Scanner::create(std::move(options));
  if (!scanner) return fail(line, llvm::toString(scanner.takeError()));

  auto place = output_destination(line.output);
  if (!place) return fail(line, "cannot write `" + line.output + "`: " + place.getError().message());
  llvm::StringRef folder = llvm::sys::path::parent_path(place->path);
  if (std::error_code code = make_folders(folder)) {
    return fail(line, "cannot make folder `" + folder.str() + "`: " + code.message());
  }
  llvm::SmallString<256> temporary;
  int descriptor = -1;
  std::error_code code;
  if (place->is_written_into) {
    code = llvm::sys::fs::createTemporaryFile("structured", "partial", descriptor, temporary);
    if (!code) llvm::sys::RemoveFileOnSignal(temporary);
  } else {
    code = create_temporary(place->path, descriptor, temporary);
  }
  if (code) return fail(line, "cannot write `" + line.output + "`: " + code.message());
  llvm::sys::fs::closeFile(descriptor);  // Clang writes it by its path
  SourceCommand command;
  if (!line.inputs.empty()) command.source = line.inputs.front();
  auto flags = given_flags(line);
  if (!flags) return fail(line, llvm::toString(flags.takeError()));
  command.flags = std::move(*flags);
  PrecompileResult result = scanner->precompile(std::move(command), temporary);
  llvm::errs() << result.messages;
  if (!result.succeeded) {
    llvm::sys::fs::remove(temporary);
    llvm::errs() << summary_line(result.errors, 0);
    return exit_errors;
  }
  if (llvm::Error error = replace_output(line.output, temporary)) return fail(line, llvm::toString(std::move(error)));
  if (!line.depfile.empty()) {
    if (!line.flags_file.empty()) result.dependencies.push_back(line.flags_file);
    if (llvm::Error error = write_output(line.depfile, depfile_text(line.output, result.dependencies))) {
      return fail(line, llvm::toString(std::move(error)));
    }
  }
  return exit_success;
}

}  // namespace structured::gen
