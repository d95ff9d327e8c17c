#include "check/fixits.h"

#include <utility>

#include "llvm/ADT/Twine.h"

namespace structured::gen {

FixIt insertion_before(const SourceRange& range, std::string text) {
  return {{range.file, range.begin, range.begin}, std::move(text)};
}

FixIt insertion_after(const SourceRange& range, std::string text) {
  return {{range.file, range.end, range.end}, std::move(text)};
}

FixIt removal(SourceRange range) { return {std::move(range), ""}; }

FixIt replacement(SourceRange range, std::string text) { return {std::move(range), std::move(text)}; }

FixIt string_replacement(SourceRange range, llvm::StringRef text) {
  return replacement(std::move(range), ("\"" + text + "\"").str());
}

std::optional<FixIt> string_replacement(SourceRange range, const DidYouMean& meant) {
  if (!meant) return std::nullopt;
  return string_replacement(std::move(range), *meant.name);
}

std::optional<FixIt> renamed(const Declaration& declaration, const Parameter& parameter, llvm::StringRef name) {
  if (declaration.is_definition) return std::nullopt;
  return replacement(parameter.name_range, name.str());
}

FixIt retyped(const Parameter& parameter, llvm::StringRef type) {
  const SourceRange& old = parameter.type_range;
  const SourceRange& name = parameter.name_range;
  bool is_named = !parameter.name.empty() && name.file == old.file;
  if (is_named && old.begin <= name.begin && name.end <= old.end) {
    return replacement(old, (type + " " + parameter.name).str());
  }
  return replacement(old, (type + (is_named && old.end == name.begin ? " " : "")).str());
}

FixIt retyped_result(const Declaration& declaration, llvm::StringRef type) {
  const SourceRange& old = declaration.result_range;
  return replacement(old, (type + (old.end == declaration.name_range.begin ? " " : "")).str());
}

}  // namespace structured::gen
