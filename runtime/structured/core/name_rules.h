#pragma once
// Names of dimensions in the iterator, which does not refer to their functions: a linker leaves them out of programs
// that name no dimension. Internal to the runtime.
#include <atomic>
#include <vector>

#include "structured/core/dimname.h"
#include "structured/core/tensor.h"

namespace structured::detail {

/// unify_names and name_output (names.h).
struct NameRules {
  std::vector<Dimname> (*unify)(DimnameList a, DimnameList b);
  void (*name_output)(const Tensor& output, DimnameList names);
};

/// Null until the program has named a dimension.
extern constinit std::atomic<const NameRules*> name_rules;

}  // namespace structured::detail
