#include "emit/python/sharding_text.h"

#include "emit/python/string_literal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {
namespace {

/// Strings are names, None is a dimension that the operator needs whole, Ellipsis is any number of dimensions, and
/// `(..., "dim")` is those but for the ones that the argument `dim` lists.
std::string dim_text(const ShardingDim& dim) {
  switch (dim.kind) {
    case ShardingDim::Kind::spread:
      return python_string(dim.name);
    case ShardingDim::Kind::whole:
      return "None";
    case ShardingDim::Kind::broadcast:
      return dim.name.empty() ? "..." : "(..., " + python_string(dim.name) + ")";
  }
  llvm_unreachable("all kinds have a text");
}

std::string term_text(const ShardingTerm& term) {
  return "(" + llvm::join(llvm::map_range(term, dim_text), ", ") + (term.size() == 1 ? ",)" : ")");
}

std::string terms_text(llvm::ArrayRef<ShardingTerm> terms) {
  return "[" + llvm::join(llvm::map_range(terms, term_text), ", ") + "]";
}

}  // namespace

std::string torch_sharding(const LoweredLibrary& lowered) {
  std::string text =
      "# Emitted by structured-gen. Do not edit.\n"
      "\"\"\"Dimensions along which processes share the work of operators, for DTensor.\"\"\"\n"
      "import functools\n\n"
      "from . import _sharding_functions\n\n"
      "rules = {  # None: each process does the whole\n";
  for (const LoweredVariant& variant : lowered.own_variants()) {
    if (!variant.takes_spread_tensors) continue;
    text += "    " + python_string(variant.opaque.empty() ? variant.full_name : variant.opaque) + ": ";
    text += variant.sharding
                ? "(" + terms_text(variant.sharding->arguments) + ", " + terms_text(variant.sharding->results) + "),\n"
                : "None,\n";
  }
  return text +
         "}\n\n\n@functools.cache  # a package may be loaded again\ndef register():\n    "
         "_sharding_functions.register(rules)\n";
}

}  // namespace structured::gen
