#include "check/render_text.h"
#include "commands.h"
#include "import/aten_signatures.h"
#include "inputs.h"
#include "llvm/Support/raw_ostream.h"
#include "model/signatures_json.h"
#include "output_file.h"
#include "scan/scanner.h"

namespace structured::gen {

int run_aten_signatures(const CommandLine& line) {
  ScanOptions options;
  options.dialect = "torch";
  options.resource_dir = line.resource_dir;
  options.colors = line.colors;
  auto scanner = Scanner::create(std::move(options));
  if (!scanner) return fail(line, llvm::toString(scanner.takeError()));
  auto flags = given_flags(line);
  if (!flags) return fail(line, llvm::toString(flags.takeError()));
  SourceCommand command;
  command.flags = std::move(*flags);
  const AtenHeadersResult read = scanner->read_aten_headers(std::move(command));
  llvm::errs() << read.messages;
  if (read.errors > 0) {
    llvm::errs() << summary_line(read.errors, 0);
    return exit_errors;
  }
  if (read.headers.metas.empty()) {
    return fail(line,
                "found no structured operators in the headers of libtorch; expected ATen/ops/*_meta.h of "
                "PyTorch 1.13 or newer");
  }
  const AtenSignatures aten = aten_signatures(read.headers, *find_target("torch"));
  if (line.is_verbose) {
    for (const std::string& reason : aten.left_out) llvm::errs() << reason << "; left out\n";
  }
  if (llvm::Error error = write_output(line.output, to_json(aten.signatures))) {
    return fail(line, llvm::toString(std::move(error)));
  }
  return exit_success;
}

}  // namespace structured::gen
