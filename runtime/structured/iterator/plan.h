#pragma once
// How an iteration walks through memory, for operands of any layout.
#include <cstdint>

#include "structured/core/device.h"
#include "structured/core/tensor.h"
#include "structured/iterator/inline_vector.h"
#include "structured/iterator/operand.h"

namespace structured::detail {

/// Up to four operands and six dimensions nothing is allocated, and nothing is cleared ever.
struct IterationPlan {
  IterationPlan() {}  // not `= default`: value-initialisation would zero the whole object
  ~IterationPlan() { delete[] owned; }

  InlineVector<Operand, 4> operands;
  InlineVector<std::int64_t, 6> shape;     // innermost first
  InlineVector<std::int64_t, 24> strides;  // in bytes; [dimension][operand]
  InlineVector<char*, 4> data;
  Tensor* owned = nullptr;  // for each operand, where someone gave a tensor away
  Device device = Device(DeviceType::CPU);
  bool is_reduction = false;
  bool needs_cast = false;
  bool all_same_shape = false;
};

/// The same for three operands of one dtype and two dimensions that nothing joins, which the first one need not be the
/// innermost of. Nothing else is known of them, since nothing else is asked as a rule.
struct Grid {
  char* data[3];            // nowhere on meta
  std::int64_t strides[6];  // in bytes; [dimension][operand]
  std::int64_t inner;
  std::int64_t outer;
};

}  // namespace structured::detail
