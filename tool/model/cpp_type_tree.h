// Syntax tree of the canonical spelling of a C++ type. Covers the types that operators take and return, but no
// functions, arrays and member pointers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

struct CppTypeTree {
  bool is_const = false;
  std::string name;                    ///< qualified, without template arguments: `std::vector`, `unsigned long`, `3`
  std::vector<CppTypeTree> arguments;  ///< template arguments, without allocators and character traits
  std::string suffix;                  ///< ``, ` &`, ` &&`, ` *`, or several levels of pointers
  friend bool operator==(const CppTypeTree&, const CppTypeTree&) = default;

  bool is_value() const { return suffix.empty(); }
  bool is_template(llvm::StringRef template_name) const { return !arguments.empty() && name == template_name; }
};

/// Parses and normalizes a type: `long long` becomes `long`, except as an element of a list (numbers convert, and so do
/// optionals and tuples of them); allocators, character traits, and the `const` of types passed by value are dropped.
/// Returns nullopt for other types.
std::optional<CppTypeTree> parse_cpp_type(llvm::StringRef canonical);

/// Returns the form that Clang prints: `const std::vector<long> &`.
std::string to_string(const CppTypeTree& type);

}  // namespace structured::gen
