// Fix-its: edits that are certain to be correct.
#pragma once

#include <optional>
#include <string>

#include "check/diagnostic.h"
#include "check/message.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen {

FixIt insertion_before(const SourceRange& range, std::string text);
FixIt insertion_after(const SourceRange& range, std::string text);
FixIt removal(SourceRange range);
FixIt replacement(SourceRange range, std::string text);

/// Returns an edit that replaces a string literal by a literal of `text`.
FixIt string_replacement(SourceRange range, llvm::StringRef text);
/// Returns an edit that replaces a string literal by the suggested name; nullopt without one.
std::optional<FixIt> string_replacement(SourceRange range, const DidYouMean& meant);

/// Returns an edit that renames a parameter; nullopt in a definition, whose body uses the name as well.
std::optional<FixIt> renamed(const Declaration& declaration, const Parameter& parameter, llvm::StringRef name);

/// Return an edit that changes the type of the parameter, or the result type of the declaration. In `T &name` and
/// `T name[3]`, declarator tokens around the name belong to the old type; the name stays.
FixIt retyped(const Parameter& parameter, llvm::StringRef type);
FixIt retyped_result(const Declaration& declaration, llvm::StringRef type);

}  // namespace structured::gen
