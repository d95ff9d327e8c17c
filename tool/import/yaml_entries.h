// Syntax of native_functions.yaml: a sequence of mappings whose values are scalars, lists of scalars or mappings of
// scalars.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

struct YamlField {
  struct Pair {
    std::string key;
    std::string value;
    unsigned line = 0;
  };
  using List = std::vector<std::string>;
  using Mapping = std::vector<Pair>;  ///< in the order of the file

  std::string key;
  unsigned line = 0;
  std::variant<std::string, List, Mapping> value;
};

struct YamlEntry {
  unsigned line = 0;
  std::vector<YamlField> fields;
};

struct YamlEntries {
  std::vector<YamlEntry> entries;
  std::vector<std::string> errors;  ///< `FILE:LINE: operator `x`: expected ..., found ...`
};

/// Returns the operator's name in the text of a schema, for messages.
llvm::StringRef subject_of(llvm::StringRef schema);

/// Reads a YAML document. `file` is its name in errors. After an error of syntax, the rest of the file is not read.
YamlEntries read_yaml_entries(llvm::StringRef file, llvm::StringRef text);

}  // namespace structured::gen
