#pragma once
#include <structured/kernel/meta_base.h>

#include <cstdint>
#include <vector>

namespace acme {

// What meta finds out for impl; it stands for the argument of that name.
struct Dims {
  std::vector<int64_t> dim;
};

class CountingBase : public structured::MetaBase {
 public:
  int64_t count = 0;
};

}  // namespace acme
