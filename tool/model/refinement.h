// Refined tensors: properties of a tensor that a parameter states, by its type (structured/kernel/refined.h) or by the
// attribute `requires`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "model/declaration.h"

namespace structured::gen {

/// Properties that a parameter states.
struct Refinement {
  std::string element;      ///< canonical C++ type of the elements; empty: any dtype
  std::optional<int> rank;  ///< number of dimensions
  bool is_contiguous = false;
  std::string device;  ///< device type: `CPU`; empty: any

  /// Adds properties. Returns whether they are consistent with those that are known; if not, the latter stay.
  bool add(const Refinement& other);
  friend bool operator==(const Refinement&, const Refinement&) = default;
};

/// Returns the properties for `structured::RefinedTensor<float, 2>` and the like, passed by value; std::nullopt for all
/// other types.
std::optional<Refinement> refinement_of(llvm::StringRef canonical);

/// Returns the property for an argument of `requires`: `float`, `rank 2`, `contiguous`, `CPU`.
std::optional<Refinement> property_named(llvm::StringRef argument);

/// The arguments of `requires`, with 2 as an example of a rank.
std::vector<std::string> property_names();

/// Returns the properties that the parameter states by its type and by `requires`; std::nullopt if it does neither.
std::optional<Refinement> refinement_of(const Parameter& parameter);

/// Returns the refined type that states the properties, except for the device: `structured::RefinedTensor<float, 2>`.
std::string refined_type(const Refinement& refinement);

/// Describes the properties: "elements of type `float`", "2 dimensions", "contiguous elements", "memory on `CPU`".
std::vector<std::string> properties(const Refinement& refinement);

/// Returns the arguments of `requires` that state the properties.
std::vector<std::string> required_arguments(const Refinement& refinement);

/// Returns the properties of `required`, except for the device, that `known` does not imply.
Refinement without_known(Refinement required, const Refinement& known);

}  // namespace structured::gen
