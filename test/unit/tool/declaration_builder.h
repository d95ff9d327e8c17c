// Fragments from annotated C++ text, without Clang: for tests of what comes after the scan.
//
// The reader knows the little C++ that annotated declarations are made of. It gives every part the place that it has
// in the text, so that tests can look at ranges and apply fix-its. Text that it cannot read fails the test.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen::test {

struct ReadOptions {
  std::string dialect = "native";
  /// Classes beyond `MetaBase` and `TensorIteratorBase`, by the name that the text uses for them.
  std::map<std::string, ClassFact> classes = {};
};

/// The declarations in `text`, which `source` (relative to the source root) consists of. Understood: `///` comments,
/// `template <typename T>`, attributes, `static inline constexpr`, result, name, parameters with attributes and
/// defaults, `...`, `= delete`, bodies. Unqualified types are those of the dialect's namespace.
Fragment read_fragment(llvm::StringRef source, llvm::StringRef text, const ReadOptions& options = {});

/// An operator base as the scan describes it.
ClassFact base_class(llvm::StringRef name, std::vector<std::string> bases);

}  // namespace structured::gen::test
