// Selections: which operators of a library can be called by name, and which dtypes its kernels are compiled for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

/// Reasons by what they select: an operator with namespace and overload (`aten::add.Tensor`), or a dtype (`Float`).
using Reasons = std::map<std::string, std::set<std::string>>;

struct Selection {
  Reasons operators;
  std::optional<Reasons> dtypes;  ///< nullopt: all

  /// Adds the operators and dtypes of another selection. All dtypes are selected if either selects all.
  void add(const Selection& other);
};

/// The file that `structured-gen select` writes.
std::string to_json(const Selection& selection);
/// Errors say what is missing in the text.
llvm::Expected<Selection> selection_from_json(llvm::StringRef text);

/// The operators in a list: one name per line, with `#` before comments. Reasons and errors call the file `name`.
llvm::Expected<Selection> selection_from_list(llvm::StringRef text, llvm::StringRef name);

/// Adds the dtype of each name, separated by commas; fails for an unknown one.
llvm::Error add_dtypes(Selection& selection, llvm::StringRef names, llvm::StringRef reason);

/// Describes an operator or a dtype of the selection and why it is there, or, without a name, all of them. Fails for a
/// name that is not selected.
llvm::Expected<std::string> explain(const Selection& selection, llvm::StringRef name);

}  // namespace structured::gen
