// Drift against a lock file: the schemas that a library has promised to its callers.
//
// A lock file is text: a header line, then one schema a line, sorted. It is meant to be committed, so that a change of
// an operator shows in review.
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
  SourceRange range;  ///< its line in the lock file
  friend bool operator==(const LockedSchema&, const LockedSchema&) = default;
};

/// Reads a lock file. `file` is how diagnostics name it. Errors name line, what was expected and what was found: a
/// missing header, a newer format, a line that is not a schema, an operator listed twice.
llvm::Expected<std::vector<LockedSchema>> parse_lock(llvm::StringRef file, llvm::StringRef text);

/// The lock file that promises all of `library`.
std::string print_lock(const Library& library);

/// One diagnostic for each promise that `library` breaks: an operator is gone; an argument is removed, renamed,
/// retyped, moved, or new without a default; a default is gone or another; the results differ. New operators, new
/// defaults, and new arguments with a default behind the old ones break nothing. In the aten dialect, keyword-only
/// arguments may be anywhere, as its callers name them. `fragments` are those that the library was derived from; they
/// tell where its arguments are.
std::vector<Diagnostic> check_lock(const Library& library, llvm::ArrayRef<Fragment> fragments,
                                   llvm::ArrayRef<LockedSchema> lock);

}  // namespace structured::gen
