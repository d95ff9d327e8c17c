// Builds fragments from annotated C++ text without Clang, for tests of the steps after the scan.
//
// The parser supports only the C++ of annotated declarations. It records the location of every part, so that tests can
// check ranges and apply fix-its. Text that it cannot parse fails the test.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen::test {

struct ReadOptions {
  std::string dialect = "native";
  /// Classes other than `MetaBase` and `TensorIteratorBase`, by their name in the text.
  std::map<std::string, ClassFact> classes = {};
};

/// Parses `text`, the contents of `source` (relative to the source root). Supports `///` comments,
/// `template <typename T>`, attributes, `static inline constexpr`, result, name, parameters with attributes and
/// defaults, `...`, `= delete` and bodies. Unqualified types are in the namespace of the dialect.
Fragment read_fragment(llvm::StringRef source, llvm::StringRef text, const ReadOptions& options = {});

/// Returns the facts that a scan records about an operator base.
ClassFact base_class(llvm::StringRef name, std::vector<std::string> bases);

}  // namespace structured::gen::test
