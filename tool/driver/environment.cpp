#include "driver/environment.h"

#include "program/output_file.h"

namespace structured::gen {

int Environment::fail(const std::string& message, int status) const {
  err << "structured-gen: ";
  if (colors) err.changeColor(llvm::raw_ostream::RED, /*bold=*/true);
  err << "error: ";
  if (colors) err.resetColor();
  err << message << '\n';
  return status;
}

llvm::Error Environment::write(llvm::StringRef path, llvm::StringRef contents) const {
  if (path != "-" || !out) return write_output(path, contents);
  *out << contents;
  return llvm::Error::success();
}

int Environment::finish(llvm::StringRef path, llvm::StringRef contents) const {
  if (llvm::Error error = write(path, contents)) return fail(std::move(error));
  return exit_success;
}

}  // namespace structured::gen
