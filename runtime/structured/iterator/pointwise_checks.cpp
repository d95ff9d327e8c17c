#include "structured/iterator/pointwise_checks.h"

#include "structured/base/error.h"

namespace structured {

namespace detail {

void fail_dtype(const char* op, ScalarType dtype, ScalarTypeSet expected) {
  STRUCTURED_CHECK(false, op, ": expected dtype ", expected, ", got ", dtype);
  __builtin_unreachable();
}

void check_scalar_category(const char* op, const char* argument, ScalarType dtype, const Scalar& scalar) {
  STRUCTURED_CHECK(!scalar.is_boolean() || dtype == kBool, op, ": a boolean `", argument,
                   "` requires Bool tensors, got ", dtype);
  STRUCTURED_CHECK(is_floating(dtype) || is_complex(dtype) || scalar.is_integral(true), op,
                   ": expected an integer as `", argument, "` of ", dtype, " tensors, got ", scalar);
  STRUCTURED_CHECK(is_complex(dtype) || !scalar.is_complex(), op, ": expected a real number as `", argument, "` of ",
                   dtype, " tensors, got ", scalar);
}

}  // namespace detail

void check_boolean(const char* op, const char* argument, const Tensor& mask) {
  STRUCTURED_CHECK(mask.defined() && mask.scalar_type() == kBool, op, ": expected `", argument, "` of dtype Bool, got ",
                   mask.defined() ? mask.scalar_type() : ScalarType::Undefined);
}

}  // namespace structured
