#include "structured/kernel/refined.h"

#include "structured/base/error.h"

namespace structured::detail {

void throw_not_refined(const char* op, const char* argument, const Tensor& tensor, Refinement expected) {
  STRUCTURED_CHECK(tensor.defined(), op, ": expected `", argument, "` to be a defined tensor, got an undefined one");
  STRUCTURED_CHECK(expected.rank == -1 || tensor.dim() == expected.rank, op, ": expected `", argument, "` to have ",
                   expected.rank, expected.rank == 1 ? " dimension" : " dimensions", ", got sizes ", tensor.sizes());
  STRUCTURED_CHECK(expected.dtype == ScalarType::Undefined || tensor.dtype() == expected.dtype, op, ": expected `",
                   argument, "` of dtype ", expected.dtype, ", got ", tensor.dtype());
  fail(op, ": expected `", argument, "` to be contiguous, got sizes ", tensor.sizes(), " and strides ",
       tensor.strides());
}

}  // namespace structured::detail
