// Flavours of libraries for the native runtime: how much of the registry of operators a library contains.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

struct Flavour {
  llvm::StringLiteral name;
  bool has_tables;        ///< calls select kernels in tables, not by a switch over the library's backends
  bool has_layers;        ///< calls pass through layers (tracing, autograd, ...)
  bool has_schemas;       ///< operators have schema text and meta functions for importers, not lists of parameters
  bool has_all_backends;  ///< the library has all kernels, and Meta's, not only those for the backends that it names
};

/// Returns the flavour that has everything.
const Flavour& dynamic_flavour();
/// Returns the flavour of that name, or null.
const Flavour* find_flavour(llvm::StringRef name);
/// Returns the error for an unknown name: "unknown flavour `sour`; expected dynamic, edge or static".
std::string unknown_flavour(llvm::StringRef name);

}  // namespace structured::gen
