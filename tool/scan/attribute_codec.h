// How an attribute of ours rides on a Clang declaration.
//
// The carrier is Clang's SuppressAttr: it takes strings, changes no object code, and survives precompiled headers
// and preambles. The strings are a tag, the attribute's name, and one string for each argument.
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

/// An argument with places as Clang counts them.
struct CarriedArgument {
  std::variant<std::string, std::int64_t, bool> value;
  clang::CharSourceRange range;
  bool is_in_macro = false;  ///< an end of it is spelled by a macro, whose use is in `range`
};

struct CarriedAttribute {
  std::string name;
  std::vector<CarriedArgument> arguments;
  clang::SourceLocation key;  ///< the `structured` token, where a token watcher saw it
  clang::CharSourceRange range;
};

/// Reads the literals of `attribute` and hangs it on `declaration`. False (after a diagnostic) if an argument is
/// not a literal.
bool attach_attribute(clang::Sema& sema, clang::Decl& declaration, const clang::ParsedAttr& attribute);

/// What `attribute` carries, if it is one of ours and was written on this very declaration.
std::optional<CarriedAttribute> carried_attribute(const clang::Attr& attribute, const clang::SourceManager& sources,
                                                  const clang::LangOptions& language);

}  // namespace structured::gen
