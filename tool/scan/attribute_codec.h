// Representation of `[[structured::...]]` attributes on Clang declarations.
//
// The carrier is Clang's SuppressAttr: it holds strings, changes no object code, and survives precompiled headers and
// preambles. Its strings are a tag, the name of the attribute, and one string for each argument.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Attr;
class Decl;
class ParsedAttr;
class Sema;
class SourceManager;
class LangOptions;
}  // namespace clang

namespace structured::gen {

/// An argument with Clang source locations.
struct CarriedArgument {
  std::variant<std::string, int64_t, bool> value;
  clang::CharSourceRange range;
  bool is_in_macro = false;  ///< a macro expansion spells an end; `range` covers the expansion
};

struct CarriedAttribute {
  std::string name;
  std::vector<CarriedArgument> arguments;
  clang::SourceLocation key;  ///< the `structured` token; identifies the attribute to the token watcher
  clang::CharSourceRange range;
};

/// Encodes the literals of `attribute` and attaches them to `declaration`. Reports an error and returns false if an
/// argument is not a literal.
bool attach_attribute(clang::Sema& sema, clang::Decl& declaration, const clang::ParsedAttr& attribute);

/// Decodes `attribute` if it is a carrier and this declaration does not merely inherit it.
std::optional<CarriedAttribute> carried_attribute(const clang::Attr& attribute, const clang::SourceManager& sources,
                                                  const clang::LangOptions& language);

}  // namespace structured::gen
