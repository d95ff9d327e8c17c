#pragma once
// Propagation of dimension names by operators, with the semantics of ATen.
#include <cstdint>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/dimname.h"
#include "structured/core/tensor.h"

namespace structured {

/// Names of a broadcast result. Throws Error if two aligned names differ, or if a name occurs in both lists at
/// different distances from the last dimension. An empty list stands for a tensor without names, which matches like a
/// list of wildcards.
STRUCTURED_API std::vector<Dimname> unify_names(DimnameList a, DimnameList b);

/// Names of a reduction's result. Bit d of `mask` is set if dimension d is reduced; `keepdim` keeps all names.
STRUCTURED_API std::vector<Dimname> reduced_names(DimnameList names, uint64_t mask, bool keepdim);

/// Index of the dimension called `name`. Throws Error if there is none, or if `name` is the wildcard.
STRUCTURED_API int64_t dimension_named(const Tensor& tensor, Dimname name);

/// Sets the names of `tensor`, or removes them if the list is empty or has wildcards only. Throws Error unless there is
/// one name for each dimension, and if a name occurs twice.
STRUCTURED_API void set_names(const Tensor& tensor, DimnameList names);

/// Sets the names that were computed for `output`; a list of wildcards means no names. Throws Error if `output` already
/// has names and they differ.
STRUCTURED_API void name_output(const Tensor& output, DimnameList names);

/// Names dimension d of `view` like dimension `sources[d]` of `base`, or leaves it unnamed where `sources[d]` is -1,
/// and returns `view`. Callers test first whether `base` has names.
STRUCTURED_API STRUCTURED_COLD Tensor named_view(Tensor view, const Tensor& base, IntArrayRef sources);

}  // namespace structured
