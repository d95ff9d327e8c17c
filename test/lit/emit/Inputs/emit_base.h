#pragma once
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <vector>

namespace acme {

// Values that meta precomputes for impl; they replace the argument of this name.
struct Dims {
  std::vector<int64_t> dim;
};

class CountingBase : public structured::MetaBase {
 public:
  int64_t count = 0;
};

}  // namespace acme
