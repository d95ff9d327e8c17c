// Pieces of messages, and the edits that go with them.
#pragma once

#include <optional>
#include <string>

#include "check/diagnostic.h"
#include "language/nearest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen {

/// `text` as code: between backticks, with control characters escaped, and cut where it is longer than a message may
/// be.
std::string code(llvm::StringRef text);

/// "1 parameter", "2 parameters"
std::string count_of(std::size_t count, llvm::StringRef noun);

/// `a`, `b` and `c`
std::string list_of(llvm::ArrayRef<std::string> names, llvm::StringRef conjunction = "and");

/// ", as on `CPU`": where something is as it should be. Signatures tell how it is without a backend.
std::string as_on(llvm::ArrayRef<std::string> backends);

/// Adds "; did you mean `x`?" to the message and the edit of the string literal at `range`, if there is a near one.
/// Returns whether there was.
bool suggest_string(Diagnostic& diagnostic, const SourceRange& range, llvm::StringRef name,
                    llvm::ArrayRef<std::string> candidates);

/// Two types as a message shows them: as written, or canonical where they are written alike.
struct ShownTypes {
  std::string first;
  std::string second;
};
ShownTypes show_types(const CppType& first, const CppType& second);

/// `Tensor&` of `const Tensor&`
std::string without_const(llvm::StringRef type);

/// Gives the parameter, or what the declaration returns, another type. In
/// `T &name` and `T name[3]`, the tokens between type and name are replaced with the old type; the name stays.
FixIt retyped(const Parameter& parameter, llvm::StringRef type);
FixIt retyped_result(const Declaration& declaration, llvm::StringRef type);

FixIt insertion(const SourceRange& file, Position place, std::string text);

}  // namespace structured::gen
