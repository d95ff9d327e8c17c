// Helpers for messages and fix-its.
#pragma once

#include <optional>
#include <string>

#include "check/diagnostic.h"
#include "language/nearest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen {

/// Formats `text` as code: in backticks, with control characters escaped, and truncated if it is too long for a
/// message.
std::string code(llvm::StringRef text);

/// "1 parameter", "2 parameters"
std::string count_of(std::size_t count, llvm::StringRef noun);

/// `a`, `b` and `c`
std::string list_of(llvm::ArrayRef<std::string> names, llvm::StringRef conjunction = "and");

/// Returns ", as on `CPU`", to name the kernel that is taken as correct; ", as in the schema" without backends.
std::string as_on(llvm::ArrayRef<std::string> backends);

/// Adds "; did you mean `x`?" to the message, and a fix-it for the string literal at `range`, if one of `candidates` is
/// similar to `name`. Returns whether one is.
bool suggest_string(Diagnostic& diagnostic, const SourceRange& range, llvm::StringRef name,
                    llvm::ArrayRef<std::string> candidates);

/// Two types for a message: as written, or canonical if they are spelled alike.
struct ShownTypes {
  std::string first;
  std::string second;
};
ShownTypes show_types(const CppType& first, const CppType& second);

/// Returns `Tensor&` for `const Tensor&`.
std::string without_const(llvm::StringRef type);

/// Return an edit that changes the type of the parameter, or the result type of the declaration. In `T &name` and
/// `T name[3]`, declarator tokens around the name belong to the old type; the name stays.
FixIt retyped(const Parameter& parameter, llvm::StringRef type);
FixIt retyped_result(const Declaration& declaration, llvm::StringRef type);

FixIt insertion(const SourceRange& file, Position place, std::string text);

}  // namespace structured::gen
