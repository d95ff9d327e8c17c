#pragma once
// Propagation of dimension names by operators, with the semantics of ATen.
#include <cstdint>
#include <vector>

#include "structured/core/dimname.h"
#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Names of a broadcast result. Throws Error if two names meet that differ, or if a name is at
/// another distance from the last dimension in one list than in the other. An empty list stands for a tensor without
/// names, which has the wildcard everywhere.
STRUCTURED_API std::vector<Dimname> unify_names(DimnameList a, DimnameList b);

/// The names that are left when the dimensions of `mask` (bit d for dimension d) are reduced; all with `keepdim`.
STRUCTURED_API std::vector<Dimname> reduced_names(DimnameList names, std::uint64_t mask, bool keepdim);

/// The dimension that is called `name`. Throws Error if there is none, or if it is the wildcard.
STRUCTURED_API std::int64_t dimension_named(const Tensor& tensor, Dimname name);

/// Gives the tensor these names, or none if the list is empty or has wildcards only. Throws Error if there are more or
/// fewer than dimensions, or if one occurs twice.
STRUCTURED_API void set_names(const Tensor& tensor, DimnameList names);

/// Gives an output the names that were computed for it, none being a list of wildcards. If it has names already, they
/// are what its owner expects: throws Error if these are others.
STRUCTURED_API void name_output(const Tensor& output, DimnameList names);

/// `view`, whose dimension d is called as dimension `sources[d]` of `base` is, or not at all where that is -1. For
/// bases with names: what has none need not ask.
STRUCTURED_API STRUCTURED_COLD Tensor named_view(Tensor view, const Tensor& base, IntArrayRef sources);

}  // namespace structured
