#include "structured/core/wrap_dim.h"

#include "structured/base/argument_part.h"
#include "structured/base/error.h"

namespace structured::detail {

void fail_wrap_dim(int64_t dim, int64_t count) {
  fail(ArgumentPart::dimension(), "expected a dimension from ", -count, " to ", count - 1, ", got ", dim);
}

}  // namespace structured::detail
