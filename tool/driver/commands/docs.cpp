#include "driver/command.h"
#include "driver/inputs.h"
#include "emit/text/catalogue.h"
#include "llvm/Support/MemoryBuffer.h"
#include "program/output_file.h"

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

class DocsCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(inputs_, "FRAGMENTS...|operators.json");
    options.value("o", output_, "file", "Output file, a name that ends in .md or .html");
    options.value("source-url", source_url_, "address", "Prefix of links to sources");
    options.value("dtypes", dtypes_file_, "file", "Dtypes of operators: lines of a name and words of `dtypes`");
    library_.declare_names(options);
    library_.declare_imports(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (inputs_.empty()) return "no fragments or operators.json given";
    if (is_html() || llvm::StringRef(output_).ends_with(".md")) return {};
    return "expected `-o FILE` with a name that ends in .md or .html";
  }

  int run(const Environment& environment) override {
    std::optional<Library> library = read_library(environment, library_, inputs_);
    if (!library) return exit_errors;
    llvm::Expected<DtypesByOperator> dtypes = read_dtypes(dtypes_file_);
    if (!dtypes) return environment.fail(dtypes.takeError());
    return environment.finish(output_, is_html() ? catalogue_html(*library, source_url_, *dtypes)
                                                 : catalogue_markdown(*library, source_url_, *dtypes));
  }

 private:
  bool is_html() const { return llvm::StringRef(output_).ends_with(".html"); }

  std::vector<std::string> inputs_;
  std::string output_;
  std::string source_url_;   ///< prefix of links to sources
  std::string dtypes_file_;  ///< measured dtypes of operators
  LibraryOptions library_;
};

}  // namespace

std::unique_ptr<Command> make_docs() { return std::make_unique<DocsCommand>(); }

}  // namespace structured::gen
