#include "emit/cpp/emitted_sources.h"

#include "llvm/ADT/Twine.h"

namespace structured::gen {

EmittedSources emitted_sources(llvm::StringRef kernel_source) {
  const bool is_header =
      kernel_source.ends_with(".h") || kernel_source.ends_with(".hh") || kernel_source.ends_with(".hpp");
  kernel_source.consume_back(".cpp");
  const std::string stem = ("src/" + kernel_source).str();
  return {stem + ".cpp", stem + ".tables.cpp", stem + ".boxed.cpp", is_header ? stem + ".cu" : ""};
}

}  // namespace structured::gen
