#include "check/render_text.h"
#include "driver/command.h"
#include "driver/source_options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "model/output_destination.h"
#include "model/temporary_file.h"
#include "program/output_file.h"
#include "scan/scanner.h"

namespace structured::gen {

namespace {

class PrecompileCommand final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.inputs(headers_, "[HEADER] [-- FLAGS...]");
    options.value("o", output_, "file", "Output file");
    options.flag("bodies", has_bodies_, "Keep the bodies of functions, for `scan --scalar-graphs`; takes longer");
    library_.declare_names(options);
    library_.declare_source_root(options);
    source_options_.declare_flags(options);
    source_options_.declare_headers(options);
    source_options_.declare_depfile(options);
  }

  std::string misuse() const override {
    if (std::string message = library_.misuse(); !message.empty()) return message;
    if (headers_.size() > 1) return "`precompile` takes one header, found several; include the others in it";
    return output_.empty() || output_ == "-" ? "`-o FILE` is missing" : "";
  }

  int run(const Environment& environment) override {
    ScanOptions scan_options = source_options_.scan_options(environment, library_);
    scan_options.has_bodies = has_bodies_;
    auto scanner = Scanner::create(std::move(scan_options));
    if (!scanner) return environment.fail(scanner.takeError());
    auto place = output_destination(output_);
    if (!place) return environment.fail("cannot write `" + output_ + "`: " + place.getError().message());
    llvm::StringRef folder = llvm::sys::path::parent_path(place->path);
    if (std::error_code code = make_folders(folder)) {
      return environment.fail("cannot make folder `" + folder.str() + "`: " + code.message());
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
    if (code) return environment.fail("cannot write `" + output_ + "`: " + code.message());
    llvm::sys::fs::closeFile(descriptor);  // Clang writes it by its path
    SourceCommand command;
    if (!headers_.empty()) command.source = headers_.front();
    auto flags = source_options_.given_flags();
    if (!flags) return environment.fail(flags.takeError());
    command.flags = std::move(*flags);
    PrecompileResult result = scanner->precompile(std::move(command), temporary);
    environment.err << result.messages;
    if (!result.succeeded) {
      llvm::sys::fs::remove(temporary);
      environment.err << summary_line(result.errors, 0);
      return exit_errors;
    }
    if (llvm::Error error = replace_output(output_, temporary)) return environment.fail(std::move(error));
    if (!source_options_.depfile.empty()) {
      if (!source_options_.flags_file.empty()) result.dependencies.push_back(source_options_.flags_file);
      if (llvm::Error error = environment.write(source_options_.depfile, depfile_text(output_, result.dependencies))) {
        return environment.fail(std::move(error));
      }
    }
    return exit_success;
  }

 private:
  std::vector<std::string> headers_;
  std::string output_;
  bool has_bodies_ = false;
  LibraryOptions library_;
  SourceOptions source_options_;
};

}  // namespace

std::unique_ptr<Command> make_precompile() { return std::make_unique<PrecompileCommand>(); }

}  // namespace structured::gen
