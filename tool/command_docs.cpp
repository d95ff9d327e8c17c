#include "commands.h"
#include "emit/text/catalogue.h"
#include "inputs.h"
#include "output_file.h"

namespace structured::gen {

int run_docs(const CommandLine& line) {
  std::optional<Library> library = read_library(line, line.inputs);
  if (!library) return exit_errors;
  const bool is_html = llvm::StringRef(line.output).ends_with(".html");
  const std::string text =
      is_html ? catalogue_html(*library, line.source_url) : catalogue_markdown(*library, line.source_url);
  if (llvm::Error error = write_output(line.output, text)) return fail(line, llvm::toString(std::move(error)));
  return exit_success;
}

}  // namespace structured::gen
