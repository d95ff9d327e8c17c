// Checks the declarations of one or more sources against the rules of the annotation language.
#pragma once

#include <string>
#include <vector>

#include "check/diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/type_table.h"

namespace structured::gen {

class CppTypes;

struct CheckOptions {
  /// The library's schema namespace: in a library with namespace `aten`, `add` means `aten::add`.
  std::string schema_namespace = "aten";
  /// Whether the fragments cover the whole library. If not (the plugin sees one source), rules about missing
  /// declarations are skipped: the meta function of an impl may be in another source.
  bool whole_library = true;
  /// Libraries whose operators this one may have kernels for, or the last build of this library. Diagnostics located
  /// in them are not reported.
  llvm::ArrayRef<ImportedLibrary> imports = {};
  /// The backends that the library may have kernels for; empty: all.
  std::vector<std::string> backends = {};
  /// The C++ namespace of emitted functions; empty if unknown.
  std::string cpp_namespace = {};
  /// C++ types in emitted code. Null if no C++ is emitted; rules about emitted C++ are skipped then.
  const CppTypes* cpp_types = nullptr;
};

/// Returns the default C++ namespace of a library: its schema namespace, or `structured` for `aten`.
std::string default_cpp_namespace(llvm::StringRef schema_namespace);

/// Runs every rule. The result is sorted by location, has no duplicates, and does not depend on the order of fragments.
std::vector<Diagnostic> check(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, const CheckOptions& options);

/// Whether one of the diagnostics is an error; if so, nothing may be derived or emitted.
bool has_errors(llvm::ArrayRef<Diagnostic> diagnostics);

}  // namespace structured::gen
