// The canonical spelling of a C++ type, taken apart: just enough of C++'s grammar for the types that operators
// take and return. Anything else (functions, arrays, member pointers) has no CppTypeTree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

struct CppTypeTree {
  bool is_const = false;
  std::string name;                    ///< qualified, without template arguments: `std::vector`, `unsigned long`, `3`
  std::vector<CppTypeTree> arguments;  ///< of the template, those that are its defaults left out
  std::string suffix;                  ///< ``, ` &`, ` &&`, ` *`, or several levels of pointers
  friend bool operator==(const CppTypeTree&, const CppTypeTree&) = default;

  bool is_value() const { return suffix.empty(); }
  bool is_template(llvm::StringRef template_name) const { return !arguments.empty() && name == template_name; }
};

/// Takes a type apart and evens out what says the same: `long long` is `long`, except as an element of a list
/// (numbers convert, and so do optionals and tuples of them), allocators and character traits are left out, and so is
/// the `const` of a type that is not a reference.
std::optional<CppTypeTree> parse_cpp_type(llvm::StringRef canonical);

/// `const std::vector<long> &`: the form that Clang prints.
std::string to_string(const CppTypeTree& type);

}  // namespace structured::gen
