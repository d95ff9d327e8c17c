#include "commands.h"
#include "emit/text/catalogue.h"
#include "inputs.h"
#include "llvm/Support/MemoryBuffer.h"
#include "output_file.h"

namespace structured::gen {
namespace {

// Reads lines such as `add.Tensor bool integral`.
llvm::Expected<DtypesByOperator> read_dtypes(llvm::StringRef path) {
  DtypesByOperator result;
  if (path.empty()) return result;
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) return llvm::createStringError("cannot read `" + path + "`: " + buffer.getError().message());
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (const llvm::StringRef line : lines) {
    const auto [name, words] = line.split(' ');
    llvm::SmallVector<llvm::StringRef> dtypes;
    words.split(dtypes, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    if (dtypes.empty()) return llvm::createStringError("`" + path + "`: `" + line + "` lists no dtypes");
    result[name].assign(dtypes.begin(), dtypes.end());
  }
  return result;
}

}  // namespace

int run_docs(const CommandLine& line) {
  std::optional<Library> library = read_library(line, line.inputs);
  if (!library) return exit_errors;
  llvm::Expected<DtypesByOperator> dtypes = read_dtypes(line.dtypes_file);
  if (!dtypes) return fail(line, llvm::toString(dtypes.takeError()));
  const bool is_html = llvm::StringRef(line.output).ends_with(".html");
  const std::string text = is_html ? catalogue_html(*library, line.source_url, *dtypes)
                                   : catalogue_markdown(*library, line.source_url, *dtypes);
  if (llvm::Error error = write_output(line.output, text)) return fail(line, llvm::toString(std::move(error)));
  return exit_success;
}

}  // namespace structured::gen
