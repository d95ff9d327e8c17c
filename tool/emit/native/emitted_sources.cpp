#include "emit/native/emitted_sources.h"

#include "llvm/ADT/Twine.h"

namespace structured::gen {

EmittedSources emitted_sources(llvm::StringRef kernel_source) {
  kernel_source.consume_back(".cpp");
  const std::string stem = ("src/" + kernel_source).str();
  return {stem + ".cpp", stem + ".tables.cpp", stem + ".boxed.cpp"};
}

}  // namespace structured::gen
