// Signatures: what a library promises to those that build against it. Another library that imports its operators, and
// the plugin, check kernels against them as they check kernels against declarations in the same library.
//
// They change only if a signature changes: they have no source ranges, comments or facts about bodies.
#pragma once

#include <string>
#include <vector>

#include "model/declaration.h"
#include "model/schema.h"

namespace structured::gen {

/// A variant, and the backends that have a kernel for it alone (`kernel`, `composite`).
struct VariantSignature {
  Schema schema;
  std::vector<std::string> kernels;  ///< sorted
  friend bool operator==(const VariantSignature&, const VariantSignature&) = default;
};

struct OperatorSignature {
  std::vector<VariantSignature> variants;  ///< functional first; never empty
  /// The function marked `meta` or `pointwise`, or the first kernel: signature, defaults, and the attributes that the
  /// schemas follow from.
  Declaration definition;
  std::vector<std::string> outputs;  ///< names of a structured operator's outputs
  std::vector<std::string> impls;    ///< the backends that have one, sorted
  friend bool operator==(const OperatorSignature&, const OperatorSignature&) = default;
};

/// All operators of one library, sorted by the schema of their first variant.
struct Signatures {
  static constexpr int format_version = 1;
  std::string schema_namespace;
  std::string cpp_namespace;
  std::string dialect;
  std::vector<OperatorSignature> operators;
  friend bool operator==(const Signatures&, const Signatures&) = default;
};

}  // namespace structured::gen
