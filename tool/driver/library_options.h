// Options that describe a library of operators, as structured_add_library passes them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/option_set.h"

namespace structured::gen {

/// A command declares those that it uses; the others keep their defaults.
struct LibraryOptions {
  std::optional<std::string> dialect;
  std::optional<std::string> schema_name;  ///< as given; see schema_namespace()
  std::optional<std::string> cpp_name;     ///< as given; see cpp_namespace()
  std::optional<std::string> source_root;  ///< without a value: the working directory
  std::string generated_root;              ///< root of generated sources; empty: none
  std::vector<std::string> imports;        ///< signatures of other libraries
  std::vector<std::string> backends;       ///< empty: all
  std::string flavour = "dynamic";         ///< how much of the registry the library contains (dialect/flavour.h)
  std::string other_headers;    ///< lists headers that other libraries of the namespace have as sources; empty: none
  bool leaves_off_out = false;  ///< whether operators have only the out variants that they name
  bool is_partial = false;      ///< the inputs are a part of the library

  void declare_names(OptionSet& options);
  void declare_source_root(OptionSet& options);
  void declare_generated_root(OptionSet& options);
  void declare_imports(OptionSet& options);   ///< --import and --no-implied-out
  void declare_backends(OptionSet& options);  ///< --backends and --other-headers

  std::string schema_namespace() const;
  std::string cpp_namespace() const;
  /// Empty for the working directory.
  std::string root() const { return source_root.value_or(""); }
  /// Whether an option describes the library.
  bool is_described() const;
  /// Describes the first invalid value; empty if there is none.
  std::string misuse() const;
};

/// The lock file, with schemas that must stay compatible.
struct LockOptions {
  std::string file;
  std::string target;  ///< target of the build that writes the file, for messages
  bool is_update = false;

  void declare(OptionSet& options);
  std::string misuse() const;
};

}  // namespace structured::gen
