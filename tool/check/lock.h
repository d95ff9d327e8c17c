// Comparison of a library with its lock file: the schemas that callers rely on.
//
// A lock file is text: a header line, then one schema per line, sorted. It is meant to be committed, so that code
// review shows changes of operators.
#pragma once

#include <string>
#include <vector>

#include "check/diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"
#include "model/operator.h"

namespace structured::gen {

struct LockedSchema {
  Schema schema;
  SourceRange range;  ///< line in the lock file
  friend bool operator==(const LockedSchema&, const LockedSchema&) = default;
};

/// Parses a lock file. `file` is its name in diagnostics. Fails on a missing header, a newer format, a line that is not
/// a schema, or a duplicate operator; errors state the line, and what was expected and found.
llvm::Expected<std::vector<LockedSchema>> parse_lock(llvm::StringRef file, llvm::StringRef text);

/// Returns a lock file with all operators of `library`.
std::string print_lock(const Library& library);

/// Returns a diagnostic for each incompatible change: an operator was removed; an argument was removed, renamed,
/// retyped, moved, or added without a default; a default was removed or changed; the results differ. New operators, new
/// defaults, and new arguments with defaults after the old ones are compatible. In the aten dialect, keyword-only
/// arguments may be in any order, as callers pass them by name. `fragments`, from which the library was derived,
/// provide the locations of arguments. A change of one argument in several variants is one diagnostic. If `update` is
/// not empty, it ends the messages: "to accept the change, " and for example "build the target `my_ops_update_lock`".
std::vector<Diagnostic> check_lock(const Library& library, llvm::ArrayRef<Fragment> fragments,
                                   llvm::ArrayRef<LockedSchema> lock, llvm::StringRef update = {});

}  // namespace structured::gen
