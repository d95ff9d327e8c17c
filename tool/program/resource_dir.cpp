#include "program/resource_dir.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace structured::gen {

std::string default_resource_dir(const char* program) {
  static const int here = 0;  // its address identifies this program
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the function only reads the pointer
  llvm::SmallString<256> result(llvm::sys::fs::getMainExecutable(program, const_cast<int*>(&here)));
  llvm::sys::path::remove_filename(result);
  llvm::sys::path::append(result, STRUCTURED_INSTALLED_RESOURCE_DIR);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return llvm::sys::fs::is_directory(result) ? result.str().str() : STRUCTURED_CLANG_RESOURCE_DIR;
}

}  // namespace structured::gen
