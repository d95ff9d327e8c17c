// Refined tensors: parameter types that state properties of a tensor (structured/kernel/refined.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Properties that a parameter type states.
struct Refinement {
  std::string element;      ///< C++ type of the elements; empty: any dtype
  std::optional<int> rank;  ///< number of dimensions
  bool is_contiguous = false;
  std::string device;  ///< device type: `CPU`; empty: any
  friend bool operator==(const Refinement&, const Refinement&) = default;
};

/// Returns the properties for `structured::RefinedTensor<float, 2>` and the like, passed by value; std::nullopt for all
/// other types.
std::optional<Refinement> refinement_of(llvm::StringRef canonical);

/// Describes the properties: "elements of type `float`", "2 dimensions", "contiguous elements", "memory on `CPU`".
std::vector<std::string> properties(const Refinement& refinement);

/// Returns the properties of `required`, except for the device, that `known` does not imply.
Refinement without_known(Refinement required, const Refinement& known);

}  // namespace structured::gen
