// Reports on a library and PyTorch's stable ABI: which operators can be in a library for it, why others cannot, and
// since which version of PyTorch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/operator.h"

namespace structured::gen {

struct StableReport {
  /// Why an operator cannot be in a library for the stable ABI.
  struct Obstacle {
    std::string operator_name;
    std::string what;    ///< "parameter `factor` is a Scalar"
    std::string remedy;  ///< "use `double`, or overloads for `int64_t` and `double`"; may be empty
  };
  /// Something that a library has where a later version than the first loads it.
  struct Addition {
    std::string version;  ///< the version of PyTorch: "2.12"
    std::string what;
  };
  std::string first_version;          ///< the first version of PyTorch that has what the other operators need
  std::size_t operators = 0;          ///< how many a library for the stable ABI can have
  std::vector<std::string> possible;  ///< their schemas, with those of in-place and out= variants
  std::vector<Obstacle> obstacles;
  std::vector<Addition> additions;  ///< sorted by version
};

/// Reports on a library of the dialect `torch` or `torch_stable`.
StableReport stable_report(const Library& library);

}  // namespace structured::gen
