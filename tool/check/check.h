// The rules of the annotation language, over the facts of one or many sources.
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
  /// The library's schema namespace; `aten::add` and `add` are one operator in a library with namespace `aten`.
  std::string schema_namespace = "aten";
  /// Whether the fragments are all of the library. If not (the plugin sees one source), rules that need to see
  /// everything stay silent: an impl's meta function may stand in another source.
  bool whole_library = true;
  /// Libraries whose operators this one may have kernels for, or this one as its last build left it. Diagnostics in
  /// them are not reported.
  llvm::ArrayRef<ImportedLibrary> imports = {};
  /// The backends that the library may have kernels for; empty: all.
  std::vector<std::string> backends = {};
  /// The C++ namespace of the functions that are emitted; empty if it is unknown.
  std::string cpp_namespace = {};
  /// How emitted code is spelled. Null where no C++ is emitted: rules for what it could not say stay silent then.
  const CppTypes* cpp_types = nullptr;
};

/// The C++ namespace of a library that sets none: its schemas' namespace, or `structured` for `aten`.
std::string default_cpp_namespace(llvm::StringRef schema_namespace);

/// Runs every rule. The result is sorted by place and holds nothing twice, whatever the order of the fragments.
std::vector<Diagnostic> check(llvm::ArrayRef<Fragment> fragments, const TypeTable& types, const CheckOptions& options);

/// Whether one of them is an error, after which nothing may be derived or emitted.
bool has_errors(llvm::ArrayRef<Diagnostic> diagnostics);

}  // namespace structured::gen
