// Options of a library that change what its fragments declare.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"

namespace structured::gen {

struct FragmentOptions {
  std::string schema_namespace;
  std::string source_root;                 ///< empty: the working directory
  std::string generated_root;              ///< root of generated sources; empty: none
  std::vector<std::string> other_headers;  ///< absolute paths of headers that other libraries of the namespace have
  bool leaves_off_out = false;             ///< operators have only the out variants that they name

  bool change_nothing() const { return other_headers.empty() && !leaves_off_out; }
};

/// Reads a file with one path per line, which CMake writes.
llvm::Expected<std::vector<std::string>> read_header_list(llvm::StringRef path);

/// Drops functions in headers that other libraries of the namespace have, and leaves off implied out variants.
void prepare_fragments(const FragmentOptions& options, std::vector<Fragment>& fragments);

}  // namespace structured::gen
