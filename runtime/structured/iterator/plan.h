#pragma once
// Memory walk of an iteration, for any layout of operands.
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/device/device.h"
#include "structured/iterator/inline_vector.h"
#include "structured/iterator/operand.h"
#include "structured/memory/scratch.h"

namespace structured::detail {

/// Up to four operands and six dimensions need no allocation. Only `owned` is cleared on construction.
struct IterationPlan {
  IterationPlan() {}  // not `= default`: value-initialization would zero the whole object
  STRUCTURED_API ~IterationPlan();

  InlineVector<Operand, 4> operands;
  InlineVector<int64_t, 6> shape;     // innermost first
  InlineVector<int64_t, 24> strides;  // in bytes; [dimension][operand]
  InlineVector<char*, 4> data;
  ScratchVector<Tensor> owned;  // an element for each operand, if some operand is owned
  Device device = Device(DeviceType::CPU);
  bool is_reduction = false;
  bool needs_cast = false;
  bool all_same_shape = false;
};

/// Memory walk of three operands of one dtype over two dimensions that do not coalesce. The inner dimension need not be
/// the last one of the first operand.
struct Grid {
  char* data[3];       // unspecified on meta
  int64_t strides[6];  // in bytes; [dimension][operand]
  int64_t inner;
  int64_t outer;
};

}  // namespace structured::detail
