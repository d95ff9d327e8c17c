// Signatures: the interface of a library for other libraries that import its operators, and for the plugin. Kernels are
// checked against signatures as against declarations in their own library.
//
// Signatures contain no source ranges, comments or facts about bodies, so other changes do not affect them.
#pragma once

#include <string>
#include <vector>

#include "model/declaration.h"
#include "model/schema.h"

namespace structured::gen {

/// A variant, and the backends with a kernel for this variant only (`kernel`, `composite`).
struct VariantSignature {
  Schema schema;
  std::vector<std::string> kernels;  ///< sorted
  friend bool operator==(const VariantSignature&, const VariantSignature&) = default;
};

struct OperatorSignature {
  std::vector<VariantSignature> variants;  ///< functional first; never empty
  /// The function with `meta` or `pointwise`, or the first kernel: signature, defaults, and the attributes that affect
  /// schemas.
  Declaration definition;
  std::vector<std::string> outputs;  ///< names of a structured operator's outputs
  std::vector<std::string> impls;    ///< backends with an impl, sorted
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
